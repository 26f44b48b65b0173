import {
  type ARC_COLUMNS,
  type BURN_COLUMNS,
  HULL_COLUMNS,
  type NEXT_STEP_COLUMNS,
  type ColumnViews,
} from '@orrery/sim'
import type { HullRows } from './hull-record.ts'
import { type OpenStep, STEP } from './open-step.ts'
import type { Rows } from './rows.ts'

/** Writes a whole step to a row. */
export function writeArc(arcs: ColumnViews<typeof ARC_COLUMNS>, row: number, step: OpenStep): void {
  arcs.number[row] = step.number
  arcs.reference[row] = step.reference
  arcs.start[row] = step.start
  arcs.end[row] = step.end
  writeTriple(arcs.position, row, step, STEP.position)
  writeTriple(arcs.velocity, row, step, STEP.velocity)
  writeTriple(arcs.acceleration, row, step, STEP.acceleration)
  writeTriple(arcs.endPosition, row, step, STEP.endPosition)
  writeTriple(arcs.endVelocity, row, step, STEP.endVelocity)
  writeTriple(arcs.endAcceleration, row, step, STEP.endAcceleration)
}

/** Adds a step that follows the one before. */
export function addStep(
  steps: Rows<typeof NEXT_STEP_COLUMNS>,
  step: OpenStep,
  index: number,
): void {
  const row = steps.add()
  const { columns } = steps
  columns.number[row] = step.number
  columns.end[row] = step.end - index
  writeTriple(columns.endPosition, row, step, STEP.endPosition)
  writeTriple(columns.endVelocity, row, step, STEP.endVelocity)
  writeTriple(columns.endAcceleration, row, step, STEP.endAcceleration)
}

/** The same with another acceleration at its start. */
export function addBurn(burns: Rows<typeof BURN_COLUMNS>, step: OpenStep, index: number): void {
  const row = burns.add()
  const { columns } = burns
  columns.number[row] = step.number
  columns.end[row] = step.end - index
  writeTriple(columns.endPosition, row, step, STEP.endPosition)
  writeTriple(columns.endVelocity, row, step, STEP.endVelocity)
  writeTriple(columns.acceleration, row, step, STEP.acceleration)
  writeTriple(columns.endAcceleration, row, step, STEP.endAcceleration)
}

function writeTriple(
  column: Float64Array | Float32Array,
  row: number,
  { values }: OpenStep,
  from: number,
): void {
  for (let axis = 0; axis < 3; axis++) column[3 * row + axis] = values[from + axis]
}

/** Copies a row of hulls. */
export function copyHull(to: HullRows, row: number, from: HullRows, at: number): void {
  for (const { name, components } of HULL_COLUMNS) {
    const target = to[name]
    const source = from[name]
    for (let i = 0; i < components; i++) {
      target[components * row + i] = source[components * at + i]
    }
  }
}
