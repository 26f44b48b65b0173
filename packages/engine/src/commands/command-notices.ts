import type { RosterEntry } from '../world/roster.ts'
import { type Universe, findShip } from '../world/universe.ts'
import type { World } from '../world/world.ts'
import type { ShipNotice } from '../views/ship-view.ts'
import type { CommandRow, KeptCommand } from './command-row.ts'

type Noticed = Extract<KeptCommand, { kind: 'arrive_ship' | 'alter_ship' | 'fail_maneuver' }>

/** What a command that has acted means for the pilot of its ship. */
export function commandNotices(
  universe: Universe,
  { index, systemId }: Pick<CommandRow, 'index' | 'systemId'>,
  command: KeptCommand,
): ShipNotice[] {
  if (!isNoticed(command)) return []
  const { shipId } = command.kind === 'arrive_ship' ? command.handOff : command
  const place = findShip(universe, shipId)
  if (!place) return []
  const { state } = place.world
  const body = state.system.bodies[state.ships.reference[place.entry.slot]].name
  const at = { shipId, index, body }
  if (command.kind === 'alter_ship') return [{ ...at, kind: 'altered' }]
  if (command.kind === 'fail_maneuver') return [{ ...at, ...failed(place.world, place.entry) }]
  const { from, to, passage, rules = [] } = command.handOff
  const notices: ShipNotice[] = []
  if (from === systemId) notices.push({ ...at, kind: 'returned' })
  else notices.push({ ...at, kind: passage ? 'jumped' : 'transferred', systems: { from, to } })
  const kept = place.world.rules.ofShip.get(place.entry.number)?.length ?? 0
  if (kept < rules.length) notices.push({ ...at, kind: 'rules_dropped' })
  return notices
}

function isNoticed(command: KeptCommand): command is Noticed {
  const { kind } = command
  return kind === 'arrive_ship' || kind === 'alter_ship' || kind === 'fail_maneuver'
}

function failed(
  { maneuvers }: World,
  { number }: RosterEntry,
): Pick<ShipNotice, 'kind' | 'maneuver'> {
  const ended = maneuvers.ended.get(number)
  if (!ended) return { kind: 'maneuver_failed' }
  const { type, phase, reason, statusText } = ended
  const why = { ...(reason && { reason }), ...(statusText !== null && { statusText }) }
  return { kind: 'maneuver_failed', maneuver: { type, phase, fromPhase: phase, ...why } }
}
