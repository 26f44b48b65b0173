// Goal: between nodes the ephemeris is within a millimetre of the integration from the node
// before, for every body. Method: epochs from J2000 to 2050, the bodies relative to their parents
// at five places between two nodes, differences in integers. A position is a double: beyond 2^43 m
// from the Sun its last bit is coarser than that millimetre allows, and there nothing but
// rounding may show.
import { readFileSync } from 'node:fs'
import { checkpointAtOrBefore, checkpointsUrl, parseCheckpoints, solSystem } from '@orrery/catalog'
import {
  NODE_QUANTA,
  NODE_SECONDS,
  SRKN14A,
  type Ephemeris,
  type MassiveState,
  attachEphemeris,
  bodyState,
  copyMassiveState,
  createForceModel,
  createIntegration,
  createMassiveState,
  createStateVector,
  ephemerisLength,
  extendEphemeris,
  massiveStateAt,
  stepMassive,
} from '@orrery/sim'
import { describe, expect, test } from 'vitest'
import { fixedPoint, floatingPoint, placeFromParent } from '@orrery/testkit/fixed-point'

const FRACTIONS = [1 / 8, 1 / 3, 1 / 2, 0.7, 7 / 8]

/** Distance at which a double counts in steps of 2^-9 m [m]. */
const COARSE = 2 ** 43

const checkpoints = parseCheckpoints(readFileSync(checkpointsUrl))

/** Nodes of all seasons, on and off the checkpoints. */
function epochs(): MassiveState[] {
  const { firstNode, spacing, count } = checkpoints
  const states: MassiveState[] = []
  for (let k = 0, node = 0; node < firstNode + count * spacing; k++, node += 41 * spacing) {
    const { [k % 3]: nodesAfter } = [0, 5, 29]
    const stored = checkpointAtOrBefore(checkpoints, node)
    states.push(massiveStateAt(solSystem, stored, stored.node + nodesAfter))
  }
  return states
}

/** The node and its neighbour, as the game reads them. */
function ringFrom(start: MassiveState): Ephemeris {
  const nodes = new Float64Array(ephemerisLength(solSystem, 2))
  const ephemeris = attachEphemeris(solSystem, nodes, new Float64Array(2))
  extendEphemeris(createIntegration(solSystem, start), ephemeris, start.node + 1)
  return ephemeris
}

interface Miss {
  readonly body: number
  /** farthest coordinate [m] */
  readonly reach: number
  /** [m] */
  readonly axes: readonly number[]
}

function missesFrom(start: MassiveState): Miss[] {
  const ephemeris = ringFrom(start)
  const model = createForceModel(solSystem)
  const state = createStateVector()
  const between = createMassiveState(solSystem.bodies.length)
  return FRACTIONS.flatMap((fraction) => {
    copyMassiveState(between, start)
    stepMassive(model, SRKN14A, between, fraction * NODE_SECONDS)
    return solSystem.bodies.map(({ parent }, body) => {
      const offset = fraction * NODE_QUANTA
      bodyState(state, ephemeris, body, parent, start.node * NODE_QUANTA, offset)
      const place = placeFromParent(solSystem, between, body)
      const axes = place.map((value, axis) => floatingPoint(fixedPoint(state.r[axis]) - value))
      return { body, reach: Math.max(...state.r.map(Math.abs)), axes }
    })
  })
}

const text = ({ body, axes }: Miss): string =>
  `${solSystem.bodies[body].name}: ${axes.map((value) => value.toExponential(2)).join(' ')} m`

describe('dense output of the solar system', () => {
  const misses = epochs().flatMap(missesFrom)
  const near = misses.filter(({ reach }) => reach < COARSE)
  const far = misses.filter(({ reach }) => reach >= COARSE)

  test('is within 1 mm of the integration', () => {
    const names = new Set(near.map(({ body }) => solSystem.bodies[body].name))
    expect(names.size).toBe(solSystem.bodies.length - 1)
    expect(near.filter(({ axes }) => !(Math.hypot(...axes) <= 1e-3)).map(text)).toEqual([])
  })

  test('beyond 2^43 m, where Eris is, is within a last bit', () => {
    expect(far.length).toBeGreaterThan(0)
    const lastBit = (reach: number): number => 2 ** (Math.floor(Math.log2(reach)) - 52)
    const wrong = far.filter(
      ({ reach, axes }) => !(Math.max(...axes.map(Math.abs)) <= lastBit(reach)),
    )
    expect(wrong.map(text)).toEqual([])
  })
})
