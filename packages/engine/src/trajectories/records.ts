import {
  type ARC_COLUMNS,
  type BURN_COLUMNS,
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

/** Copies a row of hulls: column by column, as a loop over their names takes ten times as long. */
export function copyHull(to: HullRows, row: number, from: HullRows, at: number): void {
  to.number[row] = from.number[at]
  to.aim[row] = from.aim[at]
  to.start[row] = from.start[at]
  to.fuel[row] = from.fuel[at]
  to.flow[row] = from.flow[at]
  for (let i = 0; i < 4; i++) to.attitude[4 * row + i] = from.attitude[4 * at + i]
  for (let axis = 0; axis < 3; axis++) {
    to.rate[3 * row + axis] = from.rate[3 * at + axis]
    to.wheels[3 * row + axis] = from.wheels[3 * at + axis]
  }
  to.thrustLevel[row] = from.thrustLevel[at]
  to.condition[row] = from.condition[at]
  to.mode[row] = from.mode[at]
  to.pointing[row] = from.pointing[at]
  to.aimKind[row] = from.aimKind[at]
}
