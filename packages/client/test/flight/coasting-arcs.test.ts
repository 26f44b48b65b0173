/**
 * Law: beyond its step a ship coasts on its two-body orbit, with what else pulled it for a minute;
 * one that stands stays. Goal: to the rounding. Method: the core's two-body orbit, and by hand what
 * a steady acceleration adds.
 */
import { createStateVector, keplerState } from '@orrery/sim'
import { expect, it, test } from 'vitest'
import { ARC, ARC_DOUBLES, arcState } from '../../src/scene/arc.ts'
import { readForecast } from '../../src/forecast/forecast.ts'
import { createShipSample } from '../../src/scene/world.ts'
import { PAIR } from './sent-frames.ts'

const [{ gm: GM }] = PAIR.bodies
const START = 640
const END = START + 2048
const REST = [0.02, -0.01, 0.03]
const ENDS = {
  r0: [6e6, 2e6, -3e6],
  v0: [-900, 6900, 1500],
  r1: [-2e6, 5e6, 4.5e6],
  v1: [-7000, -1500, 1200],
} as const
const AT = ARC_DOUBLES
const out = createStateVector()

/** The second of two records: at both ends something pulls beside the body. */
function arcs(start: number, end: number): Float64Array {
  const values = new Float64Array(3 * ARC_DOUBLES).fill(1e7)
  values[AT + ARC.start] = start
  values[AT + ARC.end] = end
  values[AT + ARC.reference] = 0
  for (const [r, v, a] of [
    ['r0', 'v0', 'a0'],
    ['r1', 'v1', 'a1'],
  ] as const) {
    values.set(ENDS[r], AT + ARC[r])
    values.set(ENDS[v], AT + ARC[v])
    const pull = GM / Math.hypot(...ENDS[r]) ** 3
    values.set(
      ENDS[r].map((x, axis) => REST[axis] - pull * x),
      AT + ARC[a],
    )
  }
  return values
}

/** Where the two-body orbit and the rest lead from an end in so many seconds. */
function coasted(end: 0 | 1, seconds: number): number[] {
  const from = createStateVector()
  const due = createStateVector()
  from.r.set(end ? ENDS.r1 : ENDS.r0)
  from.v.set(end ? ENDS.v1 : ENDS.v0)
  keplerState(due, from, GM, seconds)
  const felt = Math.sign(seconds) * Math.min(60, Math.abs(seconds))
  const [way, speed] = [felt * (felt / 2 + (seconds - felt)), felt]
  return [...due.r.map((x, i) => x + REST[i] * way), ...due.v.map((x, i) => x + REST[i] * speed)]
}

/** The largest difference. */
function off(expected: readonly number[]): number {
  const found = [...out.r, ...out.v]
  return Math.max(...found.map((value, i) => Math.abs(value - expected[i])))
}

it.each([0.5, 60, 100])('coasts %d s beyond either end', (seconds) => {
  arcState(out, arcs(START, END), AT, GM, END + 64 * seconds)
  expect(off(coasted(1, seconds))).toBeLessThan(1e-6)
  arcState(out, arcs(START, END), AT, GM, START - 64 * seconds)
  expect(off(coasted(0, -seconds))).toBeLessThan(1e-6)
})

it('coasts both ways from a start of which the step is not known', () => {
  for (const seconds of [-100, -30, 0, 30, 100]) {
    arcState(out, arcs(START, START - 1), AT, GM, START + 64 * seconds)
    expect(off(coasted(0, seconds))).toBeLessThan(1e-6)
  }
})

it('stands where it is frozen', () => {
  for (const time of [START - 64, START, START + 64]) {
    arcState(out, arcs(START, START), AT, GM, time)
    expect([...out.r, ...out.v]).toEqual([...ENDS.r0, ...ENDS.v0])
  }
})

it('flies straight on where nothing pulls', () => {
  arcState(out, arcs(START, END), AT, 0, END + 64 * 10)
  expect([...out.r]).toEqual(ENDS.r1.map((x, axis) => x + 10 * ENDS.v1[axis]))
  expect([...out.v]).toEqual(ENDS.v1)
})

test('a forecast is read at any time, in any order', () => {
  const steps = 5
  const values = new Float64Array(steps * ARC_DOUBLES)
  for (let step = 0; step < steps; step++) {
    const arc = arcs(START + 64 * step, START + 64 * step).subarray(AT, AT + ARC_DOUBLES)
    values.set(arc, step * ARC_DOUBLES)
    values[step * ARC_DOUBLES + ARC.r0] = step
    values[step * ARC_DOUBLES + ARC.reference] = step % 2
  }
  const [from, to] = [START, START + 64 * steps]
  const nothing = { marks: [], marksLeftOut: 0, flightLegs: [], legs: [], deltaV: 0, fuel: 0 }
  const flown = { shipId: '', systemId: '', arcs: values, from, to, end: 'asked' } as const
  const forecast = readForecast({ ...flown, ...nothing }, PAIR, true)
  expect(forecast).toMatchObject({ isExact: true })
  const state = createShipSample()
  for (const step of [0, 1, 4, 2, 3, 1, 0, 4]) {
    for (const part of [0, 63.5]) {
      expect(forecast.stateAt(state, START + 64 * step + part)).toBe(true)
      expect([state.r[0], state.body]).toEqual([step, PAIR.bodies[step % 2].name])
    }
  }
  expect(forecast.stateAt(state, to)).toBe(true)
  expect(forecast.stateAt(state, to + 0.1)).toBe(false)
  expect(forecast.stateAt(state, from - 0.1)).toBe(false)
})
