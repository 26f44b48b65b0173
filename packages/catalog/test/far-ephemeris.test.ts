// Goal: the far ephemeris is good enough to plan voyages with, within stated limits. Method: begun
// from the near integration at one multiple of 2^21 s and compared, planet with moons, with that
// same integration four years on, at night 16 days too, relative to the star. The near one agrees
// with JPL to less than a kilometre there (another test); what shows is what the lumps leave out.
import { readFileSync } from 'node:fs'
import {
  type CatalogSystem,
  STAR_SYSTEMS,
  checkpointAtOrBefore,
  parseCheckpoints,
} from '@orrery/catalog'
import {
  FAR_BEGIN_NODES,
  NODE_QUANTA,
  NODE_SECONDS,
  type FarSystem,
  type MassiveState,
  attachFarEphemeris,
  bodyState,
  createStateVector,
  extendEphemeris,
  farEphemerisLength,
  farIntegration,
  farSystem,
  massiveStateAt,
} from '@orrery/sim'
import { IS_NIGHT } from '@orrery/testkit/tier'
import { describe, expect, test } from 'vitest'

const DAY_NODES = 86400 / NODE_SECONDS

/** A multiple of 2^21 s in the middle of 2026. */
const BEGIN = 399 * FAR_BEGIN_NODES

function nearState({ system, checkpointsUrl }: CatalogSystem, node: number): MassiveState {
  const checkpoints = parseCheckpoints(readFileSync(checkpointsUrl))
  return massiveStateAt(system, checkpointAtOrBefore(checkpoints, node), node)
}

/** Barycentre of each lump relative to the first body [m]. */
function lumps({ near, leaders, lumps }: FarSystem, { x, xLow }: MassiveState): number[][] {
  return leaders.map((_, k) => {
    const sum = [0, 0, 0]
    let mass = 0
    for (const [i, { gm }] of near.bodies.entries()) {
      if (lumps[i] !== k) continue
      mass += gm
      for (const axis of sum.keys()) {
        const at = 3 * i + axis
        sum[axis] += gm * (x[at] - x[axis] + (xLow[at] - xLow[axis]))
      }
    }
    return sum.map((value) => value / mass)
  })
}

/** How far each lump is from where the near integration has it, by name [m]. */
function misses(entry: CatalogSystem, days: number): Map<string, number> {
  const far = farSystem(entry.system, entry.startState())
  const nodes = new Float64Array(farEphemerisLength(far))
  const ephemeris = attachFarEphemeris(far, nodes, new Float64Array(2))
  const integration = farIntegration(far, nearState(entry, BEGIN))
  extendEphemeris(integration, ephemeris, integration.head.node + far.capacity - 1)
  const node = BEGIN + Math.floor(days * DAY_NODES)
  const places = lumps(far, nearState(entry, node))
  const state = createStateVector()
  return new Map(
    far.system.bodies.map(({ name }, k) => {
      bodyState(state, ephemeris, k, 0, node * NODE_QUANTA, 0)
      return [name, Math.hypot(...places[k].map((value, axis) => value - state.r[axis]))]
    }),
  )
}

/** Names of those that miss by more than a limit of their own, or the one for all. */
function beyond(found: Map<string, number>, limit: number, own: Record<string, number>): string[] {
  return [...found]
    .filter(([name, miss]) => !(miss <= (own[name] ?? limit)))
    .map(([name, miss]) => `${name}: ${miss} m`)
}

const [sol, alphaCentauri, trappist1] = STAR_SYSTEMS

describe('the far ephemeris', () => {
  test.runIf(IS_NIGHT)(
    'of Sol is within 10 m over the near horizon, the Earth with its Moon within 500 m',
    () => {
      expect(beyond(misses(sol, 16), 10, { Earth: 500 })).toEqual([])
    },
  )

  test('of Sol is within 2 km after four years, the Earth with its Moon within 500 km', () => {
    // The Moon's ring pulls the Earth's lump a little faster round the Sun than a point does.
    expect(beyond(misses(sol, 4 * 365.25), 2000, { Earth: 500_000 })).toEqual([])
  })

  test('of Alpha Centauri is within 2 m for four years', () => {
    expect(beyond(misses(alphaCentauri, 4 * 365.25), 2, {})).toEqual([])
  })

  test('of TRAPPIST-1 has nodes 1024 s apart and is within 10 m for 45 days', () => {
    expect(farSystem(trappist1.system, trappist1.startState()).nodeQuanta).toBe(1024 * 64)
    expect(beyond(misses(trappist1, 45), 10, {})).toEqual([])
  })
})
