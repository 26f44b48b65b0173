import {
  FROZEN,
  type StateVector,
  createStateVector,
  segmentFraction,
  segmentState,
  shipClassOf,
} from '@orrery/sim'
import type { World } from '../world/world.ts'

/** A ship relative to its reference body [m], [m/s]: the one that was read last. */
export const relative: StateVector = createStateVector()

/**
 * Reads position and velocity at the published index plus `offset` quanta into `relative`; returns
 * the passed share of the open step.
 */
export function loadRelative({ state, index }: World, slot: number, offset: number): number {
  const { ships } = state
  if (ships.condition[slot] === FROZEN) {
    relative.r.set(ships.position.subarray(3 * slot, 3 * slot + 3))
    relative.v.set(ships.velocity.subarray(3 * slot, 3 * slot + 3))
    return 0
  }
  segmentState(relative, ships, slot, shipClassOf(state, slot), index, offset)
  return segmentFraction(ships, slot, index, offset)
}
