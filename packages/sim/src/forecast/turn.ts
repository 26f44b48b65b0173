import { QUANTA_PER_SECOND } from '../lattice.ts'
import type { Body } from '../ephemeris/star-system.ts'
import { type StateVector, createStateVector } from '../math/state-vector.ts'
import { meanState } from '../orbits/mean-state.ts'

/** The moment of a step at which a distance is smallest or greatest. */
export interface Turn {
  /** share of the step, 0 to 1 */
  readonly at: number
  readonly distance: number
  /** there [m/s] */
  readonly speed: number
  readonly isClosest: boolean
}

const HALVINGS = 40

/**
 * Where the distance stops to fall or rise on a step, on the cubic through both ends; undefined
 * when it does not.
 *
 * @param quanta  length of the step
 * @param body    from which the states are: where it is oblate, that of the mean orbit counts,
 *   which turns twice a revolution
 */
export function turnOf(
  begin: StateVector,
  end: StateVector,
  quanta: number,
  body?: Body,
): Turn | undefined {
  const isClosing = closes(begin, body)
  if (isClosing === closes(end, body)) return undefined
  let from = 0
  let to = 1
  for (let i = 0; i < HALVINGS; i++) {
    const at = (from + to) / 2
    stateOn(begin, end, quanta / QUANTA_PER_SECOND, at)
    if (isClosing === closes(on, body)) from = at
    else to = at
  }
  return {
    at: to,
    distance: Math.sqrt(dot(r, r)),
    speed: Math.sqrt(dot(v, v)),
    isClosest: isClosing,
  }
}

const on = createStateVector()
const { r, v } = on
const onMean = createStateVector()

function closes(state: StateVector, body: Body | undefined): boolean {
  if (!body?.oblateness) return dot(state.r, state.v) < 0
  meanState(onMean, state, body)
  return dot(onMean.r, onMean.v) < 0
}

function stateOn(begin: StateVector, end: StateVector, h: number, s: number): void {
  const u = 1 - s
  for (let axis = 0; axis < 3; axis++) {
    const gain = end.r[axis] - begin.r[axis]
    const v0 = begin.v[axis]
    const v1 = end.v[axis]
    r[axis] = begin.r[axis] + s * s * (3 - 2 * s) * gain + h * s * u * (u * v0 - s * v1)
    v[axis] = (6 * s * u * gain) / h + u * (1 - 3 * s) * v0 + s * (3 * s - 2) * v1
  }
}

function dot(a: Float64Array, b: Float64Array): number {
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
}
