/**
 * Law: motion under gravity runs back the way it came. Goal: a hundred revolutions forward by the
 * real step rule, ten of a transfer orbit, then the same steps backward, end within 10 µm of the
 * start.
 */
import { type Oblateness, SRKN11B, advanceChunk } from '@orrery/sim'
import { byTier } from '@orrery/testkit/tier'
import { expect, it } from 'vitest'
import { type TestOrbit, arrive, launchOn, orbitalPeriod, stepAlone } from '../ships/orbits.ts'
import { OBLATENESS, twoBodyFlight } from '../field/two-body-field.ts'

const orbit = (eccentricity: number): TestOrbit => ({
  perigee: 6.778e6,
  eccentricity,
  inclination: 0.9,
})

interface Case {
  readonly name: string
  readonly orbit: TestOrbit
  readonly oblateness?: Oblateness
  readonly revolutions?: number
}

const CASES: readonly Case[] = [
  { name: 'an orbit of e = 0.3', orbit: orbit(0.3) },
  {
    name: 'a transfer orbit about an oblate Earth',
    orbit: orbit(0.73),
    oblateness: OBLATENESS,
    revolutions: 10,
  },
]

const MORE_CASES: readonly Case[] = [
  { name: 'a near-circular orbit', orbit: orbit(0.001) },
  { name: 'an orbit about an oblate Earth', orbit: orbit(0.001), oblateness: OBLATENESS },
  { name: 'a transfer orbit', orbit: orbit(0.73), revolutions: 10 },
]

it.each(byTier({ gate: CASES, night: [...CASES, ...MORE_CASES] }))(
  '$name leads back to its start',
  ({ orbit, oblateness, revolutions = byTier({ gate: 30, night: 100 }) }) => {
    const end = revolutions * orbitalPeriod(orbit) * 64
    const flight = twoBodyFlight(end / 64 + 64, oblateness)
    const { ships } = flight.state
    launchOn(flight, 0, orbit)
    const start = ships.position.slice(0, 3)
    const lengths: number[] = []
    while (ships.stepEnd[0] <= end) {
      lengths.push(ships.stepEnd[0] - ships.stepStart[0])
      advanceChunk(flight, 0, ships.stepEnd[0])
    }
    let n = ships.stepStart[0]
    for (const quanta of lengths.toReversed()) {
      stepAlone(flight, 0, SRKN11B, n, -quanta)
      arrive(ships, 0)
      n -= quanta
    }
    expect(n).toBe(0)
    const miss = start.map((x, axis) => ships.position[axis] - x + ships.positionLow[axis])
    expect(Math.hypot(...miss)).toBeLessThan(1e-5)
  },
)
