import type { WorldState } from '../state/state.ts'
import { type Ephemeris, bodyStates } from '../ephemeris/ephemeris.ts'
import { CHUNK_SLOTS } from '../lattice.ts'
import { type StateVector, createStateVector } from '../math/state-vector.ts'
import { type ChunkHasher, createChunkHasher } from './chunk-hash.ts'
import { type Allocate, type Field, createField } from './field.ts'
import { type Kernel, pull } from './gravity.ts'
import type { ShipClass } from './ship-class.ts'
import { type Stepper, createStepper } from './step.ts'

/** Constants of one star system for ships, beside its ephemeris. */
export interface Territory {
  /** body whose low orbits ships spawn in */
  readonly home: number
  /** radius of each body's sphere of influence [m] */
  readonly spheres: Float64Array
}

/** What a step runs into, if anything. */
export interface Impact {
  /** the first beat inside, in quanta; Infinity when the step stays outside */
  at: number
  body: number
}

/** The bodies of one system around one of them at one index, as last tabulated. */
export interface Surroundings {
  readonly ephemeris: Ephemeris
  /** body that the others are relative to; -1 before the first use */
  reference: number
  /** lattice index */
  index: number
  /** one triple of each per body */
  readonly bodies: StateVector
  readonly gm: Float64Array
  /**
   * squares of the distances from which a step may reach each body's ground: with h ≤ 0.04 r/v
   * none does from further away [m²]
   */
  readonly near2: Float64Array
}

/** What one thread flies ships with; made once, then free of allocation. */
export interface Flight {
  readonly state: WorldState
  readonly territories: readonly Territory[]
  readonly ship: ShipClass
  readonly kernel: Kernel
  readonly allocate: Allocate
  readonly fields: (Field | undefined)[][]
  /** one per system */
  readonly surroundings: readonly Surroundings[]
  readonly stepper: Stepper
  readonly hasher: ChunkHasher
  readonly due: Int32Array
  /** length of the step that each due ship begins, by its place in the chunk [quanta] */
  readonly lengths: Int32Array
  readonly triple: Float64Array
  readonly point: Float64Array
  readonly shift: StateVector
  readonly aim: Float64Array
  readonly impact: Impact
}

export function createFlight(
  state: WorldState,
  territories: readonly Territory[],
  ship: ShipClass,
  kernel: Kernel = pull,
  allocate: Allocate = (length) => new Float64Array(length),
): Flight {
  return {
    state,
    territories,
    ship,
    kernel,
    allocate,
    fields: state.systems.map((system) => system.bodies.map(() => undefined)),
    surroundings: state.ephemerides.map(createSurroundings),
    stepper: createStepper(state, ship, allocate),
    hasher: createChunkHasher(state),
    due: new Int32Array(CHUNK_SLOTS),
    lengths: new Int32Array(CHUNK_SLOTS),
    triple: allocate(3),
    point: allocate(3),
    shift: createStateVector(),
    aim: new Float64Array(6),
    impact: { at: Infinity, body: -1 },
  }
}

/** The field of one reference body in a chunk's system, made at first use. */
export function fieldOf(flight: Flight, chunk: number, reference: number): Field {
  const system = systemOf(flight, chunk)
  const known = flight.fields[system][reference]
  if (known) return known
  const field = createField(
    flight.state.ephemerides[system],
    reference,
    flight.kernel,
    flight.allocate,
  )
  flight.fields[system][reference] = field
  return field
}

/** The system a chunk belongs to. */
export function systemOf(flight: Flight, chunk: number): number {
  return flight.state.chunk.chunkSystem[chunk]
}

function createSurroundings(ephemeris: Ephemeris): Surroundings {
  const { system } = ephemeris
  const triples = (): Float64Array => new Float64Array(3 * system.bodies.length)
  return {
    ephemeris,
    reference: -1,
    index: 0,
    bodies: { r: triples(), v: triples() },
    gm: Float64Array.from(system.bodies, (body) => body.gm),
    near2: Float64Array.from(system.bodies, ({ radius }) => 1.06 * radius * (1.06 * radius)),
  }
}

/** The bodies of a chunk's system around one of them at index n; made again only for another. */
export function surroundingsAt(
  flight: Flight,
  chunk: number,
  reference: number,
  n: number,
): Surroundings {
  const around = flight.surroundings[systemOf(flight, chunk)]
  if (around.index === n && around.reference === reference) return around
  bodyStates(around.bodies, around.ephemeris, reference, n)
  around.reference = reference
  around.index = n
  return around
}
