/**
 * Law: a Lagrange point moves as its positions do while the pair is perturbed, and an equatorial
 * orbit turns about its body's pole, or the normal of the body's own orbit.
 */
import {
  NODE_QUANTA,
  type LagrangeNumber,
  attachEphemeris,
  bodyState,
  createIntegration,
  createStateVector,
  ephemerisLength,
  equatorialPole,
  extendEphemeris,
  railState,
} from '@orrery/sim'
import { expect, it } from 'vitest'
import { smallStart, smallSystem } from '../ephemeris/small-system.ts'
import { twoBodyFlight } from '../field/two-body-field.ts'

const [STAR, GIANT, INNER, ROCK] = [0, 1, 2, 4]
const N = 3 * NODE_QUANTA + 5003

const nodes = new Float64Array(ephemerisLength(smallSystem, 8))
const ephemeris = attachEphemeris(smallSystem, nodes, new Float64Array(2))
extendEphemeris(createIntegration(smallSystem, smallStart()), ephemeris, 7)

it.each([
  [STAR, ROCK],
  [GIANT, INNER],
])(
  'a Lagrange point of bodies %i and %i has the velocity of its positions',
  (parent, secondary) => {
    const pair = createStateVector()
    bodyState(pair, ephemeris, secondary, parent, N, 0)
    const separation = Math.hypot(...pair.r)
    for (const point of [1, 2, 3, 4, 5] as const satisfies LagrangeNumber[]) {
      const state = (offset: number) => {
        const out = createStateVector()
        railState(out, ephemeris, { kind: 'lagrange', parent, secondary, point }, N, offset)
        return out
      }
      const [before, { r, v }, after] = [state(-64), state(0), state(64)]
      const miss = v.map((speed, i) => speed - (after.r[i] - before.r[i]) / 2)
      expect(Math.hypot(...miss) / Math.hypot(...v), `L${point}`).toBeLessThan(1e-8)
      // Where a light secondary puts them: near itself, opposite, or at the tip of a triangle.
      const away = Math.hypot(...r.map((x, i) => x - pair.r[i])) / separation
      expect(away).toBeCloseTo([0, 0, 2, 1, 1][point - 1], 1)
      expect(Math.hypot(...r) / separation).toBeCloseTo(1, 1)
    }
  },
)

it('an equatorial orbit turns about the pole of its body, or about the normal of its orbit', () => {
  expect(equatorialPole(ephemeris, GIANT, N)).toEqual([0.36, 0.48, 0.8])
  expect(equatorialPole(twoBodyFlight(64).state.ephemeris, 0, 0)).toEqual([0, 0, 1])
  const { r, v } = createStateVector()
  bodyState({ r, v }, ephemeris, INNER, GIANT, N, 0)
  const normal = [r[1] * v[2] - r[2] * v[1], r[2] * v[0] - r[0] * v[2], r[0] * v[1] - r[1] * v[0]]
  const pole = equatorialPole(ephemeris, INNER, N)
  for (let i = 0; i < 3; i++) expect(pole[i]).toBeCloseTo(normal[i] / Math.hypot(...normal), 12)
})
