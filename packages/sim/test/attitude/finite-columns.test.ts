/**
 * Law: from finite columns, however absurd, no function makes a NaN or an infinity.
 */
import {
  COURIER,
  SPIN,
  attitudeAt,
  attitudeQuanta,
  settleAttitude,
  thrustDirection,
} from '@orrery/sim'
import { byTier } from '@orrery/testkit/tier'
import { expect, it } from 'vitest'
import { type Dice, dice, hullAtRest, makeAttitudeStep } from '../hull.ts'

const SEED = 104_729
const SHIPS = byTier({ gate: 4000, night: 20_000 })
const WRITTEN = [
  'attitude',
  'endAttitude',
  'angularMomentum',
  'wheelMomentum',
  'endWheelMomentum',
  'fuel',
] as const

/** Zeros, the ends of the doubles' range, and any power of ten between. */
function absurd({ unit }: Dice): number {
  const sign = unit() < 0.5 ? -1 : 1
  const kind = unit()
  if (kind < 0.2) return sign < 0 ? -0 : 0
  if (kind < 0.3) return sign * Number.MAX_VALUE
  if (kind < 0.4) return sign * Number.MIN_VALUE
  if (kind < 0.6) return sign
  return sign * 10 ** (616 * unit() - 308)
}

it(`holds for ${SHIPS} ships, seed ${SEED}`, () => {
  const random = dice(SEED)
  const ships = hullAtRest()
  const [r, v, out, aim] = [3, 3, 4, 6].map((length) => new Float64Array(length))
  for (let i = 0; i < SHIPS; i++) {
    for (const values of Object.values(ships)) {
      if (values instanceof Float64Array) values.set(Array.from(values, () => absurd(random)))
    }
    if (i % 2 === 0) ships.attitude.set(random.direction(4))
    if (i % 3 === 0) ships.angularMomentum.fill(0)
    for (const values of [r, v, aim]) values.set(Array.from(values, () => absurd(random)))
    ships.fuel[0] = Math.abs(ships.fuel[0])
    ships.thrustLevel[0] = random.unit() < 0.5 ? 0 : random.unit()
    ships.pointing[0] = i % (SPIN + 1)
    ships.attitudeMode[0] = Math.floor(3 * random.unit())
    const written = (): boolean => WRITTEN.every((name) => ships[name].every(Number.isFinite))
    expect([4, 8, 16, 32, 64, 128, 256, 512, 1024, 2048, 4096]).toContain(
      attitudeQuanta(ships, 0, COURIER),
    )
    makeAttitudeStep(ships, COURIER, 16, aim)
    expect(written()).toBe(true)
    thrustDirection(out, ships, COURIER, 0, 16, aim)
    expect(Math.hypot(out[0], out[1], out[2])).toBeCloseTo(1, 14)
    attitudeAt(out, ships, 0, random.unit(), { r, v }, aim)
    expect(Math.hypot(...out)).toBeCloseTo(1, 14)
    expect([0, 1, 2]).toContain(settleAttitude(ships, COURIER, 0, 16, aim))
    expect(written()).toBe(true)
  }
})
