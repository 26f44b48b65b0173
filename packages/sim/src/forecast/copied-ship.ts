import { hullAt } from '../ships/hull-row.ts'
import { CHUNK_SLOTS } from '../lattice.ts'
import { ACTION_COLUMNS, RULE_COLUMNS, SHIP_COLUMNS, SIGHTING_COLUMNS } from '../state/layout.ts'
import type { WorldState } from '../state/state.ts'
import { type Row, copiedRow, writeRow } from './copied-rows.ts'

/** A ship with all that its trajectory depends on beside the massive bodies and other ships. */
export interface CopiedShip {
  readonly shipId: string
  readonly number: number
  /** in its world */
  readonly slot: number
  readonly columns: Row
  /** its row of `hullStep`, if it has one */
  readonly hull: Float64Array | undefined
  /** its rows of the sighting table, by their numbers there */
  readonly sightings: ReadonlyMap<number, Row>
  readonly rules: readonly CopiedRule[]
  readonly orders: readonly CopiedOrder[]
}

/** A rule's condition and what it orders, as in the tables. */
export interface CopiedRule {
  readonly condition: Row
  readonly action: Row
}

/** A control order that waits. */
export interface CopiedOrder {
  readonly index: number
  readonly sequence: number
  /** as `writeControl` writes it */
  readonly order: Row
}

/** The columns of a copied ship: a slot has no row of its own in `hullStep`. */
export const COPIED_COLUMNS: readonly (typeof SHIP_COLUMNS)[number][] = SHIP_COLUMNS.filter(
  ({ name }) => name !== 'hullStep',
)

/**
 * Copies a ship of a state; between ticks.
 *
 * @param rows    its rows of the sighting table
 * @param orders  those that wait
 */
export function copiedShip(
  { actions, rules, ships, sightings, slots }: WorldState,
  { shipId, number, slot }: Pick<CopiedShip, 'shipId' | 'number' | 'slot'>,
  rows: readonly number[],
  orders: readonly CopiedOrder[],
): CopiedShip {
  const at = hullAt(ships, slot)
  return {
    shipId,
    number,
    slot,
    columns: copiedRow(COPIED_COLUMNS, ships, slot),
    hull: at < 0 ? undefined : ships.hullStep.slice(at, at + ships.hullStep.length / slots),
    sightings: new Map(rows.map((row) => [row, copiedRow(SIGHTING_COLUMNS, sightings, row)])),
    rules: Array.from({ length: ships.ruleCount[slot] }, (_, place) => {
      const row = ships.ruleRow[slot] + place
      return {
        condition: copiedRow(RULE_COLUMNS, rules, row),
        action: copiedRow(ACTION_COLUMNS, actions, row),
      }
    }),
    orders,
  }
}

/** Writes copied ships to a state that has no other, with their rows of tables. */
export function writeShips(state: WorldState, copies: readonly CopiedShip[]): void {
  const { actions, rules, ships, sightings } = state
  let sightingRow = 0
  let ruleRow = 0
  for (const copy of copies) {
    const slot = slotIn(state, copy.slot)
    writeRow(COPIED_COLUMNS, ships, slot, copy.columns)
    if (copy.hull) ships.hullStep.set(copy.hull, hullAt(ships, slot))
    const placed = new Map<number, number>()
    for (const [was, sighting] of copy.sightings) {
      placed.set(was, sightingRow)
      writeRow(SIGHTING_COLUMNS, sightings, sightingRow, sighting)
      sightings.watcher[sightingRow] = slot
      sightings.watched[sightingRow] = slotIn(state, sightings.watched[sightingRow])
      sightingRow++
    }
    const rowOf = (was: number): number => placed.get(was) ?? -1
    ships.sighting[slot] = rowOf(ships.sighting[slot])
    ships.ruleRow[slot] = ruleRow
    for (const { condition, action } of copy.rules) {
      writeRow(RULE_COLUMNS, rules, ruleRow, condition)
      writeRow(ACTION_COLUMNS, actions, ruleRow, action)
      rules.whenSighting[ruleRow] = rowOf(rules.whenSighting[ruleRow])
      actions.orderSighting[ruleRow] = rowOf(actions.orderSighting[ruleRow])
      actions.orderTarget[ruleRow] = slotIn(state, actions.orderTarget[ruleRow])
      ruleRow++
    }
  }
}

/** A world's slot in a state of some of its chunks; -1 when it is none or before them. */
export function slotIn({ firstChunk }: WorldState, slot: number): number {
  return Math.max(-1, slot - CHUNK_SLOTS * firstChunk)
}
