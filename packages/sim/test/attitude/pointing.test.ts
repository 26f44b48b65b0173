/**
 * Law: wheels turn a hull without touching its total angular momentum. Goal: any target is
 * reached and held, the momentum's bits never change, and the quaternion stays a unit.
 */
import { COURIER, ORDERS_ATTITUDE, advanceChunk, bodyRate } from '@orrery/sim'
import { describe, expect, it } from 'vitest'
import { GM, launchAt, twoBodyFlight } from '../ships/two-body-field.ts'

const SECONDS = 300

describe.each([
  { name: 'a small turn', target: [1, 0.001, 0, 0] },
  { name: 'a quarter turn', target: [1, 0, 1, 0] },
  { name: 'half a turn', target: [0, 0, 0, 1] },
  { name: 'a turn about a skew axis, the long quaternion', target: [-0.2, 0.9, -0.5, 0.3] },
])('$name', ({ target }) => {
  it.each([
    { name: 'a hull at rest', momentum: [0, 0, 0] },
    { name: 'a hull that tumbles', momentum: [300, -900, 700] },
  ])('of $name arrives and is held', ({ momentum }) => {
    const flight = twoBodyFlight(SECONDS + 64)
    launchAt(flight, 0, [7e6, 0, 0], [0, Math.sqrt(GM / 7e6), 0])
    const { ships, chunk, orders } = flight.state
    ships.angularMomentum.set(momentum)
    orders.orderIndex[0] = 4
    orders.orderFields[0] = ORDERS_ATTITUDE
    orders.orderAttitude.set(target)
    chunk.chunkOrderEnd[0] = 1
    const length = Math.hypot(...target)
    let turned = 0
    for (let n = 64; n <= 64 * SECONDS; n += 64) {
      advanceChunk(flight, 0, n)
      if (ships.attitudeMode[0] === 1) turned++
      expect(Math.hypot(...ships.attitude.subarray(0, 4))).toBeCloseTo(1, 14)
    }
    expect(turned).toBeGreaterThan(1)
    expect(ships.attitudeMode[0]).toBe(0)
    for (let i = 0; i < 4; i++) expect(ships.attitude[i]).toBeCloseTo(target[i] / length, 15)
    expect([...ships.angularMomentum.subarray(0, 3)]).toEqual(momentum)
    const rate = new Float64Array(3)
    bodyRate(rate, ships.attitude, ships.angularMomentum, ships.wheelMomentum, 0, COURIER.inertia)
    expect(Math.hypot(...rate)).toBeLessThan(1e-15)
    for (let axis = 0; axis < 3; axis++) {
      expect(Math.abs(ships.wheelMomentum[axis])).toBeLessThanOrEqual(COURIER.wheelCapacity[axis])
    }
  })
})
