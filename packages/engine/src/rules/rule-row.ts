import {
  CONDITION_KINDS,
  MANEUVER_ENDS,
  TARGETS,
  type TargetKind,
  USE_ACTION,
  USE_CONDITION,
  beginSighting,
  digest,
  watchedBy,
  writeControl,
} from '@orrery/sim'
import * as v from 'valibot'
import { watchersOf } from '../world/watchers.ts'
import { type RosterEntry, placesIn } from '../world/roster.ts'
import type { World } from '../world/world.ts'
import { type Rule, type RuleCondition, ruleSchema } from '../orders/rule.ts'

/** Writes a new rule of a ship, and takes rows of the sighting table for the ships it names. */
export function writeRule(
  world: World,
  entry: RosterEntry,
  row: number,
  place: number,
  rule: Rule,
): void {
  const { actions, rules } = world.state
  writeDefinition(world, row, rule)
  const { condition, order = {} } = rule
  const { slot } = entry
  rules.whenSighting[row] = watchFor(world, slot, condition.ship ?? 0, USE_CONDITION + place)
  actions.orderSighting[row] = watchFor(world, slot, watchedBy(order), USE_ACTION + place)
}

/** Writes all of a rule's row that follows from the rule. */
export function writeDefinition({ roster, state }: World, row: number, rule: Rule): void {
  const { actions, rules } = state
  const { condition, order = {}, once } = rule
  const { kind, above, below, body, ship } = condition
  const railId = condition.stationId ?? condition.jumpgateId
  rules.whenKind[row] = CONDITION_KINDS.indexOf(kind)
  rules.whenValue[row] = above ?? below ?? endOf(condition)
  rules.whenAbove[row] = above === undefined ? 0 : 1
  rules.whenTarget[row] = body ?? roster.rails.get(railId ?? '') ?? -1
  let target: TargetKind = 'none'
  if (body !== undefined) target = 'body'
  else if (railId !== undefined) target = 'rail'
  else if (ship !== undefined) target = 'ship'
  rules.whenTargetKind[row] = TARGETS.indexOf(target)
  rules.ruleOnce[row] = once ? 1 : 0
  rules.ruleDigest.set(digestOf(rule), 4 * row)
  rules.whenSighting[row] = -1
  actions.orderSighting[row] = -1
  writeControl(actions, row, order, placesIn(roster))
}

/** 0 for any end. */
function endOf({ outcome = 'any' }: RuleCondition): number {
  return outcome === 'any' ? 0 : MANEUVER_ENDS.indexOf(outcome)
}

/** Names are left out: they do not act, and a journal that is given away holds others. */
function digestOf(rule: Rule): Uint32Array {
  // The schema puts all fields in one order.
  const { command, condition, order, once } = v.parse(ruleSchema, rule)
  return digest([JSON.stringify({ condition, order, once, command })])
}

/** A row of the sighting table for a ship that a rule names; -1 for none. */
function watchFor({ roster, state }: World, slot: number, ship: number, use: number): number {
  if (ship === 0) return -1
  const { sightings } = state
  const row = watchersOf(state).free.pop() ?? -1
  beginSighting(sightings, row, slot, roster.byNumber.get(ship)?.slot ?? -1, ship)
  sightings.sightingUse[row] = use
  return row
}
