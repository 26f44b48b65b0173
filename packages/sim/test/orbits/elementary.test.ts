// Law: exponential, logarithm, angle and Stumpff functions by arithmetic alone are the true ones
// to the last bits. Method: against the platform's, which are right to a last bit where tests run.
import { expect, test } from 'vitest'
import { angleOf } from '../../src/orbits/angle.ts'
import { exponential, logarithm } from '../../src/orbits/exponential.ts'
import { stumpff } from '../../src/orbits/stumpff.ts'

const COUNT = 20_000
/** Evenly spread over (0, 1), never a round number. */
const spread = (k: number): number => (k * 0.618_033_988_749_895) % 1

test('e^x is within 5e-16 of its value, ends of the range included', () => {
  let worst = 0
  for (let k = 0; k < COUNT; k++) {
    const x = -700 + 1400 * spread(k)
    worst = Math.max(worst, Math.abs(exponential(x) / Math.exp(x) - 1))
  }
  expect(worst).toBeLessThan(5e-16)
  expect([exponential(0), exponential(-1e9), exponential(1e9)]).toEqual([1, 0, Infinity])
})

test('ln x is within 5e-16 of its value, or of itself near 1', () => {
  let worst = 0
  for (let k = 0; k < COUNT; k++) {
    const x = (1 + spread(k)) * 2 ** (Math.floor(2000 * spread(7 * k + 1)) - 1000)
    const near = 1 + 0.5 * (spread(k) - 0.5)
    worst = Math.max(worst, Math.abs(logarithm(x) / Math.log(x) - 1))
    worst = Math.max(worst, Math.abs(logarithm(near) - Math.log(near)))
  }
  expect(worst).toBeLessThan(5e-16)
  expect(logarithm(1)).toBe(0)
})

test('the angle of a plane vector is within two last bits, in the vector’s quadrant', () => {
  let worst = 0
  for (let k = 0; k < COUNT; k++) {
    const angle = Math.PI * (2 * spread(k) - 1)
    const [x, y] = [1e11 * Math.cos(angle), 1e11 * Math.sin(angle)]
    worst = Math.max(worst, Math.abs(angleOf(x, y) - Math.atan2(y, x)))
  }
  expect(worst).toBeLessThan(1e-15)
  expect(angleOf(-1, 0)).toBe(Math.PI)
  expect(angleOf(0, -2)).toBeCloseTo(-Math.PI / 2, 15)
})

test('Stumpff functions are the circular and hyperbolic ones', () => {
  const c = new Float64Array(4)
  let worst = 0
  for (let k = 0; k < COUNT; k++) {
    const root = 2 * Math.PI * spread(k) + 0.5
    const square = root * root
    stumpff(c, square)
    const [cosine, sine] = [Math.cos(root), Math.sin(root)]
    worst = Math.max(worst, Math.abs(c[0] - cosine), Math.abs(c[1] - sine / root))
    worst = Math.max(worst, Math.abs(c[2] - (1 - cosine) / square))
    worst = Math.max(worst, Math.abs(c[3] - (1 - sine / root) / square))
    stumpff(c, -square)
    worst = Math.max(worst, Math.abs(c[0] / Math.cosh(root) - 1))
    worst = Math.max(worst, Math.abs((c[1] * root) / Math.sinh(root) - 1))
  }
  expect(worst).toBeLessThan(5e-15)
  stumpff(c, 0)
  expect([...c]).toEqual([1, 1, 1 / 2, 1 / 6])
})
