import { RULE_BITS } from '@orrery/sim'
import { type Universe, requireShip } from '../world/universe.ts'
import type { Rule } from './rule.ts'

/**
 * The rules of a ship, and which of them are armed now; to be read while no tick runs.
 *
 * @throws {EngineError} 'ERR_SHIP_UNKNOWN', 'ERR_IN_TRANSIT'
 */
export function shipRules(universe: Universe, shipId: string): Rule[] {
  const { world, entry } = requireShip(universe, shipId)
  const armed = world.state.ships.ruleArmed[entry.slot]
  const rules = world.rules.ofShip.get(entry.number) ?? []
  return rules.map((rule, place) => ({ ...rule, armed: (armed & RULE_BITS[place]) !== 0 }))
}
