/**
 * Law: with a throttle so low that a burn takes revolutions, set_orbit ends on the wanted orbit,
 * for at most a fifth more Δv than a spiral between circles takes. It coasts where thrust does
 * little, and its samples say so.
 */
import {
  ACTIVITIES,
  ELEMENTS,
  type Flight,
  ORDERS_MANEUVER,
  type ShipEvent,
  advanceChunk,
  equinoctialElements,
  takeEvents,
} from '@orrery/sim'
import { expect, it } from 'vitest'
import { GM, launchAt, twoBodyFlight } from '../field/two-body-field.ts'

const DAYS = 5
const SECONDS = 86_400
const RADIUS = 7e6

/** @param params  see `maneuver-order.ts` */
function fly(params: readonly number[]): { flight: Flight; events: ShipEvent[] } {
  const flight = twoBodyFlight(DAYS * SECONDS)
  const { chunk, orders } = flight.state
  launchAt(flight, 0, [RADIUS, 0, 0], [0, Math.sqrt(GM / RADIUS), 0])
  chunk.chunkOrderBegin[0] = 0
  chunk.chunkOrderEnd[0] = 1
  orders.orderIndex[0] = 64
  orders.orderSlot[0] = 0
  orders.orderFields[0] = ORDERS_MANEUVER
  orders.orderActivity[0] = ACTIVITIES.indexOf('set_orbit')
  orders.orderTimeout[0] = DAYS * SECONDS
  orders.orderParams.set(params)
  const events: ShipEvent[] = []
  const ended = (): boolean => events.some(({ kind }) => kind === 'maneuver_completed')
  for (let n = 0; n < 64 * SECONDS * (DAYS - 1) && !ended(); n += 64 * 4096) {
    advanceChunk(flight, 0, n + 64 * 4096)
    events.push(...takeEvents(flight.state).events)
  }
  return { flight, events }
}

it.each([
  { name: 'a higher circle', a: 7.6e6, e: 0, tilt: 0, throttle: 0.003, deltaV: 370 },
  { name: 'a tilted one', a: 7.1e6, e: 0, tilt: 0.05, throttle: 0.006, deltaV: 480 },
  { name: 'an ellipse', a: 7.4e6, e: 0.05, tilt: 0, throttle: 0.004, deltaV: 280 },
])('spirals to $name', ({ a, e, tilt, throttle, deltaV }) => {
  const { flight, events } = fly([a, e, Math.cos(tilt), Math.sin(tilt), 0, 0, throttle])
  const { state } = flight
  const [ship] = state.classes
  const { position, velocity, fuel } = state.ships
  expect(events.at(-1)?.kind).toBe('maneuver_completed')
  const elements = new Float64Array(ELEMENTS)
  const orbit = { r: position.slice(0, 3), v: velocity.slice(0, 3) }
  equinoctialElements(elements, orbit, GM)
  expect(Math.abs(elements[0] / a - 1)).toBeLessThan(1e-3)
  expect(Math.abs(Math.hypot(elements[1], elements[2]) - e)).toBeLessThan(2e-3)
  expect(Math.abs(2 * Math.atan(Math.hypot(elements[3], elements[4])) - tilt)).toBeLessThan(4e-4)
  const spent = ship.exhaustVelocity * Math.log(30_000 / (20_000 + fuel[0]))
  expect(spent).toBeLessThan(deltaV)
  expect(new Set(events.map(({ plan }) => plan?.phase))).toEqual(new Set(['thrusting', 'coasting']))
  const samples = events.filter(({ kind }) => kind === 'maneuver_sample')
  expect(samples.length).toBeGreaterThan(50)
  for (const { plan } of samples) {
    expect(plan?.effectivity).toBeGreaterThanOrEqual(0)
    expect(plan?.effectivity).toBeLessThanOrEqual(1)
    expect(plan?.errors.slice(0, 3)).not.toContain(null)
  }
})
