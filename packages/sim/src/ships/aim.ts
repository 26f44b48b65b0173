import { TARGET } from '../attitude/pointing.ts'
import { QUANTA_PER_SECOND } from '../lattice.ts'
import { type StateVector, createStateVector } from '../math/state-vector.ts'
import type { WorldState } from '../state/state.ts'
import { placeState } from '../rails/place.ts'
import { extrapolateTarget, watches } from './sighting.ts'

const target = createStateVector()

/** The aim of a hull that points at no target. */
export const NO_AIM: Float64Array = new Float64Array(6)

/**
 * What a ship's hull points at, relative to the ship: a body or a rail where it is, a ship where
 * its last sighting takes it; zeros without a target. Returns `out`, or `NO_AIM` for any other
 * pointing.
 *
 * @param out        position (0-2) [m] and velocity (3-5) [m/s]
 * @param reference  body that the ship's start columns are relative to
 * @param n          lattice index at which they stand
 */
export function aimOf(
  out: Float64Array,
  state: WorldState,
  slot: number,
  reference: number,
  n: number,
): Float64Array {
  const { ships } = state
  if (ships.pointing[slot] !== TARGET) return NO_AIM
  if (watches(ships, slot)) extrapolateTarget(out, state, slot, reference, n)
  else if (placeState(target, state, ships.aimKind[slot], ships.aim[slot], reference, n) >= 0) {
    for (let axis = 0; axis < 3; axis++) {
      out[axis] = target.r[axis] - ships.position[3 * slot + axis]
      out[3 + axis] = target.v[axis] - ships.velocity[3 * slot + axis]
    }
  } else out.fill(0)
  return out
}

/**
 * The same inside the open step, for views; a sighted ship has no direction there.
 *
 * @param at      of the ship, from its reference body, there
 * @param offset  quanta after n, 0 up to 1
 */
export function shownAim(
  out: Float64Array,
  state: WorldState,
  slot: number,
  at: StateVector,
  n: number,
  offset: number,
): Float64Array {
  const { aim, aimKind, pointing, reference } = state.ships
  if (pointing[slot] !== TARGET) return NO_AIM
  if (placeState(target, state, aimKind[slot], aim[slot], reference[slot], n) < 0) return NO_AIM
  for (let axis = 0; axis < 3; axis++) {
    const passed = (target.v[axis] * offset) / QUANTA_PER_SECOND
    out[axis] = target.r[axis] + passed - at.r[axis]
    out[3 + axis] = target.v[axis] - at.v[axis]
  }
  return out
}
