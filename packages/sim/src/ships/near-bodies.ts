import { PLANE, type StepScratch } from '../field/step-scratch.ts'
import { SURROUNDINGS_DOUBLES } from '../field/ship-kernel.ts'
import type { Surroundings } from './flight.ts'

/** Room for rounding in comparisons that only leave out. */
const MARGIN = 1.000001

/** Farthest place, highest speed and longest passage of the rows, squared, about the reference. */
const most = new Float64Array(3)

/**
 * Lists in `around.near` the bodies that may bound a step of some row, or whose ground may be near.
 * A body is left out when even from the nearest place that a row may have, at the highest speed,
 * its bounds are wider than those which the reference body gives every row.
 *
 * @param scratch  position and velocity of `rows` ships in its rows
 * @returns how many
 */
export function listNearBodies(around: Surroundings, scratch: StepScratch, rows: number): number {
  const { gm, near, nearBodies, reference, table } = around
  findMost(scratch, rows)
  const far = Math.sqrt(most[0])
  const fast = Math.sqrt(most[1])
  const fall2 = (MARGIN * most[0] * far) / gm[reference]
  const passage2 = MARGIN * most[2]
  let count = 0
  for (let body = 0; body < gm.length; body++) {
    const at = SURROUNDINGS_DOUBLES * body
    const gap = lengthAt(table, at) - far
    const speed = lengthAt(table, at + 4) + fast
    const gap2 = gap * gap
    // Rows that are not numbers leave out nothing.
    const isOut =
      gap > 0 &&
      gap2 * gap > fall2 * gm[body] &&
      gap2 > passage2 * speed * speed &&
      gap2 > MARGIN * table[at + 7]
    if (isOut) continue
    nearBodies[count] = body
    for (let i = 0, to = SURROUNDINGS_DOUBLES * count; i < SURROUNDINGS_DOUBLES; i++) {
      near[to + i] = table[at + i]
    }
    count++
  }
  return count
}

function findMost({ position, velocity }: StepScratch, rows: number): void {
  most.fill(0)
  for (let row = 0; row < rows; row++) {
    const r2 = length2(position, row)
    const v2 = length2(velocity, row)
    // `Math.max` keeps what is not a number.
    most[0] = Math.max(most[0], r2)
    most[1] = Math.max(most[1], v2)
    most[2] = Math.max(most[2], r2 / v2)
  }
}

function length2(planes: Float64Array, row: number): number {
  const x = planes[row]
  const y = planes[PLANE + row]
  const z = planes[2 * PLANE + row]
  return x * x + y * y + z * z
}

function lengthAt(table: Float64Array, at: number): number {
  const x = table[at]
  const y = table[at + 1]
  const z = table[at + 2]
  return Math.sqrt(x * x + y * y + z * z)
}
