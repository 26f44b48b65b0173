/**
 * Law: an orbit's elements give its states back, the time between two directions is the time that
 * propagation takes, and a departure ends with the velocity that was asked for far away.
 */
import { createStateVector, keplerState } from '@orrery/sim'
import { describe, expect, it } from 'vitest'
import { conicOf, conicState, createConic, secondsBetween } from '../../src/orbits/conic.ts'
import { departureVelocity } from '../../src/orbits/departure.ts'

const GM = 3.986004418e14
const LOW = 7e6

const miss = (a: Float64Array, b: Float64Array): number =>
  Math.hypot(a[0] - b[0], a[1] - b[1], a[2] - b[2])

describe.each([0, 0.3, 0.9, 1.2, 3])('an orbit of eccentricity %f', (e) => {
  const speed = Math.sqrt((GM * (1 + e)) / LOW)
  const start = { r: Float64Array.of(0, LOW, 0), v: Float64Array.of(0.6 * speed, 0, 0.8 * speed) }
  const later = createStateVector()
  keplerState(later, start, GM, 1500)
  const conic = createConic()
  conicOf(conic, later, GM)

  it('has the elements that it was made with', () => {
    expect(conic.e).toBeCloseTo(e, 12)
    expect(conic.periapsis / LOW).toBeCloseTo(1, 12)
    expect(conic.a * (1 - e)).toBeCloseTo(LOW, 3)
  })

  it('gives its states back', () => {
    const found = createStateVector()
    const cosine = along(later.r, conic.ahead)
    const sine = along(later.r, conic.side)
    const length = Math.hypot(cosine, sine)
    conicState(found, conic, cosine / length, sine / length)
    expect(miss(found.r, later.r)).toBeLessThan(1e-5)
    expect(miss(found.v, later.v)).toBeLessThan(1e-8)
  })

  it('takes the time of propagation from one place to another', () => {
    expect(secondsBetween(conic, start.r, later.r)).toBeCloseTo(1500, 6)
    const back = secondsBetween(conic, later.r, start.r)
    // An open orbit has an infinite period.
    expect(Math.abs(1 / (back + 1500) - 1 / conic.period)).toBeLessThan(1e-14)
  })
})

function along(a: Float64Array, b: Float64Array): number {
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
}

it('departs with the velocity that is left far away', () => {
  const from = { r: Float64Array.of(LOW, 1e6, -5e5), v: new Float64Array(3) }
  const far = createStateVector()
  for (const excess of [
    [0, 3000, 0],
    [4000, -500, 2000],
    [-1500, 900, 100],
  ]) {
    const wanted = Float64Array.from(excess)
    expect(departureVelocity(from.v, from.r, GM, wanted)).toBe(true)
    keplerState(far, from, GM, 1e12)
    expect(miss(far.v, wanted)).toBeLessThan(1e-3)
  }
  const opposite = Float64Array.from(from.r, (x) => -x)
  expect(departureVelocity(from.v, from.r, GM, opposite)).toBe(false)
})
