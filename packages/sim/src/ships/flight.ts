import type { WorldState } from '../state/state.ts'
import { CHUNK_SLOTS } from '../lattice.ts'
import { type Allocate, type Field, createField } from './field.ts'
import { type Kernel, pull } from './gravity.ts'
import type { ShipClass } from './ship-class.ts'
import { type StepScratch, createStepScratch } from './step.ts'

export const EMPTY = 0
export const FLYING = 1
export const FROZEN = 2

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
  readonly scratch: StepScratch
  readonly due: Int32Array
  readonly group: Int32Array
  readonly bodyPositions: Float64Array
  readonly bodyVelocities: Float64Array
  readonly triple: Float64Array
  readonly point: Float64Array
  readonly pair: Float64Array
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
    scratch: createStepScratch(allocate),
    due: new Int32Array(CHUNK_SLOTS),
    group: new Int32Array(CHUNK_SLOTS),
    bodyPositions: new Float64Array(3 * bodies),
    bodyVelocities: new Float64Array(3 * bodies),
    triple: allocate(3),
    point: allocate(3),
    pair: new Float64Array(3),
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
