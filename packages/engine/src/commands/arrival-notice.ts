import type { ShipNotice } from '../views/ship-view.ts'
import { type Universe, findShip } from '../world/universe.ts'
import type { CommandRow } from './command-row.ts'

/** What the arrival of a ship means for its pilot. */
export function arrivalNotices(
  universe: Universe,
  { arrival, index, systemId }: Pick<CommandRow, 'arrival' | 'index' | 'systemId'>,
): ShipNotice[] {
  const place = arrival && findShip(universe, arrival.shipId)
  if (!place) return []
  const { from, to, passage, rules = [], shipId } = arrival
  const { state } = place.world
  const body = state.system.bodies[state.ships.reference[place.entry.slot]].name
  const at = { shipId, index, body }
  const notices: ShipNotice[] = []
  if (from === systemId) notices.push({ ...at, kind: 'returned' })
  else notices.push({ ...at, kind: passage ? 'jumped' : 'transferred', systems: { from, to } })
  const kept = place.world.rules.ofShip.get(place.entry.number)?.length ?? 0
  if (kept < rules.length) notices.push({ ...at, kind: 'rules_dropped' })
  return notices
}
