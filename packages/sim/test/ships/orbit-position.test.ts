/**
 * Law: a coasting ship follows its Kepler orbit. Goal: a circular orbit closes on itself within
 * 5 cm after a hundred revolutions, the last step ended at the exact period.
 */
import { SRKN11B, advanceChunk } from '@orrery/sim'
import { expect, it } from 'vitest'
import { launchOn, orbitalPeriod, stepAlone } from './orbits.ts'
import { twoBodyFlight } from '../field/two-body-field.ts'

const orbit = { perigee: 6.778e6, eccentricity: 0, inclination: 0.9 }

it('closes a circular orbit to 5 cm after a hundred revolutions', () => {
  const end = 100 * orbitalPeriod(orbit) * 64
  const flight = twoBodyFlight(end / 64 + 64)
  const { ships } = flight.state
  launchOn(flight, 0, orbit)
  const start = ships.position.slice(0, 3)
  advanceChunk(flight, 0, Math.floor(end))
  const n = ships.stepStart[0]
  stepAlone(flight, 0, SRKN11B, n, end - n)
  const miss = Math.hypot(...start.map((x, axis) => ships.endPosition[axis] - x))
  expect(miss).toBeLessThan(0.05)
  expect(miss).toBeGreaterThan(0)
})
