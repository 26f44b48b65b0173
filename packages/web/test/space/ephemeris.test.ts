// Law: bodies move smoothly between the moments that the server sends, with an error of the fourth
// order in the interval, and never beyond what is known.
import { expect, test } from 'vitest'
import { type BodyMoment, Ephemeris } from '../../src/space/ephemeris.ts'

/** Phobos: the fastest of all bodies for its distance. */
const RADIUS = 9.376e6
const RATE = (2 * Math.PI) / 27_554

function state(ms: number): readonly [number, number, number, number] {
  const angle = (RATE * ms) / 1000
  const [c, s] = [Math.cos(angle), Math.sin(angle)]
  return [RADIUS * c, RADIUS * s, -RADIUS * RATE * s, RADIUS * RATE * c]
}

function moment(ms: number): BodyMoment {
  const [x, y, vx, vy] = state(ms)
  return { ms, states: Float64Array.of(x, y, 0, vx, vy, 0) }
}

function errorAt(ephemeris: Ephemeris, ms: number): number {
  const positions = new Float64Array(3)
  const velocities = new Float64Array(3)
  ephemeris.at(ms, positions, velocities)
  const [x, y] = state(ms)
  return Math.hypot(positions[0] - x, positions[1] - y)
}

function between(interval: number): number {
  const ephemeris = new Ephemeris()
  ephemeris.begin(moment(0))
  ephemeris.extend(moment(interval))
  return errorAt(ephemeris, interval / 2)
}

test('the error is of the fourth order, and below 1 mm over a minute', () => {
  expect(between(60_000)).toBeLessThan(1e-3)
  const order = Math.log2(between(1_280_000) / between(640_000))
  expect(order).toBeGreaterThan(3.95)
  expect(order).toBeLessThan(4.05)
})

test('from one interval to the next neither place nor velocity jumps', () => {
  const ephemeris = new Ephemeris()
  for (const ms of [0, 60_000, 120_000]) ephemeris.extend(moment(ms))
  for (const ms of [59_999, 60_000, 60_001]) expect(errorAt(ephemeris, ms)).toBeLessThan(1e-3)
})

test('time stops where knowledge ends, and says so', () => {
  const ephemeris = new Ephemeris()
  const [positions, velocities] = [new Float64Array(3), new Float64Array(3)]
  expect(ephemeris.at(0, positions, velocities)).toBeNaN()
  ephemeris.begin(moment(1000))
  expect(ephemeris.at(4000, positions, velocities)).toBe(4000)
  expect(ephemeris.at(60_000, positions, velocities)).toBe(11_000)
  ephemeris.extend(moment(61_000))
  expect(ephemeris.at(99_000, positions, velocities)).toBe(61_000)
  expect(ephemeris.at(0, positions, velocities)).toBe(1000)
})

test('a moment of an earlier time replaces all others: the world was reset', () => {
  const ephemeris = new Ephemeris()
  for (const ms of [60_000, 120_000, 500]) ephemeris.extend(moment(ms))
  expect(ephemeris.untilMs).toBe(500)
})
