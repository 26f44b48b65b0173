// Law: until the forecast of changed nodes is there, the line is bent to where they lead, about.
// Method: burns on a circle about Earth, flown by small steps; what is bent against what is flown.
import type { Forecast } from '@orrery/client/flight'
import { expect, test } from 'vitest'
import { type PlanFlown, bentTo } from '../../src/plans/bent-way.ts'
import type { PlanNode } from '../../src/plans/plan.ts'

const GM = 3.986e14
const RADIUS = 7e6
const SPEED = Math.sqrt(GM / RADIUS)
const PERIOD = (2 * Math.PI * RADIUS) / SPEED
const PER_SECOND = 64

/** Of the integration [s]. */
const STEP = 5

/** A ship that burns prograde at once, and its way for two revolutions after. */
function flown(prograde: number, reference = 1): PlanFlown {
  const nodes: PlanNode[] = [{ id: 1, index: 0, deltaV: [prograde, 0, 0] }]
  const states: number[][] = []
  let [x, y, vx, vy] = [RADIUS, 0, 0, SPEED + prograde]
  const kick = (): void => {
    const pull = (-0.5 * STEP * GM) / Math.hypot(x, y) ** 3
    vx += pull * x
    vy += pull * y
  }
  for (let time = 0; time <= 2 * PERIOD; time += STEP) {
    states.push([x, y, vx, vy])
    kick()
    x += STEP * vx
    y += STEP * vy
    kick()
  }
  const stateAt: Forecast['stateAt'] = (out, time) => {
    const [x = NaN, y = NaN, vx = NaN, vy = NaN] = states[time / PER_SECOND / STEP] ?? []
    Object.assign(out, { reference })
    out.r.set([x, y, 0])
    out.v.set([vx, vy, 0])
    return time >= 0 && time <= 2 * PERIOD * PER_SECOND
  }
  const forecast = { from: 0, to: 2 * PERIOD * PER_SECOND, marks: [], legs: [], stateAt }
  return { nodes, forecast: forecast as unknown as Forecast }
}

const state = { reference: 0, body: '', r: new Float64Array(3), v: new Float64Array(3) }

/** The farthest that two ways are from each other [m]. */
function apart(a: PlanFlown | undefined, b: PlanFlown): number {
  let most = 0
  for (let time = 0; time <= 2 * PERIOD; time += STEP) {
    a?.forecast.stateAt(state, PER_SECOND * time)
    const [x, y] = state.r
    b.forecast.stateAt(state, PER_SECOND * time)
    most = Math.max(most, Math.hypot(x - state.r[0], y - state.r[1]))
  }
  return most
}

test('what is bent lies where the nodes lead, within a fiftieth of the change', () => {
  const [before, last, wanted] = [10, 12, 15].map((deltaV) => flown(deltaV))
  const bent = bentTo(wanted.nodes, last, [before])
  expect(bent?.nodes).toBe(wanted.nodes)
  expect(apart(last, wanted)).toBeGreaterThan(1e5)
  expect(apart(bent, wanted)).toBeLessThan(apart(last, wanted) / 50)
})

test('of two forecasts that are alike an older one counts, where a hand turns back', () => {
  const [old, last, wanted] = [10, 12, 11].map((deltaV) => flown(deltaV))
  const bent = bentTo(wanted.nodes, last, [flown(12), old])
  expect(apart(bent, wanted)).toBeLessThan(apart(last, wanted) / 50)
})

test('it stays as it is where a change is not along the way of the hand', () => {
  const last = flown(12)
  const { id, index } = last.nodes[0]
  for (const other of [
    { id, index, deltaV: [12, 3, 0] },
    { id, index, deltaV: [99, 0, 0] },
    { id, index: index + 640, deltaV: [12, 0, 0] },
  ] as const) {
    expect(bentTo([other], last, [flown(10)])).toBe(last)
  }
  expect(bentTo([...last.nodes, ...last.nodes], last, [flown(10)])).toBe(last)
  expect(bentTo(flown(15).nodes, last, [])).toBe(last)
  expect(bentTo(last.nodes, last, [flown(10)])).toBe(last)
})

test('where the one before is about another body, the last one stays', () => {
  const [last, wanted] = [flown(12), flown(15)]
  const bent = bentTo(wanted.nodes, last, [flown(10, 2)])
  expect(apart(bent, last)).toBe(0)
})
