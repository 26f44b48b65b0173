import { type Hulls, createHulls } from '../attitude/hull.ts'
import { CHUNK_SLOTS } from '../lattice.ts'
import type { WorldState } from '../state/state.ts'
import { type Allocate, type StepScratch, createStepScratch } from '../field/step-scratch.ts'

/** What one thread makes steps with. */
export interface Stepper {
  readonly state: WorldState
  /** the ships of the step being made, at most one chunk */
  readonly slots: Int32Array
  readonly scratch: StepScratch
  /** the same ships, row by row, as far as they turn or burn */
  readonly hulls: Hulls
  readonly aim: Float64Array
}

export function createStepper(state: WorldState, allocate: Allocate): Stepper {
  return {
    state,
    slots: new Int32Array(CHUNK_SLOTS),
    scratch: createStepScratch(state.system.bodies.length, allocate),
    hulls: createHulls(CHUNK_SLOTS),
    aim: new Float64Array(6),
  }
}
