import type { ShipNotice } from '../views/ship-view.ts'
import { type Universe, findShip } from '../world/universe.ts'
import type { CommandRow } from './command-row.ts'

/** What the arrival of a ship means for its pilot: nothing when it was transferred. */
export function arrivalNotice(
  universe: Universe,
  { arrival, index, systemId }: CommandRow,
): ShipNotice | undefined {
  const place = arrival && findShip(universe, arrival.shipId)
  if (!place) return undefined
  const { from, to, passage, shipId } = arrival
  const { state } = place.world
  const body = state.system.bodies[state.ships.reference[place.entry.slot]].name
  if (from === systemId) return { shipId, kind: 'returned', index, body }
  return passage && { shipId, kind: 'jumped', index, body, systems: { from, to } }
}
