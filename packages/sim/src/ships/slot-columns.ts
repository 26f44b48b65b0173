/**
 * Copies of columns, for a list of slots. One column after the other: a loop over two arrays runs
 * several times as fast as one over all columns of a ship. Functions for 32-bit columns are apart:
 * a loop that meets both types of array costs 3 % of a coasting step.
 */
import { copyQuaternion } from '../math/quaternion.ts'
import { copyTriple } from '../math/triple.ts'
import { PLANE } from '../field/step-scratch.ts'

/** Copies triples from one column to another. */
export function copyTriples(
  to: Float64Array,
  from: Float64Array,
  slots: Int32Array,
  count: number,
): void {
  for (let row = 0; row < count; row++) {
    const at = 3 * slots[row]
    to[at] = from[at]
    to[at + 1] = from[at + 1]
    to[at + 2] = from[at + 2]
  }
}

/** The same for low parts of triples. */
export function copyLowTriples(
  to: Float32Array,
  from: Float32Array,
  slots: Int32Array,
  count: number,
): void {
  for (let row = 0; row < count; row++) {
    const at = 3 * slots[row]
    to[at] = from[at]
    to[at + 1] = from[at + 1]
    to[at + 2] = from[at + 2]
  }
}

/** Copies a column's triples into rows. */
export function loadTriples(
  rows: Float64Array,
  column: Float64Array,
  slots: Int32Array,
  count: number,
): void {
  for (let row = 0; row < count; row++) copyTriple(rows, 3 * row, column, 3 * slots[row])
}

/** The same for quaternions. */
export function loadQuaternions(
  rows: Float64Array,
  column: Float64Array,
  slots: Int32Array,
  count: number,
): void {
  for (let row = 0; row < count; row++) copyQuaternion(rows, 4 * row, column, 4 * slots[row])
}

/** Copies a column's triples into planes. */
export function gatherTriples(
  planes: Float64Array,
  column: Float64Array,
  slots: Int32Array,
  count: number,
): void {
  for (let row = 0; row < count; row++) {
    const at = 3 * slots[row]
    planes[row] = column[at]
    planes[PLANE + row] = column[at + 1]
    planes[2 * PLANE + row] = column[at + 2]
  }
}

/** The same for low parts. */
export function gatherLowTriples(
  planes: Float64Array,
  column: Float32Array,
  slots: Int32Array,
  count: number,
): void {
  for (let row = 0; row < count; row++) {
    const at = 3 * slots[row]
    planes[row] = column[at]
    planes[PLANE + row] = column[at + 1]
    planes[2 * PLANE + row] = column[at + 2]
  }
}

/** Copies planes into a column's triples. */
export function scatterTriples(
  column: Float64Array,
  planes: Float64Array,
  slots: Int32Array,
  count: number,
): void {
  for (let row = 0; row < count; row++) {
    const at = 3 * slots[row]
    column[at] = planes[row]
    column[at + 1] = planes[PLANE + row]
    column[at + 2] = planes[2 * PLANE + row]
  }
}

/** The same for low parts, which are rounded to 32 bits. */
export function scatterLowTriples(
  column: Float32Array,
  planes: Float64Array,
  slots: Int32Array,
  count: number,
): void {
  for (let row = 0; row < count; row++) {
    const at = 3 * slots[row]
    column[at] = planes[row]
    column[at + 1] = planes[PLANE + row]
    column[at + 2] = planes[2 * PLANE + row]
  }
}
