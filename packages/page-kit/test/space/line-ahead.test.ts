// Law: the line to come begins at the ship to the bit, however far the time has come, and beyond
// lies on the flight; beside the ship its vertices are ever closer.
import { expect, test } from 'vitest'
import { NEAR_VERTICES, cutLine } from '../../src/space/line-ahead.ts'
import {
  type FlownLine,
  LINE_VERTICES_MAX,
  type LegState,
  createLegState,
  createLine,
  sampledLine,
} from '../../src/space/trajectory-line.ts'

const RADIUS = 7e6
const RATE = Math.sqrt(3.986e14 / RADIUS ** 3)
const FROM = 5000
const TO = FROM + (64 * 4 * Math.PI) / RATE

/** Two revolutions of a circle. */
const flown: FlownLine = {
  from: FROM,
  to: TO,
  stateAt: (out, time) => {
    if (!(time >= FROM && time <= TO)) return false
    const angle = (RATE * (time - FROM)) / 64
    const [c, s] = [Math.cos(angle), Math.sin(angle)]
    out.r.set([RADIUS * c, RADIUS * s, 0])
    out.v.set([-RADIUS * RATE * s, RADIUS * RATE * c, 0])
    out.reference = 3
    return true
  },
}

const line = sampledLine(flown, [])
const ahead = createLine(LINE_VERTICES_MAX + NEAR_VERTICES)

function stateOf(time: number): LegState {
  const state = createLegState()
  expect(flown.stateAt(state, time)).toBe(true)
  return state
}

/** Of a vertex from a place [m]. */
function distance(vertex: number, place: ArrayLike<number>): number {
  return Math.hypot(...[0, 1, 2].map((k) => ahead.positions[3 * vertex + k] - place[k]))
}

test.each([0, 0.3, 0.777, 1.999])('%d revolutions on, it begins at the ship', (turns) => {
  const now = FROM + (64 * 2 * Math.PI * turns) / RATE
  const ship = stateOf(now)
  cutLine(ahead, line, { flown, ship, now })
  expect(distance(0, ship.r)).toBe(0)
  // Less than a revolution, or until the forecast ends.
  const last = ahead.angles[ahead.count - 1]
  expect(Math.abs(last - Math.min(6.1, 2 * Math.PI * (2 - turns)))).toBeLessThan(0.016)
  for (let i = 1; i < ahead.count; i++) {
    expect(distance(i, stateOf(ahead.times[i]).r)).toBeLessThan(1e-6)
    const step = ahead.angles[i] - ahead.angles[i - 1]
    expect(step).toBeGreaterThan(0)
    // No angle is much larger than the distance along the line from the ship.
    expect(step).toBeLessThan(Math.max(0.61 * ahead.angles[i], 1.01e-10))
    expect(ahead.bodies[i]).toBe(3)
  }
})

test('where a ship is beside its forecast, the line begins at it and bends over', () => {
  const now = FROM + 64 * 500.5
  const ship = stateOf(now)
  ship.r[2] += 2000
  cutLine(ahead, line, { flown, ship, now })
  expect(distance(0, ship.r)).toBeLessThan(1e-8)
  expect(ahead.positions[3 + 2]).toBeCloseTo(2000, 3)
  const far = ahead.angles.findIndex((angle) => angle > 0.5)
  expect(distance(far, stateOf(ahead.times[far]).r)).toBe(0)
})

test('at the end of the forecast there is the ship alone', () => {
  cutLine(ahead, line, { flown, ship: stateOf(TO), now: TO })
  expect(ahead.count).toBe(1)
})

test('after a burn to come there is still a revolution', () => {
  const bend = FROM + (64 * 2 * Math.PI * 0.6) / RATE
  cutLine(ahead, sampledLine(flown, [bend]), { flown, ship: stateOf(FROM), now: FROM })
  expect(ahead.angles[ahead.count - 1]).toBeCloseTo(2 * Math.PI * 0.6 + 6.1, 1)
})
