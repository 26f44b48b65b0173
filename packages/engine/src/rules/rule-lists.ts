import {
  FLYING,
  ACTION_COLUMNS,
  RULES_PER_SHIP,
  RULE_BITS,
  RULE_COLUMNS,
  USE_ACTION,
  USE_CONDITION,
  USE_POINTING,
  WATCHERS_MAX,
  changeShip,
  heldAtStart,
  watchedBy,
} from '@orrery/sim'
import { POINTING_MAX } from '../world/intake.ts'
import { requirePossible } from '../orders/possible-control.ts'
import { EngineError } from '../engine-error.ts'
import { watchersOf } from '../world/watchers.ts'
import type { RosterEntry } from '../world/roster.ts'
import type { World } from '../world/world.ts'
import {
  type Rule,
  type SameRule,
  modulesOf,
  plainRule,
  railsOf,
  requireSoundRule,
} from '../orders/rule.ts'
import { requireModules } from '../world/world-modules.ts'
import { writeRule } from './rule-row.ts'
import { freeRuleRows, listRules, takeRuleRows } from '../world/rule-space.ts'

/** Rows of the sighting table that rules may take; the others are left to ships that point. */
const RULE_SIGHTINGS_MAX = WATCHERS_MAX - POINTING_MAX

/**
 * Replaces the rules of a ship at the published index. A new one fires at the first beat from then
 * on at which its condition holds and did not before.
 *
 * @param entries  at most `RULES_PER_SHIP`; one that is only an id keeps that rule as it is
 * @throws {EngineError} 'ERR_RULES_FULL', 'ERR_RULE', 'ERR_RULE_UNKNOWN', 'ERR_CONTROL',
 *   'ERR_WATCHERS', 'ERR_WORLD_FULL', 'ERR_MODULE_UNKNOWN', 'ERR_MODULE_BODY'
 */
export function setRules(
  world: World,
  entry: RosterEntry,
  entries: readonly (Rule | SameRule)[],
): void {
  const { flight, index, rules: lists, state } = world
  const { slot, number } = entry
  const before = lists.ofShip.get(number) ?? []
  const wanted = entries.map((rule) => wantedRule(before, rule))
  requireRules(world, slot, wanted)
  const rules = wanted.map(({ rule }) => rule)
  const first = rules.length > 0 ? takeRuleRows(lists.space, rules.length) : 0
  if (first === undefined) throw new EngineError('ERR_WORLD_FULL', 'The world is full of rules.')
  changeShip(flight, slot, index, () => {
    const { ships } = state
    const was = {
      row: ships.ruleRow[slot],
      armed: ships.ruleArmed[slot],
      held: ships.ruleHeld[slot],
    }
    const kept = new Set<number>()
    let armed = 0
    let held = 0
    let isNew = 0
    let watching = 0
    for (const [place, { rule, keptPlace }] of wanted.entries()) {
      const bit = RULE_BITS[place]
      if (rule.condition.ship !== undefined) watching += bit
      if (keptPlace === undefined) {
        writeRule(world, entry, first + place, place, rule)
        isNew += bit
        if (rule.armed) armed += bit
        if (holdsNow(world, slot, rule)) held += bit
      } else {
        kept.add(keptPlace)
        moveRule(world, slot, { from: was.row, to: first, keptPlace, place })
        if ((was.armed & RULE_BITS[keptPlace]) !== 0) armed += bit
        if ((was.held & RULE_BITS[keptPlace]) !== 0) held += bit
      }
    }
    for (const place of before.keys()) {
      if (!kept.has(place)) freeSightings(world, slot, was.row + place, place)
    }
    ships.ruleRow[slot] = first
    ships.ruleCount[slot] = rules.length
    ships.ruleArmed[slot] = armed
    ships.ruleWatching[slot] = watching
    const isFlying = ships.condition[slot] === FLYING
    ships.ruleHeld[slot] = held | (isFlying ? heldAtStart(flight, slot) & isNew : 0)
    ships.ruleEndHeld[slot] = ships.ruleHeld[slot]
    ships.ruleFires[slot] = 0
    ships.ruleAt[slot] = 0
    freeRuleRows(lists.space, was.row, before.length)
  })
  listRules(lists, number, rules)
}

/** Whether a module's column fulfils a condition at the published index. */
function holdsNow({ modules }: World, slot: number, { condition }: Rule): boolean {
  return condition.kind === 'module' && modules?.rules.holds(slot, condition) === true
}

/** Gives back what the rules of a ship hold that leaves the world. */
export function dropRules(world: World, { number, slot }: RosterEntry): void {
  const { rules: lists, state } = world
  const before = lists.ofShip.get(number)
  if (!before) return
  const row = state.ships.ruleRow[slot]
  state.ships.sighting[slot] = -1
  for (const place of before.keys()) freeSightings(world, slot, row + place, place)
  freeRuleRows(lists.space, row, before.length)
  listRules(lists, number, [])
}

/** Disarms the rules that name a station or gate which is taken out at the published index. */
export function disarmRules({ flight, index, roster, rules, state }: World, railId: string): void {
  const { ruleArmed } = state.ships
  for (const [number, list] of rules.ofShip) {
    const ship = roster.byNumber.get(number)
    if (!ship || !list.some((rule) => railsOf(rule).includes(railId))) continue
    changeShip(flight, ship.slot, index, () => {
      for (const [place, rule] of list.entries()) {
        if (railsOf(rule).includes(railId)) ruleArmed[ship.slot] &= ~RULE_BITS[place]
      }
    })
  }
}

/** A rule to be set, and the place that it has already. */
interface WantedRule {
  readonly rule: Rule
  readonly keptPlace?: number
}

function wantedRule(before: readonly Rule[], entry: Rule | SameRule): WantedRule {
  if ('condition' in entry) return { rule: plainRule(entry) }
  const keptPlace = before.findIndex(({ ruleId }) => ruleId === entry.ruleId)
  if (keptPlace >= 0) return { rule: before[keptPlace], keptPlace }
  throw new EngineError('ERR_RULE_UNKNOWN', `No rule ${entry.ruleId}.`)
}

function requireRules(world: World, slot: number, wanted: readonly WantedRule[]): void {
  if (wanted.length > RULES_PER_SHIP) {
    throw new EngineError('ERR_RULES_FULL', `A ship has at most ${RULES_PER_SHIP} rules.`)
  }
  const ids = new Set(wanted.map(({ rule }) => rule.ruleId))
  if (ids.size < wanted.length) throw new EngineError('ERR_RULE', 'Two rules have one id.')
  const bodies = world.state.system.bodies.length
  let sightings = 0
  for (const { rule, keptPlace } of wanted) {
    if (keptPlace !== undefined) continue
    requireSoundRule(rule)
    const [module] = modulesOf(rule)
    if (module !== undefined) requireModules(world, module).rules.requireRule(rule)
    const { condition, order = {} } = rule
    for (const body of [condition.body, order.maneuver?.body]) {
      if (body === undefined || body < bodies) continue
      throw new EngineError('ERR_RULE', `There is no body ${body}.`)
    }
    requirePossible(world.state, slot, order)
    for (const id of railsOf(rule)) {
      if (world.roster.rails.has(id)) continue
      throw new EngineError('ERR_RULE', `There is no station or gate ${id}.`)
    }
    for (const ship of [condition.ship ?? 0, watchedBy(order)]) {
      if (ship === 0) continue
      sightings++
      if (world.roster.byNumber.has(ship)) continue
      throw new EngineError('ERR_RULE', `There is no ship ${ship}.`)
    }
  }
  if (sightings > 0) requireSightings(world, sightings)
}

function requireSightings({ state }: World, count: number): void {
  const taken = state.sightings.sightingUse.reduce((sum, use) => sum + (use > 0 ? 1 : 0), 0)
  if (taken + count <= RULE_SIGHTINGS_MAX && watchersOf(state).free.length >= count) return
  throw new EngineError('ERR_WATCHERS', `Rules already watch ${taken} ships.`)
}

interface Move {
  readonly from: number
  readonly to: number
  readonly keptPlace: number
  readonly place: number
}

/** Moves a rule to another row and place, with its state and what it watches. */
function moveRule({ state }: World, slot: number, { from, to, keptPlace, place }: Move): void {
  const { actions, rules, sightings } = state
  const [was, is] = [from + keptPlace, to + place]
  for (const { name, components } of RULE_COLUMNS) {
    rules[name].copyWithin(is * components, was * components, (was + 1) * components)
  }
  for (const { name, components } of ACTION_COLUMNS) {
    actions[name].copyWithin(is * components, was * components, (was + 1) * components)
  }
  for (const [use, row] of [
    [USE_CONDITION, rules.whenSighting[is]],
    [USE_ACTION, actions.orderSighting[is]],
  ]) {
    if (isOf(sightings, row, slot, use + keptPlace)) sightings.sightingUse[row] = use + place
  }
}

function freeSightings({ state }: World, slot: number, rule: number, place: number): void {
  const { actions, rules, ships, sightings } = state
  for (const [use, row] of [
    [USE_CONDITION, rules.whenSighting[rule]],
    [USE_ACTION, actions.orderSighting[rule]],
  ]) {
    if (!isOf(sightings, row, slot, use + place)) continue
    sightings.sightingUse[row] = USE_POINTING
    // A ship goes on pointing where a rule made it point.
    if (ships.sighting[slot] !== row) sightings.watcher[row] = -1
  }
}

function isOf(
  { sightingUse, watcher }: World['state']['sightings'],
  row: number,
  slot: number,
  use: number,
): boolean {
  return sightingUse[row] === use && watcher[row] === slot
}
