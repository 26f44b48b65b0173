import {
  ACTION_COLUMNS,
  COPIED_COLUMNS,
  type Column,
  LAYOUT_DIGEST,
  ORDER_COLUMNS,
  PHYSICS,
  RULE_COLUMNS,
  type Row,
  SHIP_COLUMNS,
  copiedRow,
  hullAt,
  shipCheck,
  writeRow,
  writtenOrder,
} from '@orrery/sim'
import { waitingOrders } from '../prediction/copied-ships.ts'
import { type RosterEntry, placesIn } from '../world/roster.ts'
import type { World } from '../world/world.ts'
import { Rows } from './rows.ts'

/** Whose seed it is, and what it fits. */
const SEED_COLUMNS = [
  { name: 'number', type: 'u32', components: 1, unit: 'ship' },
  { name: 'slot', type: 'u32', components: 1, unit: 'its chunk decides the phase of its steps' },
  { name: 'index', type: 'f64', components: 1, unit: 'quanta at which it was taken' },
  { name: 'physics', type: 'u32', components: 1, unit: 'version' },
  { name: 'layout', type: 'u32', components: 4, unit: 'digest of all columns of the core' },
] as const

const CHECK_COLUMNS = [
  { name: 'number', type: 'u32', components: 1, unit: 'ship' },
  { name: 'index', type: 'f64', components: 1, unit: 'quanta' },
  { name: 'check', type: 'u32', components: 2, unit: 'digest' },
] as const

/** What a ship is flown from beside massive bodies, rails and other ships. */
export interface ShipSeed {
  readonly seed: Rows<typeof SEED_COLUMNS>
  readonly seedShip: Rows<typeof SHIP_COLUMNS>
  /** conditions of its rules */
  readonly seedRules: Rows<typeof RULE_COLUMNS>
  /** what those order */
  readonly seedActions: Rows<typeof ACTION_COLUMNS>
  /** orders that wait, with their indices */
  readonly seedOrders: Rows<typeof ORDER_COLUMNS>
}

const LAYOUT = [0, 8, 16, 24].map((at) => Number.parseInt(LAYOUT_DIGEST.slice(at, at + 8), 16))

/** A ship at the published index; between ticks. */
export function shipSeed(world: World, entry: RosterEntry): ShipSeed {
  const { index, roster, state } = world
  const { actions, rules, ships, slots } = state
  const { number, slot } = entry
  const ship = copiedRow(COPIED_COLUMNS, ships, slot)
  const hullDoubles = ships.hullStep.length / slots
  const at = hullAt(ships, slot)
  const hullStep =
    at < 0 ? new Float64Array(hullDoubles) : ships.hullStep.slice(at, at + hullDoubles)
  const first = ships.ruleRow[slot]
  const ruleRows = Array.from({ length: ships.ruleCount[slot] }, (_, place) => first + place)
  const places = placesIn(roster)
  const orders = waitingOrders(world, number)
    .toSorted((a, b) => a.index - b.index || a.sequence - b.sequence)
    .map((order) => ({ ...writtenOrder(order.control, places), orderIndex: [order.index] }))
  return {
    seed: rowsOf(SEED_COLUMNS, [
      { number: [number], slot: [slot], index: [index], physics: [PHYSICS], layout: LAYOUT },
    ]),
    seedShip: rowsOf(SHIP_COLUMNS, [{ ...ship, hullStep }]),
    seedRules: rowsOf(
      RULE_COLUMNS,
      ruleRows.map((row) => copiedRow(RULE_COLUMNS, rules, row)),
    ),
    seedActions: rowsOf(
      ACTION_COLUMNS,
      ruleRows.map((row) => copiedRow(ACTION_COLUMNS, actions, row)),
    ),
    seedOrders: rowsOf(ORDER_COLUMNS, orders),
  }
}

export type ShipCheck = Rows<typeof CHECK_COLUMNS>

/** A digest of a ship at the start of its open step, see `shipCheck` of the core. */
export function ownShipCheck({ state }: World, { number, slot }: RosterEntry): ShipCheck {
  const check = new Uint32Array(2)
  shipCheck(check, state, slot)
  return rowsOf(CHECK_COLUMNS, [{ number: [number], index: [state.ships.stepStart[slot]], check }])
}

function rowsOf<const Columns extends readonly Column[]>(
  columns: Columns,
  values: readonly Row[],
): Rows<Columns> {
  const rows = new Rows(columns, Math.max(1, values.length))
  for (const row of values) writeRow(columns, rows.columns, rows.add(), row)
  return rows
}
