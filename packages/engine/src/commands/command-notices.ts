import type { ShipNotice } from '../views/ship-view.ts'
import { type Universe, findShip } from '../world/universe.ts'
import type { CommandRow, KeptCommand } from './command-row.ts'

/** What a command that has acted means for the pilot of its ship. */
export function commandNotices(
  universe: Universe,
  { index, systemId }: Pick<CommandRow, 'index' | 'systemId'>,
  command: KeptCommand,
): ShipNotice[] {
  if (command.kind !== 'arrive_ship' && command.kind !== 'alter_ship') return []
  const { shipId } = command.kind === 'arrive_ship' ? command.handOff : command
  const place = findShip(universe, shipId)
  if (!place) return []
  const { state } = place.world
  const body = state.system.bodies[state.ships.reference[place.entry.slot]].name
  const at = { shipId, index, body }
  if (command.kind === 'alter_ship') return [{ ...at, kind: 'altered' }]
  const { from, to, passage, rules = [] } = command.handOff
  const notices: ShipNotice[] = []
  if (from === systemId) notices.push({ ...at, kind: 'returned' })
  else notices.push({ ...at, kind: passage ? 'jumped' : 'transferred', systems: { from, to } })
  const kept = place.world.rules.ofShip.get(place.entry.number)?.length ?? 0
  if (kept < rules.length) notices.push({ ...at, kind: 'rules_dropped' })
  return notices
}
