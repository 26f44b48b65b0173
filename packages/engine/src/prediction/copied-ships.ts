import {
  ORDER_COLUMNS,
  RULE_COLUMNS,
  SHIP_COLUMNS,
  SIGHTING_COLUMNS,
  USE_POINTING,
  type WorldState,
  hullAt,
} from '@orrery/sim'
import { type Control, watchedBy } from '../commands/control.ts'
import type { RosterEntry } from '../world/roster.ts'
import type { World } from '../world/world.ts'
import { type Row, copiedRow, writeRow } from './copied-rows.ts'

/** A ship with all that its trajectory depends on beside the massive bodies and other ships. */
export interface CopiedShip {
  readonly entry: RosterEntry
  readonly columns: Row
  /** its row of `hullStep`, if it has one */
  readonly hull: Float64Array | undefined
  /** its rows of the sighting table, by their numbers there */
  readonly sightings: ReadonlyMap<number, Row>
  readonly rules: readonly CopiedRule[]
  readonly orders: readonly CopiedOrder[]
}

/** A rule's condition and what it orders, as in the tables. */
interface CopiedRule {
  readonly condition: Row
  readonly action: Row
}

/** A control order that waits. */
export interface CopiedOrder {
  readonly index: number
  readonly sequence: number
  readonly control: Control
}

/** Ships that are copied at most: one that further ones are watched by loses sight of them. */
const COPIED_SHIPS_MAX = 16

/**
 * Copies a ship, those that it watches or is ordered to watch, those that these watch, and so on;
 * between ticks.
 *
 * @param supposed  further orders of the first ship
 * @param also      number of one more ship
 */
export function copyShips(
  world: World,
  first: RosterEntry,
  supposed: readonly CopiedOrder[],
  also?: number,
): CopiedShip[] {
  const { roster } = world
  const rows = sightingRows(world.state)
  const ships: CopiedShip[] = []
  const wanted = new Set([first.number])
  if (also !== undefined) wanted.add(also)
  for (const number of wanted) {
    const entry = roster.byNumber.get(number)
    if (!entry || ships.length === COPIED_SHIPS_MAX) continue
    const ship = copyShip(world, entry, rows.get(entry.slot) ?? [])
    ships.push(entry === first ? { ...ship, orders: [...ship.orders, ...supposed] } : ship)
    for (const sighting of ship.sightings.values()) wanted.add(sighting['watchedNumber'][0])
    for (const { action } of ship.rules) wanted.add(action['orderTargetNumber'][0])
    for (const { control } of ships.at(-1)!.orders) wanted.add(watchedBy(control))
  }
  return ships
}

/** The rows of the sighting table that ships have, by slot. */
function sightingRows({ ships, sightings }: WorldState): ReadonlyMap<number, number[]> {
  const rows = new Map<number, number[]>()
  for (const [row, slot] of sightings.watcher.entries()) {
    if (slot < 0) continue
    const isRule = sightings.sightingUse[row] !== USE_POINTING
    if (!isRule && ships.sighting[slot] !== row) continue
    const known = rows.get(slot)
    if (known) known.push(row)
    else rows.set(slot, [row])
  }
  return rows
}

function copyShip(
  { intake, state }: World,
  entry: RosterEntry,
  rows: readonly number[],
): CopiedShip {
  const { actions, rules, ships, sightings, slots } = state
  const { slot } = entry
  const at = hullAt(ships, slot)
  return {
    entry,
    columns: copiedRow(OWN_COLUMNS, ships, slot),
    hull: at < 0 ? undefined : ships.hullStep.slice(at, at + ships.hullStep.length / slots),
    sightings: new Map(rows.map((row) => [row, copiedRow(SIGHTING_COLUMNS, sightings, row)])),
    rules: Array.from({ length: ships.ruleCount[slot] }, (_, place) => {
      const row = ships.ruleRow[slot] + place
      return {
        condition: copiedRow(RULE_COLUMNS, rules, row),
        action: copiedRow(ORDER_COLUMNS, actions, row),
      }
    }),
    orders: intake.pending
      .filter(({ ship }) => ship.number === entry.number)
      .map(({ index, sequence, control }) => ({ index, sequence, control })),
  }
}

/** Writes copied ships to their slots of a state that has no other, with rows of tables. */
export function writeShips(
  { actions, rules, ships, sightings }: WorldState,
  copies: readonly CopiedShip[],
): void {
  let sightingRow = 0
  let ruleRow = 0
  for (const copy of copies) {
    const { slot } = copy.entry
    writeRow(OWN_COLUMNS, ships, slot, copy.columns)
    if (copy.hull) ships.hullStep.set(copy.hull, hullAt(ships, slot))
    const placed = new Map<number, number>()
    for (const [was, sighting] of copy.sightings) {
      placed.set(was, sightingRow)
      writeRow(SIGHTING_COLUMNS, sightings, sightingRow++, sighting)
    }
    const rowOf = (was: number): number => placed.get(was) ?? -1
    ships.sighting[slot] = rowOf(ships.sighting[slot])
    ships.ruleRow[slot] = ruleRow
    for (const { condition, action } of copy.rules) {
      writeRow(RULE_COLUMNS, rules, ruleRow, condition)
      writeRow(ORDER_COLUMNS, actions, ruleRow, action)
      rules.whenSighting[ruleRow] = rowOf(rules.whenSighting[ruleRow])
      actions.orderSighting[ruleRow] = rowOf(actions.orderSighting[ruleRow])
      ruleRow++
    }
  }
}

/** A slot has no row of its own in `hullStep`. */
const OWN_COLUMNS = SHIP_COLUMNS.filter(({ name }) => name !== 'hullStep')
