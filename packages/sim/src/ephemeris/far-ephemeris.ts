import { QUANTA_PER_SECOND } from '../lattice.ts'
import { addExactly } from '../math/compensated.ts'
import { SimError } from '../sim-error.ts'
import {
  type Ephemeris,
  type MassiveState,
  NODE_QUANTA,
  attachEphemeris,
  ephemerisLength,
} from './ephemeris.ts'
import type { StarSystem } from './star-system.ts'
import { type Integration, createIntegration } from './integration.ts'
import { createMassiveState } from './massive-step.ts'

/** Nodes of the near ephemeris from one beginning of the far one to the next: 2^21 s, 24.3 days. */
export const FAR_BEGIN_NODES = 8192

/** Longest distance of far nodes: 2^15 s. */
const NODE_QUANTA_MAX = 32768 * QUANTA_PER_SECOND

/** Nodes in the shortest orbit, at least. */
const ORBIT_NODES_MIN = 64

/** Nodes that can be read at any time: four years of 2^15 s. */
const HORIZON_NODES = 3853

/**
 * What a far ephemeris is about: the root and what goes round it, each with all that goes round
 * it as one sphere at their common barycentre.
 */
export interface FarSystem {
  /** lumps in the order of their leading bodies, whose names they have */
  readonly system: StarSystem
  readonly near: StarSystem
  /** lump that each body of the near system belongs to */
  readonly lumps: Int32Array
  /** body that leads each lump */
  readonly leaders: readonly number[]
  /** distance of nodes: 2^15 s, or less where planets are fast */
  readonly nodeQuanta: number
  /** nodes from one begun at a multiple of 2^21 s to the last one needed before the next */
  readonly capacity: number
}

/**
 * Lays out the far ephemeris of a system.
 *
 * @param epoch  the catalog's start state, which decides the distance of nodes
 */
export function farSystem(near: StarSystem, epoch: MassiveState): FarSystem {
  const lumps = new Int32Array(near.bodies.length)
  const leaders: number[] = []
  for (const [i, { parent }] of near.bodies.entries()) {
    if (parent <= 0) leaders.push(i)
    lumps[i] = parent > 0 ? lumps[parent] : leaders.length - 1
  }
  const bodies = leaders.map((leader, k) => {
    const { name, parent, radius } = near.bodies[leader]
    const gm = near.bodies.reduce((sum, body, i) => sum + (lumps[i] === k ? body.gm : 0), 0)
    return { name, parent, gm, radius }
  })
  const system = { id: near.id, name: near.name, position: near.position, bodies }
  const nodeQuanta = nodeLength(near, epoch)
  const capacity = HORIZON_NODES + (FAR_BEGIN_NODES * NODE_QUANTA) / nodeQuanta
  return { system, near, lumps, leaders, nodeQuanta, capacity }
}

/** The longest power of two that divides the shortest osculating orbit finely enough. */
function nodeLength({ bodies }: StarSystem, { x, v }: MassiveState): number {
  let quanta = NODE_QUANTA_MAX
  for (const [i, { gm, parent }] of bodies.entries()) {
    if (parent !== 0) continue
    let r2 = 0
    let v2 = 0
    for (let axis = 0; axis < 3; axis++) {
      const dr = x[3 * i + axis] - x[axis]
      const dv = v[3 * i + axis] - v[axis]
      r2 += dr * dr
      v2 += dv * dv
    }
    const mass = bodies[0].gm + gm
    const curvature = 2 / Math.sqrt(r2) - v2 / mass
    if (curvature <= 0) continue
    const seconds = 6.283185307179586 / (curvature * Math.sqrt(curvature * mass))
    while (quanta > NODE_QUANTA && quanta * ORBIT_NODES_MIN > seconds * QUANTA_PER_SECOND) {
      quanta /= 2
    }
  }
  return quanta
}

/** Doubles that a far ephemeris takes. */
export function farEphemerisLength({ system, capacity }: FarSystem): number {
  return ephemerisLength(system, capacity)
}

/**
 * Views a ring that `extendEphemeris` fills from a `farIntegration`; read like the near one, by
 * lump instead of body.
 *
 * @param nodes  `farEphemerisLength` doubles
 * @param span   two doubles
 */
export function attachFarEphemeris(
  { system, nodeQuanta }: FarSystem,
  nodes: Float64Array,
  span: Float64Array,
): Ephemeris {
  return attachEphemeris(system, nodes, span, nodeQuanta)
}

/**
 * Begins a far ephemeris; it is complete at node `head.node + capacity - 1`. It depends
 * on the state alone: every thread makes the same bits at any time.
 *
 * @param near  the massive bodies at a multiple of 2^21 s
 * @throws {SimError} 'ERR_MASSIVE_STATE' at another node
 */
export function farIntegration(far: FarSystem, near: MassiveState): Integration {
  if (near.node % FAR_BEGIN_NODES !== 0) {
    throw new SimError(
      'ERR_MASSIVE_STATE',
      `A far ephemeris begins at multiples of ${FAR_BEGIN_NODES} nodes, not at ${near.node}.`,
    )
  }
  const state = createMassiveState(far.system.bodies.length)
  state.node = (near.node * NODE_QUANTA) / far.nodeQuanta
  lump(state.x, state.xLow, far, near.x, near.xLow)
  lump(state.v, state.vLow, far, near.v, near.vLow)
  return createIntegration(far.system, state)
}

/** Means of each family weighted with GM, as offsets from its leading body, low parts too. */
function lump(
  outHigh: Float64Array,
  outLow: Float64Array,
  { leaders, lumps, near, system }: FarSystem,
  high: Float64Array,
  low: Float64Array,
): void {
  for (const [k, leader] of leaders.entries()) {
    for (let axis = 0; axis < 3; axis++) {
      const own = 3 * leader + axis
      let offset = 0
      for (const [i, { gm }] of near.bodies.entries()) {
        if (lumps[i] !== k) continue
        const at = 3 * i + axis
        offset += gm * (high[at] - high[own] + (low[at] - low[own]))
      }
      outHigh[3 * k + axis] = high[own]
      addExactly(outHigh, outLow, 3 * k + axis, low[own] + offset / system.bodies[k].gm)
    }
  }
}
