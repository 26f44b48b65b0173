import { HULL, type ShipColumns, hullAt } from '@orrery/sim'

/** What hull and engine of a ship do in its open step: nothing where it has no row. */
export function openHull(ships: ShipColumns, slot: number): { force: number[]; endFuel: number } {
  const at = hullAt(ships, slot)
  if (at < 0) return { force: [0, 0, 0], endFuel: ships.fuel[slot] }
  const row = ships.hullStep.subarray(at)
  return { force: [...row.subarray(HULL.force, HULL.force + 3)], endFuel: row[HULL.endFuel] }
}
