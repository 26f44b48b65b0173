import { attitudeAt } from '../attitude/attitude-step.ts'
import { createHulls } from '../attitude/hull.ts'
import { isSpinning, spunAttitude } from '../attitude/spin.ts'
import type { StateVector } from '../math/state-vector.ts'
import type { WorldState } from '../state/state.ts'
import { shownAim } from './aim.ts'
import { FROZEN } from '../state/condition.ts'
import { loadHull } from './hull-row.ts'
import { segmentFraction } from './segment.ts'
import { shipClassOf } from '../state/class-table.ts'

const hull = createHulls(1)
const aim = new Float64Array(6)

/**
 * Attitude in the open step; that of a frozen ship's start.
 *
 * @param out     w, x, y, z at index 0
 * @param at      from the reference body, there
 * @param n       lattice index within the open step
 * @param offset  quanta after n, need not be whole
 */
export function segmentAttitude(
  out: Float64Array,
  { state }: { readonly state: WorldState },
  slot: number,
  at: StateVector,
  n: number,
  offset: number,
): void {
  const { ships } = state
  const isFrozen = ships.condition[slot] === FROZEN
  loadHull(hull, ships, slot)
  if (isSpinning(hull, 0) && !isFrozen) {
    spunAttitude(out, hull, shipClassOf(state, slot), 0, n - ships.stepStart[slot] + offset)
    return
  }
  const fraction = isFrozen ? 0 : segmentFraction(ships, slot, n, offset)
  attitudeAt(out, hull, 0, fraction, at, shownAim(aim, state, slot, at, n, offset))
}
