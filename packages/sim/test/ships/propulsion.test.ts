/**
 * Law: thrust costs fuel, and what it gives is the rocket equation's. Goal: a full burn in free
 * space gains v_e ln(m0/m1), the payload being a part of both masses, the step in which the tank
 * runs dry exactly its part of it; and in gravity, turning or not, ship and exhaust together gain
 * no momentum but gravity's, and lose no mass.
 */
import {
  COURIER,
  ORDERS_ATTITUDE,
  ORDERS_THRUST,
  type Flight,
  advanceChunk,
  createStateVector,
  loadShip,
  segmentState,
  shipClassOf,
  startPull,
} from '@orrery/sim'
import { describe, expect, it } from 'vitest'
import { openHull } from './open-hull.ts'
import { GM, launchAt, twoBodyFlight } from '../field/two-body-field.ts'

// So far out that the body's pull changes nothing in the digits that are compared.
const FAR = 1e13
const LOW = 6.778e6

const { dryMass, fuelCapacity, exhaustVelocity, thrustMax } = COURIER

describe.each([
  { payload: 0, thrust: 1 },
  { payload: Math.fround(12_345.678), thrust: 1 },
  { payload: 0, thrust: 0.75 },
])(
  'a full burn in free space with $payload kg aboard and $thrust of the thrust',
  ({ payload, thrust }) => {
    const flight = burning([0, FAR, 0], [0, 0, 0], 1, false)
    const { ships } = flight.state
    loadShip(flight, 0, 0, { payload, thrust })
    const empty = dryMass + payload
    const acceleration = startPull(ships, 0, shipClassOf(flight.state, 0), 0) - ships.gravity[0]
    const lastStep = { fuel: 0, gain: 0, level: 0 }
    while (ships.stepEnd[0] < (64 * 900) / thrust) {
      const { endFuel, force } = openHull(ships, 0)
      if (ships.fuel[0] > 0 && endFuel === 0) {
        lastStep.fuel = ships.fuel[0]
        lastStep.level = force[0] / thrustMax
        lastStep.gain =
          ships.endVelocity[0] -
          ships.velocity[0] +
          (ships.endVelocityLow[0] - ships.velocityLow[0])
      }
      advanceChunk(flight, 0, ships.stepEnd[0])
    }

    it('ends with an empty tank, the engine off, at the Δv of the rocket equation', () => {
      expect(ships.fuel[0]).toBe(0)
      expect(openHull(ships, 0).force).toEqual([0, 0, 0])
      expect(acceleration).toBe((thrust * thrustMax) / (empty + fuelCapacity))
      const gain = exhaustVelocity * Math.log((empty + fuelCapacity) / empty)
      expect(Math.abs(ships.velocity[0] / gain - 1)).toBeLessThan(1e-14)
    })

    it('throttles its last step to exactly the fuel that is left', () => {
      expect(lastStep.level).toBeGreaterThan(0)
      expect(lastStep.level).toBeLessThan(1)
      const gain = exhaustVelocity * Math.log1p(lastStep.fuel / empty)
      expect(Math.abs(lastStep.gain / gain - 1)).toBeLessThan(1e-13)
    })
  },
)

describe.each([
  { name: 'in free space', position: [0, FAR, 0], thrustLevel: 1, turning: false },
  { name: 'in a low orbit', position: [LOW, 0, 0], thrustLevel: 1, turning: false },
  { name: 'throttled in a low orbit', position: [LOW, 0, 0], thrustLevel: 0.3, turning: false },
  { name: 'turning in a low orbit', position: [LOW, 0, 0], thrustLevel: 1, turning: true },
])('a burn $name', ({ position, thrustLevel, turning }) => {
  const speed = Math.sqrt(GM / Math.hypot(...position))
  const flight = burning(position, [0, 0, speed], thrustLevel, turning)
  const { ships } = flight.state
  const ledger = { momentum: [0, 0, 0], exchanged: 0, propellant: 0, burned: 0, forceError: 0 }
  while (ships.stepEnd[0] < 64 * 500) {
    book(ledger, flight)
    advanceChunk(flight, 0, ships.stepEnd[0])
  }

  it('gives ship and exhaust together the momentum of gravity alone', () => {
    expect(ledger.exchanged).toBeGreaterThan(0)
    expect(Math.hypot(...ledger.momentum) / ledger.exchanged).toBeLessThan(1e-12)
  })

  it('turns the ship’s mass into exhaust at the rate of its thrust', () => {
    expect(ledger.forceError).toBeLessThan(1e-14)
    expect(ships.fuel[0] + ledger.propellant).toBeCloseTo(fuelCapacity, 8)
    const wanted = (thrustLevel * thrustMax * ledger.burned) / exhaustVelocity
    // The step that empties the tank counts whole, though its engine is throttled.
    expect(ledger.propellant).toBeLessThanOrEqual(wanted + 1e-8)
    expect(ledger.propellant).toBeGreaterThan(Math.min(fuelCapacity, wanted) - 1e-8)
  })
})

interface Ledger {
  /** of ship and exhaust, less gravity's impulse [N s] */
  momentum: number[]
  /** sum of the impulses, each without its sign [N s] */
  exchanged: number
  /** [kg] */
  propellant: number
  /** engine on [s] */
  burned: number
  /** force against exhaust per second times its speed, relative */
  forceError: number
}

/**
 * Books the open step: what the ship gained, what its exhaust took along (it leaves at the
 * ship's velocity less v_e along the force, and evenly in time, so the ship's part of it is the
 * way flown), and gravity's impulse by Gauss's rule over the shown trajectory.
 */
function book(ledger: Ledger, { state }: Flight): void {
  const { ships } = state
  const h = (ships.stepEnd[0] - ships.stepStart[0]) / 64
  const mass = dryMass + ships.fuel[0]
  const { endFuel, force } = openHull(ships, 0)
  const spent = ships.fuel[0] - endFuel
  const gravity = gravityImpulse(state.ships, mass, spent, h)
  for (let axis = 0; axis < 3; axis++) {
    const endV = ships.endVelocity[axis] + ships.endVelocityLow[axis]
    const startV = ships.velocity[axis] + ships.velocityLow[axis]
    const ship = (mass - spent) * endV - mass * startV
    const flown = ships.endPosition[axis] - ships.position[axis]
    const exhaust = (spent / h) * flown - force[axis] * h
    ledger.momentum[axis] += ship + exhaust - gravity[axis]
  }
  ledger.exchanged += Math.hypot(...force) * h + Math.hypot(...gravity)
  ledger.propellant += spent
  if (spent === 0) return
  ledger.burned += h
  const error = Math.abs(Math.hypot(...force) / ((spent / h) * exhaustVelocity) - 1)
  ledger.forceError = Math.max(ledger.forceError, error)
}

/** Abscissae on [-1, 1] and weights of Gauss's rule with five points. */
const GAUSS = [
  [-0.906179845938664, 0.23692688505618908],
  [-0.5384693101056831, 0.47862867049936647],
  [0, 0.5688888888888889],
  [0.5384693101056831, 0.47862867049936647],
  [0.906179845938664, 0.23692688505618908],
]

function gravityImpulse(
  ships: Flight['state']['ships'],
  mass: number,
  spent: number,
  h: number,
): number[] {
  const state = createStateVector()
  const { r } = state
  const impulse = [0, 0, 0]
  for (const [x, weight] of GAUSS) {
    const passed = (1 + x) / 2
    segmentState(state, ships, 0, COURIER, ships.stepStart[0], passed * h * 64)
    const pull = (-GM * (mass - passed * spent)) / Math.hypot(...r) ** 3
    for (let axis = 0; axis < 3; axis++) impulse[axis] += (weight / 2) * h * pull * r[axis]
  }
  return impulse
}

/** A ship that is ordered at once to burn, and to turn on the way. */
function burning(
  position: readonly number[],
  velocity: readonly number[],
  thrustLevel: number,
  turning: boolean,
): Flight {
  const flight = twoBodyFlight(1024)
  launchAt(flight, 0, position, velocity)
  const { chunk, orders } = flight.state
  orders.orderIndex[0] = 4
  orders.orderFields[0] = turning ? ORDERS_THRUST + ORDERS_ATTITUDE : ORDERS_THRUST
  orders.orderThrustLevel[0] = thrustLevel
  orders.orderAttitude.set([1, 1, -1, 0.5])
  chunk.chunkOrderEnd[0] = 1
  advanceChunk(flight, 0, 4)
  return flight
}
