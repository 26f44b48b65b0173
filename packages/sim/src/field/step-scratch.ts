import { CHUNK_SLOTS } from '../lattice.ts'
import { TABLE_DOUBLES } from './gravity.ts'

/** Where scratch is put: on the heap, or in the memory that a kernel in WebAssembly works on. */
export type Allocate = (length: number) => Float64Array

/** Values from one plane to the next: one per ship of a chunk. */
export const PLANE: number = CHUNK_SLOTS + 8

/**
 * What one thread makes steps in: planes of one value per ship, and the field at each stage.
 * All planes are views of one block, in the order of this interface, which the kernel in
 * WebAssembly relies on.
 */
export interface StepScratch {
  readonly block: Float64Array
  readonly position: Float64Array
  readonly positionLow: Float64Array
  readonly velocity: Float64Array
  readonly velocityLow: Float64Array
  readonly gravity: Float64Array
  /** constant over the step [N] */
  readonly force: Float64Array
  /** at the step's start and end [kg] */
  readonly fuel: Float64Array
  readonly endFuel: Float64Array
  /** least r³/GM over all bodies, then least r²/v² [s²] */
  readonly bounds2: Float64Array
  /** the bodies that have them, by index */
  readonly strictest: Float64Array
  /** 1 where some body's ground is within reach of a step, else 0 */
  readonly nearGround: Float64Array
  /** of hulls that turn: w, x, y, z */
  readonly attitude: Float64Array
  /** total angular momentum, inertial axes [N m s] */
  readonly momentum: Float64Array
  /** wheel momentum, body axes [N m s] */
  readonly wheels: Float64Array
  readonly stride: number
  /** all stages, one behind the other */
  readonly stageBlock: Float64Array
  readonly stages: readonly Stage[]
}

/** One stage of a step: its coefficients, and the field there. */
export interface Stage {
  /** see `STAGE` */
  readonly numbers: Float64Array
  /** the kernel's table of bodies, in summation order */
  readonly table: Float64Array
}

/** Places in a stage's numbers. */
export const STAGE = {
  /** length of the kick [s] */
  kick: 0,
  /** length of the drift after it [s] */
  drift: 1,
  /** share of the step's fuel that is used up to here */
  burnt: 2,
  /** rows of the table */
  bodies: 3,
  /** how many oblate bodies follow */
  oblate: 4,
  /** acceleration of the reference body itself [m/s²] */
  originPull: 5,
  /** the first oblate body: position [m], pole, strength 3/2 J2 GM R² [m⁵/s²] */
  oblateBody: 8,
} as const

/** Numbers of one oblate body. */
export const OBLATE_DOUBLES = 7

const OBLATE_MAX = 2
const STAGE_NUMBERS: number = STAGE.oblateBody + OBLATE_MAX * OBLATE_DOUBLES

/** As many as the longest method has kicks. */
const STAGES = 12

const PLANES = {
  position: 3,
  positionLow: 3,
  velocity: 3,
  velocityLow: 3,
  gravity: 3,
  force: 3,
  fuel: 1,
  endFuel: 1,
  bounds2: 2,
  strictest: 2,
  nearGround: 1,
  attitude: 4,
  momentum: 3,
  wheels: 3,
} as const

/**
 * @param bodiesMax  bodies of the largest star system
 */
export function createStepScratch(bodiesMax: number, allocate: Allocate): StepScratch {
  const count = Object.values(PLANES).reduce<number>((sum, each) => sum + each, 0)
  const block = allocate(count * PLANE)
  const stageDoubles = STAGE_NUMBERS + TABLE_DOUBLES * bodiesMax
  const stageBlock = allocate(STAGES * stageDoubles)
  let at = 0
  const views = Object.entries(PLANES).map(([name, planes]) => {
    const view = block.subarray(at, at + planes * PLANE)
    at += planes * PLANE
    return [name, view] as const
  })
  return {
    ...(Object.fromEntries(views) as Record<keyof typeof PLANES, Float64Array>),
    block,
    stride: PLANE,
    stageBlock,
    stages: Array.from({ length: STAGES }, (_, i) => ({
      numbers: stageBlock.subarray(i * stageDoubles, i * stageDoubles + STAGE_NUMBERS),
      table: stageBlock.subarray(i * stageDoubles + STAGE_NUMBERS, (i + 1) * stageDoubles),
    })),
  }
}
