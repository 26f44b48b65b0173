// Law: the nearest point of a straight way is nearer than all others, and all that is said of an
// approach follows from where both are a little later.
import { expect, test } from 'vitest'
import { approach, relativeInclination, rocketSpeed } from '../../src/space/approach.ts'
import { length, rotate, vector, type Vector } from '@orrery/page-kit'

const POSITION = vector(3000, -4000, 1200)
const VELOCITY = vector(-30, 20, 5)

function later(position: Vector, velocity: Vector, seconds: number): Vector {
  return position.map((part, k) => part + seconds * velocity[k])
}

test('two that near each other', () => {
  const seen = approach(POSITION, VELOCITY)
  const step = 1e-3
  const change = length(later(POSITION, VELOCITY, step)) - length(later(POSITION, VELOCITY, -step))
  expect(seen.closingSpeed).toBeCloseTo(-change / (2 * step), 6)
  expect(seen.arrival).toBeCloseTo(seen.distance / seen.closingSpeed, 10)
  expect(seen.nearest).toBeCloseTo(length(later(POSITION, VELOCITY, seen.nearestIn)), 8)
  for (const away of [-50, -1, 1, 50]) {
    const other = length(later(POSITION, VELOCITY, seen.nearestIn + away))
    expect(other).toBeGreaterThan(seen.nearest)
  }
})

test('two that part', () => {
  const seen = approach(POSITION, vector(30, -20, -5))
  expect(seen.closingSpeed).toBeLessThan(0)
  expect(seen.arrival).toBe(Infinity)
  expect(seen.nearestIn).toBe(0)
  expect(seen.nearest).toBe(seen.distance)
})

test('two that are at rest, or at one place', () => {
  expect(approach(POSITION, vector())).toMatchObject({ closingSpeed: 0, arrival: Infinity })
  const noise = approach(POSITION, vector(-1e-4))
  expect(noise.closingSpeed).toBeGreaterThan(0)
  expect(noise.arrival).toBe(Infinity)
  expect(approach(vector(), VELOCITY)).toMatchObject({ distance: 0, closingSpeed: 0, nearest: 0 })
})

test.each([1e-9, 0.01, 1, Math.PI / 2, 3])('planes %f apart', (angle) => {
  const [r, v] = [vector(7e6, 1e5, 0), vector(100, 7500, 0)]
  const tilted = (a: Vector): Vector => rotate(vector(), a, vector(0.6, 0.8, 0), angle)
  const between = relativeInclination({ r, v }, { r: tilted(r), v: tilted(v) })
  expect(Math.abs(between / angle - 1)).toBeLessThan(1e-6)
})

test('half of the tank after the other gives what all of it does', () => {
  const whole = rocketSpeed(24_000, { full: 30_000, dry: 20_000 })
  const first = rocketSpeed(24_000, { full: 30_000, dry: 25_000 })
  const second = rocketSpeed(24_000, { full: 25_000, dry: 20_000 })
  expect(first + second).toBeCloseTo(whole, 8)
  expect(whole).toBeCloseTo(9731, 0)
})
