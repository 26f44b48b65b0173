/**
 * Law: a coasting ship keeps its energy. Goal: within 2e-12 per revolution of a low orbit
 * (4e-12 for a transfer orbit), seen at every step end of ten revolutions around one body that
 * is a perfect sphere; and a circular orbit closes upon itself.
 */
import { advanceChunk } from '@orrery/sim'
import { describe, expect, it } from 'vitest'
import { GM, energyOf, launchAt, twoBodyFlight } from './two-body-field.ts'

const PERIGEE = 6.778e6
const REVOLUTIONS = 10

describe.each([
  { name: 'near-circular', eccentricity: 0.001, bound: 2e-12 },
  { name: 'e = 0.3', eccentricity: 0.3, bound: 2e-12 },
  { name: 'transfer orbit', eccentricity: 0.73, bound: 4e-12 },
])('a $name orbit', ({ eccentricity, bound }) => {
  it(`keeps its energy within ${bound} over ${REVOLUTIONS} revolutions`, () => {
    const period = orbitPeriod(PERIGEE / (1 - eccentricity))
    const flight = twoBodyFlight(REVOLUTIONS * period + 64)
    const speed = Math.sqrt((GM / PERIGEE) * (1 + eccentricity))
    launchAt(flight, 0, [PERIGEE, 0, 0], [0, speed * 0.6, speed * 0.8])
    const before = energyOf(flight, 0)
    let worst = 0
    for (let n = 64; n < REVOLUTIONS * period * 64; n += 64 * 8) {
      advanceChunk(flight, 0, n)
      worst = Math.max(worst, Math.abs(energyOf(flight, 0) / before - 1))
    }
    expect(worst).toBeLessThan(bound)
    expect(worst).toBeGreaterThan(0)
  })
})

it('a circular orbit is where Kepler says after a hundred revolutions, to 5 cm', () => {
  // Any whole number of quanta will do: compare with the exact angle at the step's start.
  const period = orbitPeriod(PERIGEE)
  const flight = twoBodyFlight(100 * period + 64)
  launchAt(flight, 0, [PERIGEE, 0, 0], [0, Math.sqrt(GM / PERIGEE), 0])
  advanceChunk(flight, 0, Math.floor(100 * period * 64))
  const { stepStart, position } = flight.state.ships
  const angle = (stepStart[0] / 64 / period - 100) * 2 * Math.PI
  const miss = Math.hypot(
    position[0] - PERIGEE * Math.cos(angle),
    position[1] - PERIGEE * Math.sin(angle),
    position[2],
  )
  expect(miss).toBeLessThan(0.05)
})

function orbitPeriod(semiMajorAxis: number): number {
  return 2 * Math.PI * Math.sqrt(semiMajorAxis ** 3 / GM)
}
