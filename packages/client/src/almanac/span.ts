/** A span of time between two checkpoints, in which the bodies of a star system are known. */
import {
  type Ephemeris,
  NODE_QUANTA,
  type StarSystem,
  attachEphemeris,
  createIntegration,
  createMassiveState,
  ephemerisLength,
  extendEphemeris,
} from '@orrery/sim'

/** What a span is integrated from. */
export interface SpanTask {
  readonly system: StarSystem
  /** lattice index of its beginning, and quanta from there to its end */
  readonly index: number
  readonly quanta: number
  /** per body position [m] and velocity [m/s] from its parent, of the root from the barycentre */
  readonly vectors: readonly (readonly number[])[]
  /** in steps of so many quanta, a divisor of both */
  readonly step: number
}

/** The buffers of an ephemeris that holds a span. */
export interface Span extends Pick<SpanTask, 'index' | 'quanta' | 'step'> {
  readonly nodes: Float64Array<ArrayBuffer>
  /** first and last node held */
  readonly held: Float64Array<ArrayBuffer>
}

/** Integrates a span: that of 24 days of the solar system takes a quarter of a second. */
export function madeSpan({ system, index, quanta, vectors, step }: SpanTask): Span {
  const state = createMassiveState(system.bodies.length)
  state.node = index / step
  for (const [i, { parent }] of system.bodies.entries()) {
    for (let axis = 0; axis < 3; axis++) {
      const at = 3 * parent + axis
      state.x[3 * i + axis] = vectors[i][axis] + (parent < 0 ? 0 : state.x[at])
      state.v[3 * i + axis] = vectors[i][3 + axis] + (parent < 0 ? 0 : state.v[at])
    }
  }
  // Its end has a neighbour, too.
  const last = state.node + quanta / step + 1
  const nodes = new Float64Array(ephemerisLength(system, last - state.node + 1))
  const held = new Float64Array(2)
  const ephemeris = attachEphemeris(system, nodes, held, step)
  extendEphemeris(createIntegration(system, state), ephemeris, last)
  return { index, quanta, step, nodes, held }
}

/** Reads a span that was made elsewhere. */
export function spanEphemeris(system: StarSystem, { nodes, held, step }: Span): Ephemeris {
  return attachEphemeris(system, nodes, held, step)
}

/** Steps of 2,048 s: within 220 m of the server's own places for Phobos, of 3 m for all others. */
export const FINE_STEP: number = 8 * NODE_QUANTA

/** Steps of 4,096 s, twice as fast: within 14 km for Phobos, of 150 m for all others. */
export const ROUGH_STEP: number = 16 * NODE_QUANTA
