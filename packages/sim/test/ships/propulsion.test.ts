/**
 * Law: thrust costs fuel, and what it gives is the rocket equation's. Goal: a full burn in free
 * space gains v_e ln(m0/m1) to a millionth, the tank ends at exactly zero, and the mass with it.
 */
import { COURIER, ORDERS_THRUST, advanceChunk } from '@orrery/sim'
import { expect, it } from 'vitest'
import { launchAt, twoBodyFlight } from './two-body-field.ts'

// So far out that the body's pull changes nothing in the digits that are compared.
const FAR = 1e13

it('burns the tank empty, to the Δv of the rocket equation', () => {
  const flight = twoBodyFlight(1024)
  launchAt(flight, 0, [0, FAR, 0], [0, 0, 0])
  const { ships, chunk, orders } = flight.state
  chunk.chunkOrderEnd[0] = 1
  orders.orderIndex[0] = 4
  orders.orderFields[0] = ORDERS_THRUST
  orders.orderThrustLevel[0] = 1
  advanceChunk(flight, 0, 64 * 100)
  const fuelAtHundred = ships.fuel[0]
  expect(fuelAtHundred).toBeLessThan(COURIER.fuelCapacity)
  expect(fuelAtHundred).toBeGreaterThan(0)
  advanceChunk(flight, 0, 64 * 900)
  expect(ships.fuel[0]).toBe(0)
  expect(ships.force.subarray(0, 3)).toEqual(Float64Array.of(0, 0, 0))
  const full = COURIER.dryMass + COURIER.fuelCapacity
  const gain = COURIER.exhaustVelocity * Math.log(full / COURIER.dryMass)
  expect(ships.velocity[0] / gain).toBeCloseTo(1, 6)
})
