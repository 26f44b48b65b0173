/**
 * Law: halving a ship's step divides its error by 2 to the order of the method, coasting and
 * while mass leaves the engine. Method: half a revolution of e = 0.3 from the perigee, against
 * the same with very short steps; the slope between two step lengths is the order.
 */
import { LEAPFROG, type Method, SRKN11B, SRKN6B } from '@orrery/sim'
import { describe, expect, it } from 'vitest'
import { openHull } from '../ships/open-hull.ts'
import { arrive, launchOn, orbitalPeriod, stepAlone } from '../ships/orbits.ts'
import { twoBodyFlight } from '../field/two-body-field.ts'

const orbit = { perigee: 6.778e6, eccentricity: 0.3, inclination: 0.9 }
const SECONDS = orbitalPeriod(orbit) / 2

describe.each([
  { name: 'coasting', thrustLevel: 0, short: 1.25 },
  // The tank outlasts the run: where thrust ends within a step, no method has its order.
  { name: 'under thrust', thrustLevel: 0.05, short: 0.4 },
])('$name', ({ thrustLevel, short }) => {
  const truth = end(SRKN11B, Math.round(SECONDS / short), thrustLevel)
  const error = (method: Method, steps: number): number => {
    const place = end(method, steps, thrustLevel)
    return Math.hypot(...place.high.map((x, i) => x - truth.high[i] + place.low[i] - truth.low[i]))
  }

  it.each([
    { method: LEAPFROG, seconds: 16 },
    { method: SRKN6B, seconds: 16 },
    { method: SRKN11B, seconds: 125 },
  ])('$method.name has its order', ({ method, seconds }) => {
    const steps = Math.round(SECONDS / seconds)
    const order = Math.log2(error(method, steps) / error(method, 2 * steps))
    expect(Math.abs(order - method.order), `order ${order}`).toBeLessThan(0.1)
  })
})

/** Where a ship is after half a revolution in even steps. */
function end(method: Method, steps: number, thrustLevel: number) {
  const flight = twoBodyFlight(SECONDS + 256)
  launchOn(flight, 0, orbit)
  const { ships } = flight.state
  ships.thrustLevel[0] = thrustLevel
  const quanta = (SECONDS * 64) / steps
  for (let step = 0; step < steps; step++) {
    stepAlone(flight, 0, method, Math.floor(step * quanta), quanta)
    arrive(ships, 0)
    ships.fuel[0] = openHull(ships, 0).endFuel
  }
  expect(ships.fuel[0]).toBeGreaterThan(0)
  return { high: ships.position.slice(0, 3), low: ships.positionLow.slice(0, 3) }
}
