import type { WorldState } from '../state/state.ts'
import { bodyStates } from '../ephemeris/ephemeris.ts'
import { CHUNK_SLOTS } from '../lattice.ts'
import { type StateVector, createStateVector } from '../math/state-vector.ts'
import { type ChunkHasher, createChunkHasher } from './chunk-hash.ts'
import { type Allocate, type Field, createField } from './field.ts'
import { type Kernel, pull } from './gravity.ts'
import type { ShipClass } from './ship-class.ts'
import { type Impact, nearDistances2 } from './impact.ts'
import { type StepScratch, createStepScratch } from './step.ts'

/** What ships of one star system need to know beside its ephemeris. */
export interface Territory {
  /** body whose low orbits ships spawn in */
  readonly home: number
  /** radius of each body's sphere of influence [m] */
  readonly spheres: Float64Array
}

/** Everything one thread needs to fly ships; made once, then allocation-free. */
export interface Flight {
  readonly state: WorldState
  readonly territories: readonly Territory[]
  readonly ship: ShipClass
  readonly kernel: Kernel
  readonly allocate: Allocate
  readonly fields: (Field | undefined)[][]
  readonly gm: readonly Float64Array[]
  /** see `nearDistances2`, per system */
  readonly near2: readonly Float64Array[]
  readonly scratch: StepScratch
  readonly hasher: ChunkHasher
  readonly due: Int32Array
  /** length of the step that each due ship begins, by its place in the chunk [quanta] */
  readonly lengths: Int32Array
  readonly group: Int32Array
  /** bodies relative to one of them at one index, one triple each, as last tabulated */
  readonly tabled: { system: number; reference: number; index: number }
  readonly bodies: StateVector
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
  const bodies = Math.max(...state.systems.map((system) => system.bodies.length))
  return {
    state,
    territories,
    ship,
    kernel,
    allocate,
    fields: state.systems.map((system) => system.bodies.map(() => undefined)),
    gm: state.systems.map(({ bodies }) => Float64Array.from(bodies, (body) => body.gm)),
    near2: state.systems.map(nearDistances2),
    scratch: createStepScratch(allocate),
    hasher: createChunkHasher(state),
    due: new Int32Array(CHUNK_SLOTS),
    lengths: new Int32Array(CHUNK_SLOTS),
    group: new Int32Array(CHUNK_SLOTS),
    tabled: { system: -1, reference: -1, index: 0 },
    bodies: { r: new Float64Array(3 * bodies), v: new Float64Array(3 * bodies) },
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

/** Fills `bodies` for a chunk's system, reference body and index. */
export function tabulateBodies(flight: Flight, chunk: number, reference: number, n: number): void {
  const { tabled, state, bodies } = flight
  const system = systemOf(flight, chunk)
  if (tabled.index === n && tabled.reference === reference && tabled.system === system) return
  bodyStates(bodies, state.ephemerides[system], reference, n)
  tabled.system = system
  tabled.reference = reference
  tabled.index = n
}
