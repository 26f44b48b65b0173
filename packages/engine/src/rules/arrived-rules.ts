import { watchedBy } from '@orrery/sim'
import { EngineError } from '../engine-error.ts'
import type { RosterEntry } from '../world/roster.ts'
import type { World } from '../world/world.ts'
import { type Rule, railsOf } from '../orders/rule.ts'
import { setRules } from './rule-lists.ts'

/**
 * Gives a ship that has arrived its rules. In another star system those that name anything of the
 * one before are dropped, rows of modules included; where it comes back, those that name what is
 * gone.
 */
export function setArrivedRules(
  world: World,
  entry: RosterEntry,
  rules: readonly Rule[],
  isBack: boolean,
): void {
  const kept: Rule[] = []
  for (const rule of rules) {
    if (!isBack && (namesPlace(rule) || world.modules?.rules.namesRow(rule))) continue
    try {
      setRules(world, entry, [...kept.map(({ ruleId }) => ({ ruleId })), rule])
      kept.push(rule)
    } catch (error) {
      if (!(error instanceof EngineError)) throw error
    }
  }
}

/** Whether a rule names a body, ship, station or gate. */
function namesPlace(rule: Rule): boolean {
  const { condition, order = {} } = rule
  const bodies = [condition.body, order.maneuver?.body]
  if (bodies.some((body) => body !== undefined) || railsOf(rule).length > 0) return true
  return condition.ship !== undefined || watchedBy(order) > 0
}
