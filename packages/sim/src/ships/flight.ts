import type { WorldState } from '../state/state.ts'
import { type Ephemeris, bodyStates } from '../ephemeris/ephemeris.ts'
import type { Guide } from '../guidance/guide.ts'
import { type Method, SRKN11B } from '../ephemeris/methods.ts'
import { CHUNK_SLOTS } from '../lattice.ts'
import { type StateVector, createStateVector } from '../math/state-vector.ts'
import { type ChunkHasher, createChunkHasher } from './chunk-hash.ts'
import { type Field, createFields } from '../field/field.ts'
import { SURROUNDINGS_DOUBLES, type ShipKernel, shipKernel } from '../field/ship-kernel.ts'
import type { Allocate } from '../field/step-scratch.ts'
import { ENTER_FRACTION, LEAVE_FRACTION } from '../field/sphere-of-influence.ts'
import { type Stepper, createStepper } from './stepper.ts'

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

/** The bodies around one of them at one index, as last tabulated. */
export interface Surroundings {
  readonly ephemeris: Ephemeris
  /** body that the others are relative to; -1 before the first use */
  reference: number
  /** lattice index */
  index: number
  /** one triple of each per body */
  readonly bodies: StateVector
  readonly gm: Float64Array
  /** the same for the kernel, see `SURROUNDINGS_DOUBLES` */
  readonly table: Float64Array
  /** rows of the table, of the bodies that `listNearBodies` found */
  readonly near: Float64Array
  readonly nearBodies: Int32Array
  /** square of a distance within which a ship surely keeps the reference body [m²] */
  clear2: number
}

/** What one thread flies ships with; made once, then free of allocation. */
export interface Flight {
  readonly state: WorldState
  readonly territory: Territory
  readonly kernel: ShipKernel
  /** one per reference body */
  readonly fields: readonly Field[]
  readonly surroundings: Surroundings
  readonly stepper: Stepper
  /** of the chunks of worlds; without it none is hashed */
  readonly hasher: ChunkHasher | undefined
  readonly due: Int32Array
  /** length of the step that each due ship begins, by its place in the chunk [quanta] */
  readonly lengths: Int32Array
  /** method of that step */
  readonly methods: Method[]
  /** 1 where a due ship's next step may reach the ground of a body, by its place in the chunk */
  readonly nearGround: Uint8Array
  readonly triple: Float64Array
  readonly point: Float64Array
  readonly shift: StateVector
  readonly aim: Float64Array
  readonly impact: Impact
  /** whether a ship that is due has an autopilot or rules */
  busy: boolean
  /** the ship whose program runs; made with the first that has one */
  guide: Guide | undefined
}

export function createFlight(
  state: WorldState,
  territory: Territory,
  kernel: ShipKernel = shipKernel,
  allocate: Allocate = (length) => new Float64Array(length),
): Flight {
  return {
    state,
    territory,
    kernel,
    fields: createFields(state.ephemeris, kernel, allocate),
    surroundings: createSurroundings(state.ephemeris, allocate),
    stepper: createStepper(state, allocate),
    hasher: createChunkHasher(state),
    due: new Int32Array(CHUNK_SLOTS),
    lengths: new Int32Array(CHUNK_SLOTS),
    methods: Array.from({ length: CHUNK_SLOTS }, () => SRKN11B),
    nearGround: new Uint8Array(CHUNK_SLOTS),
    triple: allocate(3),
    point: allocate(3),
    shift: createStateVector(),
    aim: new Float64Array(6),
    impact: { at: Infinity, body: -1 },
    busy: false,
    guide: undefined,
  }
}

/** With h ≤ 0.04 r/v no step reaches a body's ground from further away than so many radii. */
const NEAR_RADII = 1.06

function createSurroundings(ephemeris: Ephemeris, allocate: Allocate): Surroundings {
  const { system } = ephemeris
  const table = allocate(SURROUNDINGS_DOUBLES * system.bodies.length)
  for (const [body, { gm, radius }] of system.bodies.entries()) {
    table[SURROUNDINGS_DOUBLES * body + 3] = gm
    table[SURROUNDINGS_DOUBLES * body + 7] = NEAR_RADII * radius * (NEAR_RADII * radius)
  }
  const triples = (): Float64Array => new Float64Array(3 * system.bodies.length)
  return {
    ephemeris,
    reference: -1,
    index: 0,
    bodies: { r: triples(), v: triples() },
    gm: Float64Array.from(system.bodies, (body) => body.gm),
    table,
    near: allocate(table.length),
    nearBodies: new Int32Array(system.bodies.length),
    clear2: 0,
  }
}

/** The bodies around one of them at index n; made again only for another. */
export function surroundingsAt(
  { surroundings: around, territory }: Flight,
  reference: number,
  n: number,
): Surroundings {
  if (around.index === n && around.reference === reference) return around
  const { bodies, table } = around
  bodyStates(bodies, around.ephemeris, reference, n)
  for (let body = 0, at = 0; at < table.length; body += 3, at += SURROUNDINGS_DOUBLES) {
    for (let axis = 0; axis < 3; axis++) {
      table[at + axis] = bodies.r[body + axis]
      table[at + 4 + axis] = bodies.v[body + axis]
    }
  }
  around.clear2 = clearDistance2(around, reference, territory.spheres)
  around.reference = reference
  around.index = n
  return around
}

/** A little less than where rounding could decide. */
const CLEAR = 1 - 1e-9

function clearDistance2(
  { ephemeris, bodies }: Surroundings,
  reference: number,
  spheres: Float64Array,
): number {
  const { parents } = ephemeris
  let clear = LEAVE_FRACTION * spheres[reference]
  for (let body = reference + 1; body < parents.length; body++) {
    if (parents[body] !== reference) continue
    const x = bodies.r[3 * body]
    const y = bodies.r[3 * body + 1]
    const z = bodies.r[3 * body + 2]
    const distance = Math.sqrt(x * x + y * y + z * z)
    clear = Math.min(clear, distance - ENTER_FRACTION * spheres[body])
  }
  return clear > 0 ? CLEAR * clear * clear : 0
}
