/**
 * Law: a hull that is ordered to turn at a rate about its own axes reaches it and keeps it: its
 * attitude is the exact rotation, in steps as long as its orbit allows, and its momentum stays to
 * the bit. The thrust turns with the nose. A hull whose wheels cannot hold the rate is let go.
 */
import {
  COURIER,
  FREE,
  type Flight,
  LOCKED,
  ORDERS_ATTITUDE,
  ORDERS_THRUST,
  SPIN,
  advanceChunk,
  bodyRate,
  createStateVector,
  segmentAttitude,
} from '@orrery/sim'
import { expect, it } from 'vitest'
import { GM, launchAt, twoBodyFlight } from '../field/two-body-field.ts'
import { angleBetween, dice } from '../hull.ts'

const SEED = 31_337
const ANYWHERE = createStateVector()

function orderRate(flight: Flight, slot: number, rate: readonly number[], throttle = 0): void {
  const { chunk, orders } = flight.state
  const row = chunk.chunkOrderEnd[0]++
  orders.orderIndex[row] = 4
  orders.orderSlot[row] = slot
  orders.orderFields[row] = ORDERS_ATTITUDE + ORDERS_THRUST
  orders.orderThrustLevel[row] = throttle
  orders.orderPointing[row] = SPIN
  orders.orderAttitude.set([...rate, 0], 4 * row)
}

function shown(flight: Flight, slot: number, n: number): Float64Array {
  const q = new Float64Array(4)
  segmentAttitude(q, flight, slot, ANYWHERE, n, 0)
  return q
}

/** q ⊗ the turn by a rate over some seconds. */
function turned([w, x, y, z]: Float64Array, rate: readonly number[], seconds: number): number[] {
  const omega = Math.hypot(...rate)
  const sine = Math.sin((omega * seconds) / 2) / omega
  const [a, b, c] = rate.map((part) => part * sine)
  const d = Math.cos((omega * seconds) / 2)
  return [
    w * d - x * a - y * b - z * c,
    w * a + x * d + y * c - z * b,
    w * b + y * d + z * a - x * c,
    w * c + z * d + x * b - y * a,
  ]
}

it(`is an exact rotation, seed ${SEED}`, () => {
  const { unit, direction } = dice(SEED)
  const flight = twoBodyFlight(3000)
  const { ships } = flight.state
  const rates = Array.from({ length: 12 }, () => direction(3).map((part) => 0.03 * unit() * part))
  for (const [slot, rate] of rates.entries()) {
    launchAt(flight, slot, [7e6, 0, 0], [0, Math.sqrt(GM / 7e6), 0])
    ships.attitude.set(direction(4), 4 * slot)
    ships.angularMomentum.set(
      direction(3).map((part) => 600 * part),
      3 * slot,
    )
    orderRate(flight, slot, rate)
  }
  const [begin, end] = [64 * 150, 64 * 2150]
  advanceChunk(flight, 0, begin)
  const before = rates.map((_, slot) => shown(flight, slot, begin))
  const momentum = ships.angularMomentum.slice()
  advanceChunk(flight, 0, end)
  for (const [slot, rate] of rates.entries()) {
    expect(ships.attitudeMode[slot]).toBe(LOCKED)
    expect(ships.stepEnd[slot] - ships.stepStart[slot]).toBeGreaterThanOrEqual(64)
    const expected = turned(before[slot], rate, 2000)
    expect(angleBetween(shown(flight, slot, end), expected)).toBeLessThan(1e-11)
  }
  expect(ships.angularMomentum).toEqual(momentum)
  expect(ships.fuel.subarray(0, rates.length).every((kg) => kg === COURIER.fuelCapacity)).toBe(true)
})

it('takes the thrust round', () => {
  const flight = twoBodyFlight(512)
  const { ships } = flight.state
  launchAt(flight, 0, [1e15, 0, 0], [0, 0, 0])
  const seconds = 200
  orderRate(flight, 0, [0, 0, (2 * Math.PI) / seconds], 0.001)
  const velocity = (n: number): number[] => {
    advanceChunk(flight, 0, n)
    expect(ships.stepStart[0]).toBe(n)
    return [...ships.velocity.subarray(0, 3)]
  }
  const begin = 64 * 100
  const before = velocity(begin)
  const after = velocity(begin + 64 * seconds)
  const gain = Math.hypot(...after.map((part, axis) => part - before[axis]))
  const spent = (0.001 * COURIER.thrustMax * seconds) / (COURIER.dryMass + COURIER.fuelCapacity)
  expect(gain / spent).toBeLessThan(1e-4)
})

it.each([
  { name: 'holds', wheelsKept: 0, mode: LOCKED },
  { name: 'lets go', wheelsKept: 1, mode: FREE },
])('$name what only unloaded wheels can hold', ({ wheelsKept, mode }) => {
  const flight = twoBodyFlight(512)
  const { ships } = flight.state
  launchAt(flight, 0, [7e6, 0, 0], [0, Math.sqrt(GM / 7e6), 0])
  ships.wheelsKept[0] = wheelsKept
  ships.angularMomentum[0] = 4000
  ships.wheelMomentum[0] = 4000
  orderRate(flight, 0, [-0.03, 0, 0])
  advanceChunk(flight, 0, 64 * 200)
  expect(ships.attitudeMode[0]).toBe(mode)
  const rate = new Float64Array(3)
  const { attitude, angularMomentum, wheelMomentum } = ships
  bodyRate(rate, attitude, angularMomentum, wheelMomentum, 0, COURIER.inertia)
  expect(Math.abs(rate[0] + 0.03) < 1e-12).toBe(mode === LOCKED)
})
