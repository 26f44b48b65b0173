/**
 * Law: a burn that is ordered for a Δv or a time stops by itself. The ship then has the velocity
 * that Tsiolkovsky's equation gives to the fuel, to 1e-9 of it, whatever steps it takes, and its
 * pilot is notified once.
 */
import {
  COURIER,
  type Flight,
  ORDERS_DELTA_V,
  ORDERS_SECONDS,
  ORDERS_THRUST,
  QUANTA_PER_SECOND,
  advanceChunk,
  takeEvents,
} from '@orrery/sim'
import { expect, it } from 'vitest'
import { launchAt, twoBodyFlight } from '../field/two-body-field.ts'

/** So far out that gravity adds less than 1e-12 m/s. */
const FAR = 1e15

function burnt(field: number, amount: number, throttle: number, fuel: number): Flight {
  const flight = twoBodyFlight(1024)
  const { chunk, orders, ships } = flight.state
  launchAt(flight, 0, [FAR, 0, 0], [0, 0, 0])
  ships.fuel[0] = fuel
  orders.orderIndex[0] = 64
  orders.orderSlot[0] = 0
  orders.orderFields[0] = ORDERS_THRUST + field
  orders.orderThrustLevel[0] = throttle
  orders.orderBurn[0] = amount
  chunk.chunkOrderBegin[0] = 0
  chunk.chunkOrderEnd[0] = 1
  advanceChunk(flight, 0, 900 * QUANTA_PER_SECOND)
  return flight
}

it.each([
  [0.001, 1],
  [1, 0.01],
  [250, 0.3],
  [3100, 1],
])('spends %d m/s at throttle %d', (deltaV, throttle) => {
  const { state } = burnt(ORDERS_DELTA_V, deltaV, throttle, COURIER.fuelCapacity)
  const { ships } = state
  expect(takeEvents(state).events).toMatchObject([{ kind: 'burn_ended' }])
  expect(ships.thrustLevel[0]).toBe(0)
  expect(ships.fuelFloor[0]).toBe(0)
  expect(Math.abs(ships.velocity[0] - deltaV)).toBeLessThan(1e-9 * deltaV + 1e-12)
  const ratio = Math.exp(deltaV / COURIER.exhaustVelocity)
  const mass = COURIER.dryMass + COURIER.fuelCapacity
  expect(Math.abs(ships.fuel[0] + COURIER.dryMass - mass / ratio)).toBeLessThan(1e-9)
})

it('burns for a time', () => {
  const { ships } = burnt(ORDERS_SECONDS, 100, 0.5, COURIER.fuelCapacity).state
  const used = (0.5 * COURIER.thrustMax * 100) / COURIER.exhaustVelocity
  expect(ships.thrustLevel[0]).toBe(0)
  expect(ships.fuel[0]).toBeCloseTo(COURIER.fuelCapacity - used, 9)
})

it.each([0.25, 1, 7.5, 100])('stops the engine after %d s, to the quantum', (seconds) => {
  const flight = burnt(ORDERS_SECONDS, seconds, 1, COURIER.fuelCapacity)
  const { events } = takeEvents(flight.state)
  expect(events).toMatchObject([{ kind: 'burn_ended', index: 64 + seconds * QUANTA_PER_SECOND }])
})

it('ends with an empty tank where the fuel does not suffice', () => {
  const { state } = burnt(ORDERS_DELTA_V, 1e6, 1, 10)
  expect(state.ships.fuel[0]).toBe(0)
  expect(takeEvents(state).events).toMatchObject([{ kind: 'burn_ended' }])
})
