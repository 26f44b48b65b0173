// Law: a place on rails has the velocity that its own positions have, as the bodies really move.
// Method: Lagrange points of pairs of the solar system, days apart, against fourth-order
// differences of their positions along the ephemeris.
import { readFileSync } from 'node:fs'
import {
  bodyIndex,
  checkpointAtOrBefore,
  checkpointsUrl,
  parseCheckpoints,
  solSystem,
} from '@orrery/catalog'
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
import { describe, expect, test } from 'vitest'

const FIRST_NODE = 8192 * 400
const NODES = 3000

const ephemeris = attachEphemeris(
  solSystem,
  new Float64Array(ephemerisLength(solSystem, NODES + 3)),
  new Float64Array(2),
)
const checkpoints = parseCheckpoints(readFileSync(checkpointsUrl))
const start = checkpointAtOrBefore(checkpoints, FIRST_NODE)
extendEphemeris(createIntegration(solSystem, start), ephemeris, FIRST_NODE + NODES + 1)

/** Quanta between two positions of a difference: 8 s. */
const STEP = 512

const PAIRS = [
  ['Sun', 'Earth'],
  ['Sun', 'Jupiter'],
  ['Sun', 'Eris'],
  ['Earth', 'Moon'],
  ['Jupiter', 'Io'],
  ['Saturn', 'Mimas'],
  ['Mars', 'Phobos'],
  ['Pluto', 'Charon'],
] as const

describe.each(PAIRS)('a Lagrange point of %s and %s', (primary, secondary) => {
  const rail = (point: LagrangeNumber) => ({
    kind: 'lagrange' as const,
    parent: bodyIndex(solSystem, primary),
    secondary: bodyIndex(solSystem, secondary),
    point,
  })

  test.each([1, 2, 3, 4, 5] as const)(
    'the velocity of L%i is the rate of its position',
    (point) => {
      const state = createStateVector()
      const { r, v } = state
      const positionAt = (n: number): Float64Array => {
        railState(state, ephemeris, rail(point), n, 0)
        return r.slice()
      }
      for (const node of [3, 700, 1500, 2998]) {
        const n = (FIRST_NODE + node) * NODE_QUANTA + 5003
        const near = [positionAt(n + STEP), positionAt(n - STEP)]
        const far = [positionAt(n + 2 * STEP), positionAt(n - 2 * STEP)]
        railState(state, ephemeris, rail(point), n, 0)
        const seconds = STEP / 64
        const miss = v.map(
          (speed, i) =>
            speed - (8 * (near[0][i] - near[1][i]) - (far[0][i] - far[1][i])) / (12 * seconds),
        )
        // Differences of doubles: the last bit of the distance over the time between.
        const rounding = (4 * Math.hypot(...r) * 2 ** -53) / seconds
        expect(Math.hypot(...miss)).toBeLessThan(1e-10 * Math.hypot(...v) + rounding)
      }
    },
  )
})

/**
 * Distances from the Sun over that of the barycentre of Earth and Moon.
 *
 * @source JPL Horizons, Sun-EMB L1 to L5, 2020-01-01, as in github:cosinekitty/astronomy
 */
const SUN_EARTH = [
  [1, 0.9899890227825265],
  [2, 1.0100782404295443],
  [4, 0.9999999999886924],
  [5, 0.9999999999886926],
] as const

test.each(SUN_EARTH)('L%i of Sun and Earth is where JPL has it, within 15 m', (point, ratio) => {
  const [sun, earth, moon] = ['Sun', 'Earth', 'Moon'].map((name) => bodyIndex(solSystem, name))
  const share = solSystem.bodies[moon].gm / (solSystem.bodies[earth].gm + solSystem.bodies[moon].gm)
  const state = createStateVector()
  // A third of a month apart, with the Moon on other sides of the Earth.
  for (const node of [100, 2900]) {
    const n = (FIRST_NODE + node) * NODE_QUANTA
    const seen = (body: number): number[] => {
      bodyState(state, ephemeris, body, sun, n, 0)
      return [...state.r]
    }
    const [ours, theirs] = [seen(earth), seen(moon)]
    const barycentre = ours.map((x, i) => x + share * (theirs[i] - x))
    railState(state, ephemeris, { kind: 'lagrange', parent: sun, secondary: earth, point }, n, 0)
    const [distance, separation] = [Math.hypot(...state.r), Math.hypot(...barycentre)]
    expect(Math.abs(distance / separation - ratio)).toBeLessThan(1e-10)
    const along = state.r.reduce((sum, x, i) => sum + x * barycentre[i], 0)
    expect(along / distance / separation).toBeCloseTo(point < 3 ? 1 : 0.5, 12)
  }
})

test('bodies without a known pole turn about the normal of their own orbit', () => {
  const n = (FIRST_NODE + 10) * NODE_QUANTA
  const pole = (name: string) => equatorialPole(ephemeris, bodyIndex(solSystem, name), n)
  expect(pole('Earth')).toBe(solSystem.bodies[bodyIndex(solSystem, 'Earth')].oblateness!.pole)
  const along = (a: readonly number[], b: readonly number[]): number =>
    a.reduce((sum, x, i) => sum + x * b[i], 0)
  // Io goes round in its planet's equator, and so its own poles stand with Jupiter's.
  expect(along(pole('Io'), pole('Jupiter'))).toBeGreaterThan(0.999)
  expect(Math.hypot(...pole('Io'))).toBeCloseTo(1, 15)
  // Triton goes the other way round.
  expect(along(pole('Triton'), pole('Neptune'))).toBeLessThan(-0.8)
})
