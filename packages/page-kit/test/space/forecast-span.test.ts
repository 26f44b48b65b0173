// Law: two revolutions of an ellipse, and of what leaves its body some time at most 16 days.
import { expect, test } from 'vitest'
import { hoursOfInterest } from '../../src/space/forecast-span.ts'
import { vector } from '../../src/space/vector.ts'

const EARTH = 3.986e14

/** At a distance [m], with a speed across it over that of a circle. */
function hours(distance: number, factor: number): number {
  const velocity = vector(0, factor * Math.sqrt(EARTH / distance), 0)
  return hoursOfInterest({ position: vector(distance, 0, 0), velocity, gm: EARTH }, 2)
}

test('a circle', () => {
  const period = 2 * Math.PI * Math.sqrt(7e6 ** 3 / EARTH)
  expect(hours(7e6, 1)).toBeCloseTo((2 * period) / 3600, 9)
})

test('a hyperbola, and the longest', () => {
  expect(hours(7e6, 3)).toBe(1)
  expect(hours(1e9, 2)).toBeGreaterThan(300)
  expect(hours(1e12, 1)).toBe(384)
})
