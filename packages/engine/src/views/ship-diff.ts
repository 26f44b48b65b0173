import {
  EMPTY,
  FROZEN,
  SHIP_COLUMNS,
  SIGHTING_COLUMNS,
  START_COLUMNS,
  type ShipColumns,
  type WorldState,
  anchorAt,
  hullAt,
  watcherOf,
} from '@orrery/sim'
import type { RosterEntry } from '../world/roster.ts'
import { type World, startNode } from '../world/world.ts'

/** One value that is not the same in two states of a ship. */
export interface ValueDifference {
  readonly column: string
  /** place within the column's row */
  readonly component: number
  readonly left: number
  readonly right: number
}

/** A ship that differs between two worlds of one system. */
export interface ShipDifference {
  readonly number: number
  readonly shipId: string
  /** columns that differ, in the order of their tables; `condition` alone when one has no ship */
  readonly columns: readonly string[]
  readonly first: ValueDifference
}

/** Which row of a table a ship has is a matter of memory, and depends on when it was given. */
const ROW_NUMBERS: ReadonlySet<string> = new Set([
  'sighting',
  'hullRow',
  'ruleRow',
  'watcher',
  'watched',
])

/** Components of `ruleDigest`. */
const RULE_WORDS = 4

/**
 * The ships that differ between two worlds of one system at one index, to the bit and by number:
 * open steps and what watchers know included, names and commands that wait left out.
 */
export function* shipDifferences(left: World, right: World): Generator<ShipDifference, void> {
  for (const entry of left.roster.byNumber.values()) {
    const twin = right.roster.byNumber.get(entry.number)
    const found = twin
      ? valueDifferences(left.state, entry.slot, right.state, twin.slot)
      : [presence(left, entry, 'left')]
    if (found.length > 0) yield difference(entry, found)
  }
  for (const entry of right.roster.byNumber.values()) {
    if (left.roster.byNumber.has(entry.number)) continue
    yield difference(entry, [presence(right, entry, 'right')])
  }
}

/** Whether the massive bodies of two worlds of one system differ at one index. */
export function bodiesDiffer(left: World, right: World): boolean {
  const node = startNode(left.index)
  const ours = anchorAt(left.integration, node)
  const theirs = anchorAt(right.integration, node)
  return !(['x', 'v', 'xLow', 'vLow', 'energyWork', 'angularWork'] as const).every((part) =>
    ours[part].every((value, at) => Object.is(value, theirs[part][at])),
  )
}

function difference(
  { number, shipId }: RosterEntry,
  found: readonly ValueDifference[],
): ShipDifference {
  const columns = [...new Set(found.map(({ column }) => column))]
  return { number, shipId, columns, first: found[0] }
}

function presence(
  { state }: World,
  { slot }: RosterEntry,
  side: 'left' | 'right',
): ValueDifference {
  const absent = { column: 'condition', component: 0, left: EMPTY, right: EMPTY }
  return { ...absent, [side]: state.ships.condition[slot] }
}

function valueDifferences(
  left: WorldState,
  leftSlot: number,
  right: WorldState,
  rightSlot: number,
): ValueDifference[] {
  const found: ValueDifference[] = []
  const compare = (column: string, component: number, ours: number, theirs: number): void => {
    if (Object.is(ours, theirs)) return
    found.push({ column, component, left: ours, right: theirs })
  }
  compare('slot', 0, leftSlot, rightSlot)
  for (const { name, components } of comparedColumns(left.ships, leftSlot)) {
    const hulls = name === 'hullStep'
    const leftAt = hulls ? hullAt(left.ships, leftSlot) : leftSlot * components
    const rightAt = hulls ? hullAt(right.ships, rightSlot) : rightSlot * components
    if (hulls && (leftAt < 0 || rightAt < 0)) {
      compare('hullRow', 0, Math.min(leftAt, 0), Math.min(rightAt, 0))
      continue
    }
    for (let i = 0; i < components; i++) {
      compare(name, i, left.ships[name][leftAt + i], right.ships[name][rightAt + i])
    }
  }
  const [leftRule, rightRule] = [left.ships.ruleRow[leftSlot], right.ships.ruleRow[rightSlot]]
  const rules = Math.min(left.ships.ruleCount[leftSlot], right.ships.ruleCount[rightSlot])
  for (let i = 0; i < RULE_WORDS * rules; i++) {
    const ours = left.rules.ruleDigest[RULE_WORDS * leftRule + i]
    compare('ruleDigest', i, ours, right.rules.ruleDigest[RULE_WORDS * rightRule + i])
  }
  const leftRow = watchRow(left, leftSlot)
  const rightRow = watchRow(right, rightSlot)
  if (leftRow < 0 || rightRow < 0) {
    compare('sighting', 0, Math.min(leftRow, 0), Math.min(rightRow, 0))
    return found
  }
  for (const { name, components } of SIGHTING_COLUMNS) {
    if (ROW_NUMBERS.has(name)) continue
    for (let i = 0; i < components; i++) {
      const ours = left.sightings[name][leftRow * components + i]
      compare(name, i, ours, right.sightings[name][rightRow * components + i])
    }
  }
  return found
}

/** All columns, and of a frozen ship, which has no open step, those of its start. */
function comparedColumns(ships: ShipColumns, slot: number): (typeof SHIP_COLUMNS)[number][] {
  const columns = ships.condition[slot] === FROZEN ? START_COLUMNS : SHIP_COLUMNS
  return columns.filter(({ name }) => !ROW_NUMBERS.has(name))
}

/** The row of what a ship watches; -1 when it watches nothing. */
function watchRow({ ships, sightings }: WorldState, slot: number): number {
  const row = ships.sighting[slot]
  return row >= 0 && watcherOf(ships, sightings, row) === slot ? row : -1
}
