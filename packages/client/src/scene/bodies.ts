import {
  type Ephemeris,
  type Integration,
  type MassiveState,
  NODE_QUANTA,
  type StarSystem,
  type StateVector,
  anchorAt,
  attachEphemeris,
  bodyState,
  createIntegration,
  ephemerisLength,
  extendEphemeris,
} from '@orrery/sim'

/** Nodes kept: 2.3 hours of game time. */
const NODES = 32

/** Nodes that are always made beyond the one that is asked for. */
const AHEAD_NODES = 2

/** Nodes that are made at once at most; of a longer gap each call closes a part. */
const STEP_NODES_MAX = 80

/** The massive bodies of a star system, integrated on from where the server has given them. */
export interface Bodies {
  readonly system: StarSystem
  /** its ring holds what `reach` has made */
  readonly ephemeris: Ephemeris
  /** index of a body by its name, in any case; -1 for the barycentre, undefined when unknown */
  indexOf(name: string | undefined): number | undefined
  /** takes a state of the server, unless the ring has come as far already */
  anchor(state: MassiveState): void
  /** nodes that are to be made before the bodies are known around a time */
  lag(time: number): number
  /** whether the bodies are known around a time; integrates on towards it [quanta] */
  reach(time: number): boolean
  /** their whole state at a node or, as it was kept, before it; the first kept if none is */
  stateBefore(node: number): MassiveState | undefined
  /**
   * State of a body relative to another, -1 for the barycentre, within what is reached.
   *
   * @param time  lattice index, need not be whole
   */
  stateAt(out: StateVector, body: number, center: number, time: number): void
}

/** @throws {SimError} 'ERR_STAR_SYSTEM' */
export function createBodies(system: StarSystem): Bodies {
  const nodes = new Float64Array(ephemerisLength(system, NODES))
  const ephemeris = attachEphemeris(system, nodes, new Float64Array(2))
  const indices = new Map<string, number>()
  for (const [index, { name }] of system.bodies.entries()) {
    indices.set(name, index).set(name.toLowerCase(), index)
  }
  const { span } = ephemeris
  let integration: Integration | undefined
  return {
    system,
    ephemeris,
    indexOf: (name) =>
      name === undefined ? -1 : (indices.get(name) ?? indices.get(name.toLowerCase())),
    anchor: (state) => {
      if (integration && state.node >= span[0] && state.node <= span[1]) return
      integration = createIntegration(system, state)
      extendEphemeris(integration, ephemeris, state.node)
    },
    lag: (time) => Math.max(0, Math.floor(time / NODE_QUANTA) - span[1]),
    reach: (time) => {
      if (!integration) return false
      const node = Math.floor(time / NODE_QUANTA)
      const { head } = integration
      const last = Math.min(node + AHEAD_NODES, head.node + STEP_NODES_MAX)
      if (last > head.node) extendEphemeris(integration, ephemeris, last)
      return node >= span[0] && node + 1 <= span[1]
    },
    stateBefore: (node) =>
      integration && anchorAt(integration, Math.max(node, integration.anchors[0].state.node)),
    stateAt: (out, body, center, time) => {
      const n = Math.floor(time)
      bodyState(out, ephemeris, body, center, n, time - n)
    },
  }
}
