import { RULES_PER_SHIP, type WorldState } from '@orrery/sim'
import { type Rule, modulesOf } from '../orders/rule.ts'

/** Which rows of the rule table are free: blocks of 1, 2, 4 ... 32 rows, each given back whole. */
export interface RuleSpace {
  readonly rows: number
  /** all rows from here on are free */
  end: number
  /** first rows of free blocks before `end`, by their size */
  readonly free: Map<number, number[]>
}

/** The rules of all ships of a world. */
export interface RuleLists {
  /** by ship number; each at its place */
  readonly ofShip: Map<number, readonly Rule[]>
  /** numbers of the ships that have rules of modules */
  readonly modular: Set<number>
  readonly space: RuleSpace
  /** changes of the rule table so far */
  changes: number
}

export function createRuleLists(state: WorldState): RuleLists {
  return {
    ofShip: new Map(),
    modular: new Set(),
    space: { rows: state.rules.whenKind.length, end: 0, free: new Map() },
    changes: 0,
  }
}

/** Notes the rules of a ship; without any it leaves the lists. */
export function listRules(lists: RuleLists, ship: number, rules: readonly Rule[]): void {
  lists.changes++
  if (rules.length > 0) lists.ofShip.set(ship, rules)
  else lists.ofShip.delete(ship)
  if (rules.some((rule) => modulesOf(rule).length > 0)) lists.modular.add(ship)
  else lists.modular.delete(ship)
}

/** The first of so many neighbouring rows; undefined when there is no room. */
export function takeRuleRows(space: RuleSpace, count: number): number | undefined {
  for (let size = blockSize(count); size <= RULES_PER_SHIP; size *= 2) {
    const row = space.free.get(size)?.pop()
    if (row === undefined) continue
    // The rest of a larger block stays free.
    for (let half = blockSize(count); half < size; half *= 2) giveBack(space, row + half, half)
    return row
  }
  const row = space.end
  if (row + blockSize(count) > space.rows) return undefined
  space.end += blockSize(count)
  return row
}

export function freeRuleRows(space: RuleSpace, row: number, count: number): void {
  if (count > 0) giveBack(space, row, blockSize(count))
}

function giveBack({ free }: RuleSpace, row: number, size: number): void {
  const rows = free.get(size)
  if (rows) rows.push(row)
  else free.set(size, [row])
}

function blockSize(count: number): number {
  let size = 1
  while (size < count) size *= 2
  return size
}
