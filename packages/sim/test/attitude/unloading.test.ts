/**
 * Law: thrusters unload wheels at a cost. Above 0.8 of its capacity a wheel is brought to 0.2;
 * attitude and rate of the hull stay; the momentum changes by what the thrusters give, and the
 * fuel by that over lever arm and exhaust velocity. Without fuel, or where the pilot forbids it,
 * nothing is given, and a hull that its wheels cannot hold is let go.
 */
import {
  COURIER,
  FREE,
  LOCKED,
  POINTINGS,
  type HullColumns,
  type Hulls,
  TURNING,
  advanceChunk,
  bodyRate,
  launch,
  settleAttitude,
  wheelSaturation,
} from '@orrery/sim'
import { describe, expect, it } from 'vitest'
import { GM, launchAt, twoBodyFlight } from '../field/two-body-field.ts'
import { hullAtRest, dice, spinHull, toInertial } from '../hull.ts'

const SEED = 7_919
const NO_AIM = new Float64Array(6)
const CAPACITY = COURIER.wheelCapacity

const rate = new Float64Array(3)

function hullRate({ attitude, angularMomentum, wheelMomentum }: HullColumns): number[] {
  bodyRate(rate, attitude, angularMomentum, wheelMomentum, 0, COURIER.inertia)
  return [...rate]
}

/** A hull that turns, its wheels filled to given shares of their capacity. */
function loadedHull(shares: readonly number[], fuel: number, attitude: number[]): Hulls {
  const ships = hullAtRest()
  ships.attitude.set(attitude)
  ships.fuel[0] = fuel
  ships.attitudeMode[0] = TURNING
  ships.pointing[0] = POINTINGS.indexOf('rest')
  const wheels = shares.map((share, axis) => share * CAPACITY[axis])
  spinHull(ships, COURIER, [0.01, -0.02, 0.03], wheels)
  return ships
}

it(`transfers the stated momentum for the stated fuel, seed ${SEED}`, () => {
  const { unit, direction } = dice(SEED)
  for (let i = 0; i < 500; i++) {
    const shares = [0, 1, 2].map(() => 2 * unit() - 1)
    const ships = loadedHull(shares, 100, direction(4))
    const rateBefore = hullRate(ships)
    const momentum = [...ships.angularMomentum]
    const attitude = [...ships.attitude]
    expect(settleAttitude(ships, COURIER, 0, 0, NO_AIM)).toBe(TURNING)
    const given = shares.map((share, axis) =>
      Math.abs(share) > 0.8 ? CAPACITY[axis] * (0.2 * Math.sign(share) - share) : 0,
    )
    for (let axis = 0; axis < 3; axis++) {
      const share = Math.abs(shares[axis]) > 0.8 ? 0.2 * Math.sign(shares[axis]) : shares[axis]
      expect(ships.wheelMomentum[axis] / CAPACITY[axis]).toBeCloseTo(share, 14)
      expect(hullRate(ships)[axis]).toBeCloseTo(rateBefore[axis], 15)
      const gain = ships.angularMomentum[axis] - momentum[axis]
      expect(gain - toInertial(attitude, given)[axis]).toBeCloseTo(0, 10)
      expect(gain !== 0).toBe(given.some((x) => x !== 0))
    }
    expect([...ships.attitude]).toEqual(attitude)
    const { thrusterArm, thrusterExhaustVelocity } = COURIER
    const cost = Math.hypot(...given) / (thrusterArm * thrusterExhaustVelocity)
    expect(ships.fuel[0]).toBeCloseTo(100 - cost, 13)
  }
})

it('unloads as far as the fuel goes', () => {
  const ships = loadedHull([0, 0.9, 0], 0.5, [1, 0, 0, 0])
  settleAttitude(ships, COURIER, 0, 0, NO_AIM)
  expect(ships.fuel[0]).toBe(0)
  const { thrusterArm, thrusterExhaustVelocity } = COURIER
  const given = 0.5 * thrusterArm * thrusterExhaustVelocity
  expect(ships.wheelMomentum[1]).toBeCloseTo(0.9 * CAPACITY[1] - given, 10)
})

describe('a hull whose momentum is more than its wheels hold', () => {
  const load = [9000, 1000, 0]

  /** Flies a ship that drifts with a momentum, and is ordered to `rest`. */
  const flown = (fuel: number, wheelsKept = 0): HullColumns => {
    const flight = twoBodyFlight(256)
    const { ships } = flight.state
    launchAt(flight, 0, [7e6, 0, 0], [0, Math.sqrt(GM / 7e6), 0])
    ships.angularMomentum.set(load)
    ships.fuel[0] = fuel
    ships.wheelsKept[0] = wheelsKept
    ships.attitudeMode[0] = TURNING
    ships.pointing[0] = POINTINGS.indexOf('rest')
    launch(flight, 0, 0)
    advanceChunk(flight, 0, 64 * 200)
    return ships
  }

  it('stops its rotation at the cost of fuel', () => {
    const ships = flown(50)
    expect(ships.attitudeMode[0]).toBe(LOCKED)
    expect(Math.hypot(...hullRate(ships))).toBeLessThan(1e-15)
    expect(ships.fuel[0]).toBeLessThan(50)
    expect(Math.hypot(...ships.angularMomentum.subarray(0, 3))).toBeLessThan(9000)
  })

  it.each([
    [0, 0],
    [50, 1],
  ])('is let go with %d kg, unloading off %d, its wheel full', (fuel, wheelsKept) => {
    const ships = flown(fuel, wheelsKept)
    expect(ships.fuel[0]).toBe(fuel)
    expect(ships.attitudeMode[0]).toBe(FREE)
    expect(wheelSaturation(ships.wheelMomentum, 0, 0, COURIER)).toBe(1)
    expect([...ships.angularMomentum.subarray(0, 3)]).toEqual(load)
    // 3,000 N m s are left to the hull.
    expect(Math.hypot(...hullRate(ships))).toBeGreaterThan(0.01)
  })
})

it.each([
  { name: 'unloads', fuel: 50, mode: LOCKED },
  { name: 'lets go', fuel: 0, mode: FREE },
])('$name when the orbit turns the momentum onto a smaller wheel', ({ fuel, mode }) => {
  const flight = twoBodyFlight(3100)
  const { ships } = flight.state
  const momentum = [0, 9000, 0]
  const kept = (): boolean => momentum.every((x, axis) => ships.angularMomentum[axis] === x)
  launchAt(flight, 0, [0, 7e6, 0], [-Math.sqrt(GM / 7e6), 0, 0])
  // Prograde, +z up: a momentum along +y, on the large wheel, is along +x a quarter orbit later.
  ships.attitude.set([0, 0, Math.SQRT1_2, Math.SQRT1_2])
  ships.pointing[0] = POINTINGS.indexOf('prograde')
  ships.attitudeMode[0] = TURNING
  ships.fuel[0] = fuel
  ships.angularMomentum.set(momentum)
  ships.wheelMomentum.set([0, 0, 9000])
  launch(flight, 0, 0)
  advanceChunk(flight, 0, 64 * 400)
  expect(ships.attitudeMode[0]).toBe(LOCKED)
  expect(kept()).toBe(true)
  advanceChunk(flight, 0, 64 * 3000)
  expect(ships.attitudeMode[0]).toBe(mode)
  expect(kept()).toBe(fuel === 0)
  expect(ships.fuel[0] < fuel).toBe(fuel > 0)
  for (let axis = 0; axis < 3; axis++) {
    expect(Math.abs(ships.wheelMomentum[axis])).toBeLessThanOrEqual(CAPACITY[axis])
  }
})
