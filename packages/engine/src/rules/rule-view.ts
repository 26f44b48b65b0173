import { RULE_BITS } from '@orrery/sim'
import { type Universe, requireShip } from '../world/universe.ts'
import type { RosterEntry } from '../world/roster.ts'
import type { World } from '../world/world.ts'
import type { Rule } from '../orders/rule.ts'

/**
 * The rules of a ship, and which of them are armed now; to be read while no tick runs.
 *
 * @throws {EngineError} 'ERR_SHIP_UNKNOWN', 'ERR_IN_TRANSIT'
 */
export function shipRules(universe: Universe, shipId: string): Rule[] {
  const { world, entry } = requireShip(universe, shipId)
  return rulesNow(world, entry)
}

/** The same for a ship of a world. */
export function rulesNow({ rules, state }: World, { number, slot }: RosterEntry): Rule[] {
  const armed = state.ships.ruleArmed[slot]
  const list = rules.ofShip.get(number) ?? []
  return list.map((rule, place) => ({ ...rule, armed: (armed & RULE_BITS[place]) !== 0 }))
}
