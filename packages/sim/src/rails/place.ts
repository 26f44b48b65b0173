import { bodyState } from '../ephemeris/ephemeris.ts'
import { TARGETS } from '../state/activity.ts'
import { type StateVector, createStateVector } from '../math/state-vector.ts'
import { isRail, railRowState } from './rail-table.ts'
import type { WorldState } from '../state/state.ts'

const BODY = TARGETS.indexOf('body')
const RAIL = TARGETS.indexOf('rail')

const parentState = createStateVector()

/**
 * Where a target that needs no sighting is, relative to a body; zeros for any other. Returns the
 * body, or the parent of the rail; -1 when there is no such target.
 *
 * @param kind   of `TARGETS`
 * @param place  body index or row of the rails table, may be any number
 * @param n      lattice index
 */
export function placeState(
  out: StateVector,
  state: Pick<WorldState, 'rails' | 'ephemeris'>,
  kind: number,
  place: number,
  reference: number,
  n: number,
): number {
  out.r.fill(0)
  out.v.fill(0)
  if (kind === BODY) {
    if (place !== reference) bodyState(out, state.ephemeris, place, reference, n, 0)
    return place
  }
  if (kind !== RAIL || !isRail(state.rails, place)) return -1
  const parent = railRowState(out, state, place, n)
  if (parent === reference) return parent
  bodyState(parentState, state.ephemeris, parent, reference, n, 0)
  for (let axis = 0; axis < 3; axis++) {
    out.r[axis] += parentState.r[axis]
    out.v[axis] += parentState.v[axis]
  }
  return parent
}
