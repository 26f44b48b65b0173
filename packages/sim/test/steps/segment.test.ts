/**
 * Law: between a step's ends the shown trajectory is the integrated one. Goal: within 1 mm, or
 * 2e-11 of the distance to the body if that is more, everywhere on orbits and flybys about a
 * sphere and an oblate Earth, coasting and under thrust. Method: at seven places of each step the
 * segment against the same method's step from the same start that ends just there. Its velocity
 * and acceleration are the derivatives of its position.
 */
import {
  COURIER,
  HULL,
  ORDERS_THRUST,
  SHIP_COLUMNS,
  type Flight,
  type Oblateness,
  advanceChunk,
  createStateVector,
  segmentAcceleration,
  segmentState,
} from '@orrery/sim'
import { createChance } from '@orrery/testkit/chance'
import { byTier } from '@orrery/testkit/tier'
import { describe, expect, it } from 'vitest'
import { stepMethod } from '../../src/ships/step.ts'
import { openHull } from '../ships/open-hull.ts'
import {
  type TestOrbit,
  launchInbound,
  launchOn,
  orbitalPeriod,
  stepAlone,
} from '../ships/orbits.ts'
import { OBLATENESS, RADIUS, twoBodyFlight } from '../field/two-body-field.ts'

/** A slot of another chunk, for steps that are made and not flown. */
const SPARE = 256

const orbit = (eccentricity: number): TestOrbit => ({
  perigee: 6.778e6,
  eccentricity,
  inclination: 0.9,
})

describe.each<{ field: string; oblateness?: Oblateness }>([
  { field: 'a sphere' },
  { field: 'an oblate Earth', oblateness: OBLATENESS },
])('about $field', ({ oblateness }) => {
  it.each([0.001, 0.3, 0.73])('agrees with the integration on an orbit of e = %d', (e) => {
    const seconds = orbitalPeriod(orbit(e))
    const flight = twoBodyFlight(seconds + 128, oblateness)
    launchOn(flight, 0, orbit(e))
    const { steps, share } = agreement(flight, seconds)
    expect(steps).toBeGreaterThan(100)
    expect(share).toBeLessThan(1)
  })

  it.each([0.05, 1])('agrees with the integration at thrust %d', (thrustLevel) => {
    const flight = twoBodyFlight(512, oblateness)
    launchOn(flight, 0, orbit(0.001))
    const { chunk, orders } = flight.state
    orders.orderIndex[0] = 4
    orders.orderFields[0] = ORDERS_THRUST
    orders.orderThrustLevel[0] = thrustLevel
    chunk.chunkOrderEnd[0] = 1
    // Long enough for the tank to run dry at full thrust.
    const { steps, share } = agreement(flight, 450)
    expect(steps).toBeGreaterThan(100)
    expect(share).toBeLessThan(1)
  })

  it.each([2e3, 5e4])('agrees with the integration on a flyby at %d m/s', (excessSpeed) => {
    const distance = byTier({ gate: Math.min(1e8, 1e4 * excessSpeed), night: 1e8 })
    const flight = twoBodyFlight((2 * distance) / excessSpeed + 128, oblateness)
    launchInbound(flight, 0, { excessSpeed, nearest: RADIUS + 1e5, distance })
    const { steps, share } = agreement(flight, (2 * distance) / excessSpeed)
    expect(steps).toBeGreaterThan(100)
    expect(share).toBeLessThan(1)
  })
})

describe('any step', () => {
  const flight = twoBodyFlight(64)
  const { ships } = flight.state
  const { share } = createChance(31)
  const random = (): number => 2 * share() - 1
  const [START, END] = [640, 640 + 128]
  for (const { name, components } of SHIP_COLUMNS) {
    for (let i = 0; i < components; i++) ships[name][i] = 1000 * random()
  }
  ships.stepStart[0] = START
  ships.stepEnd[0] = END
  ships.fuel[0] = 9000
  ships.hullRow[0] = 1
  ships.hullStep[HULL.endFuel] = 5000
  const at = (n: number): number[][] => {
    const { r, v } = createStateVector()
    const a = new Float64Array(3)
    segmentState({ r, v }, ships, 0, COURIER, n, 0)
    segmentAcceleration(a, ships, 0, COURIER, n)
    return [r, v, a].map((triple) => [...triple])
  }
  const distance = (a: number[], b: number[]): number => Math.hypot(...a.map((x, i) => x - b[i]))

  it('starts and ends with the place, velocity and acceleration of its ends', () => {
    const { position, velocity, gravity, endPosition, endVelocity, endGravity } = ships
    const { force } = openHull(ships, 0)
    const row = (column: Float64Array): number[] => [...column.subarray(0, 3)]
    const pull = (column: Float64Array, fuel: number): number[] =>
      row(column).map((g, i) => g + force[i] / (COURIER.dryMass + fuel))
    for (const [n, [r, v, a]] of [
      [START, [row(position), row(velocity), pull(gravity, 9000)]],
      [END, [row(endPosition), row(endVelocity), pull(endGravity, 5000)]],
    ] as const) {
      const shownAt = at(n)
      expect(distance(shownAt[0], r)).toBeLessThan(1e-9)
      expect(distance(shownAt[1], v)).toBeLessThan(1e-9)
      expect(distance(shownAt[2], a)).toBeLessThan(1e-9)
    }
  })

  it('moves by its velocity and acceleration, on a polynomial of degree five', () => {
    for (const n of [START + 20, START + 64, END - 20]) {
      const [b2, b1, f1, f2] = [n - 2, n - 1, n + 1, n + 2].map(at)
      const rate = (part: number): number[] =>
        [0, 1, 2].map((i) => {
          const near = f1[part][i] - b1[part][i]
          const far = f2[part][i] - b2[part][i]
          return (8 * near - far) / (12 / 64)
        })
      const [, v, a] = at(n)
      expect(distance(rate(0), v) / Math.hypot(...v)).toBeLessThan(1e-6)
      expect(distance(rate(1), a) / Math.hypot(...a)).toBeLessThan(1e-6)
    }
    const places = [0, 21, 42, 63, 84, 105, 126].map((passed) => at(START + passed)[0])
    const sixth = [1, -6, 15, -20, 15, -6, 1]
    for (const axis of [0, 1, 2]) {
      const rest = places.reduce((sum, r, k) => sum + sixth[k] * r[axis], 0)
      expect(Math.abs(rest)).toBeLessThan(1e-9)
    }
  })
})

/** The worst miss of all steps as a share of what is allowed. */
function agreement(flight: Flight, seconds: number): { steps: number; share: number } {
  const { ships } = flight.state
  let steps = 0
  let share = 0
  while (ships.stepEnd[0] <= seconds * 64) {
    advanceChunk(flight, 0, ships.stepEnd[0])
    steps++
    for (let eighth = 1; eighth < 8; eighth++) {
      share = Math.max(share, shareAt(flight, eighth / 8))
    }
  }
  return { steps, share }
}

const state = createStateVector()
const shown = state.r

/** Distance between segment and integration at a fraction of the step, over what is allowed. */
function shareAt(flight: Flight, fraction: number): number {
  const { ships } = flight.state
  const n = ships.stepStart[0]
  const passed = (ships.stepEnd[0] - n) * fraction
  for (const { name, components } of SHIP_COLUMNS) {
    ships[name].copyWithin(SPARE * components, 0, components)
  }
  // The step that empties the tank is throttled: cut short, it has to keep to that.
  ships.thrustLevel[SPARE] = Math.hypot(...openHull(ships, 0).force) / COURIER.thrustMax
  segmentState(state, ships, 0, COURIER, n, passed)
  stepAlone(flight, SPARE, stepMethod(ships, 0), n, passed)
  const made = ships.endPosition.subarray(3 * SPARE, 3 * SPARE + 3)
  const low = ships.endPositionLow.subarray(3 * SPARE, 3 * SPARE + 3)
  const miss = Math.hypot(...shown.map((x, axis) => x - made[axis] - low[axis]))
  return miss / Math.max(1e-3, 2e-11 * Math.hypot(...shown))
}
