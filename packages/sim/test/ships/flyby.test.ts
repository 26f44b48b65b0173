/**
 * Law: a ship that passes a body leaves it with the energy it came with. Goal: within 1e-12 after a
 * passage 100 km over the ground that begins and ends with 50 km/s, from twenty distances, so
 * that the nearest point falls anywhere between two step ends.
 */
import { advanceChunk } from '@orrery/sim'
import { expect, it } from 'vitest'
import { energyOf, launchInbound, relativeChange } from './orbits.ts'
import { RADIUS, twoBodyFlight } from '../field/two-body-field.ts'

const EXCESS_SPEED = 5e4
const NEAREST = RADIUS + 1e5

it.each(Array.from({ length: 20 }, (_, i) => 3e8 + 171_234.5 * i))(
  'keeps its energy within 1e-12 from %d m in to as far out',
  (distance) => {
    const flight = twoBodyFlight((2 * distance) / EXCESS_SPEED + 512)
    const { ships } = flight.state
    launchInbound(flight, 0, { excessSpeed: EXCESS_SPEED, nearest: NEAREST, distance })
    const before = energyOf(flight, 0)
    let nearest = Infinity
    do {
      advanceChunk(flight, 0, ships.stepEnd[0])
      nearest = Math.min(nearest, distanceOf(ships.position))
    } while (distanceOf(ships.position) < distance || ships.stepStart[0] < 64 * 64)
    expect(Math.abs(nearest - NEAREST)).toBeLessThan(1000)
    expect(Math.abs(relativeChange(energyOf(flight, 0), before))).toBeLessThan(1e-12)
  },
)

function distanceOf(position: Float64Array): number {
  return Math.hypot(position[0], position[1], position[2])
}
