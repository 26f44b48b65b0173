import { RULES_PER_SHIP, RULE_BITS, USE_POINTING } from '@orrery/sim'
import { EngineError } from '../engine-error.ts'
import { nameSighting } from '../world/watchers.ts'
import type { World } from '../world/world.ts'
import { type KeptRules, type Rule, requireSoundRule } from '../orders/rule.ts'
import { writeDefinition } from './rule-row.ts'
import { listRules, takeRuleRows } from '../world/rule-space.ts'

/**
 * Gives the ships of a world that has just been read their rules; which are armed and held stands
 * in its columns, and what they watch in the sighting table.
 *
 * @throws {EngineError} 'ERR_IMAGE'
 */
export function restoreRules(world: World, kept: readonly KeptRules[]): void {
  const { roster, rules: lists, state } = world
  const { ships } = state
  ships.ruleCount.fill(0)
  for (const { ship, rules: list } of kept) {
    const entry = roster.byNumber.get(ship)
    const first = takeRuleRows(lists.space, list.length)
    if (!entry || lists.ofShip.has(ship) || first === undefined || list.length > RULES_PER_SHIP) {
      throw new EngineError('ERR_IMAGE', `The image's rules of ship ${ship} have no place.`)
    }
    const { slot } = entry
    ships.ruleRow[slot] = first
    ships.ruleCount[slot] = list.length
    ships.ruleWatching[slot] = 0
    for (const [place, rule] of list.entries()) {
      requireKnown(world, rule)
      writeDefinition(world, first + place, rule)
      if (rule.condition.ship !== undefined) ships.ruleWatching[slot] += RULE_BITS[place]
    }
    listRules(lists, ship, list)
  }
  for (let row = 0; row < state.sightings.sightingUse.length; row++) {
    if (state.sightings.sightingUse[row] !== USE_POINTING) nameSighting(state, row)
  }
}

function requireKnown({ state }: World, rule: Rule): void {
  try {
    requireSoundRule(rule)
  } catch (cause) {
    throw new EngineError('ERR_IMAGE', `The image's rule ${rule.ruleId} is not valid.`, { cause })
  }
  const { condition, order } = rule
  const bodies = state.system.bodies.length
  if ((condition.body ?? 0) < bodies && (order?.maneuver?.body ?? 0) < bodies) return
  throw new EngineError('ERR_IMAGE', `The image's rule ${rule.ruleId} names an unknown body.`)
}
