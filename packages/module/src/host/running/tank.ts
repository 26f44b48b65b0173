import { FROZEN, type WorldState, segmentFraction, segmentFuel } from '@orrery/sim'

/** Fuel of a ship at an index that its open step holds [kg]. */
export function fuelAt({ ships }: WorldState, slot: number, index: number): number {
  if (ships.condition[slot] === FROZEN) return ships.fuel[slot]
  return segmentFuel(ships, slot, segmentFraction(ships, slot, index, 0))
}
