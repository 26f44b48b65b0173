/** Where the rows of modules that are on rails are: on circles about bodies. */
import type { ModuleValues } from '@orrery/client'
import { type Vector, length, vector } from '@orrery/page-kit'

/** Lattice indices per second. */
export const PER_SECOND = 64

/** A row as the server has stated it. */
export interface RailedRow {
  /** name of the body */
  readonly around: string
  /** from its centre [m] */
  readonly r: Vector
  /** [m/s] */
  readonly v: Vector
}

/** Undefined for a row that is nowhere. */
export function railedRow({ around, ...row }: ModuleValues): RailedRow | undefined {
  if (typeof around !== 'string') return undefined
  const { x, y, z, vx, vy, vz } = row
  const [r, v] = [
    [x, y, z],
    [vx, vy, vz],
  ].map((parts) => vector(...parts.map(Number)))
  return { around, r, v }
}

/** Writes where a row is so many seconds of game time after it was stated. */
export function placeAfter(
  out: { readonly r: Vector; readonly v: Vector },
  { r, v }: RailedRow,
  seconds: number,
): void {
  const rate = length(v) / length(r)
  const [sine, cosine] = [Math.sin(rate * seconds), Math.cos(rate * seconds)]
  for (let axis = 0; axis < 3; axis++) {
    out.r[axis] = cosine * r[axis] + (sine / rate) * v[axis]
    out.v[axis] = cosine * v[axis] - sine * rate * r[axis]
  }
}
