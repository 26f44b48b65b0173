import {
  SHIP_COLUMNS,
  SIGHTING_COLUMNS,
  type ShipColumns,
  type WorldState,
  hullAt,
  watcherOf,
} from '@orrery/sim'
import { type Control, watchedBy } from '../commands/control.ts'
import type { RosterEntry } from '../world/roster.ts'
import type { World } from '../world/world.ts'

/** Values of one row of a table by column. */
type Row = Readonly<Record<string, ArrayLike<number>>>

/** A ship with all that its trajectory depends on beside the massive bodies and other ships. */
export interface CopiedShip {
  readonly entry: RosterEntry
  readonly columns: Row
  /** its row of `hullStep`, if it has one */
  readonly hull: Float64Array | undefined
  /** its row of the sighting table, if it watches a ship */
  readonly sighting: Row | undefined
  readonly orders: readonly CopiedOrder[]
}

/** A control order that waits. */
export interface CopiedOrder {
  readonly index: number
  readonly sequence: number
  readonly control: Control
}

/** Ships that are copied at most: one that further ones are watched by loses sight of them. */
export const COPIED_SHIPS_MAX = 16

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
  const ships: CopiedShip[] = []
  const wanted = new Set([first.number])
  if (also !== undefined) wanted.add(also)
  for (const number of wanted) {
    const entry = roster.byNumber.get(number)
    if (!entry || ships.length === COPIED_SHIPS_MAX) continue
    const ship = copyShip(world, entry, entry === first ? supposed : [])
    ships.push(ship)
    if (ship.sighting) wanted.add(ship.sighting['watchedNumber'][0])
    for (const { control } of ship.orders) wanted.add(watchedBy(control))
  }
  return ships
}

function copyShip(
  { intake, state }: World,
  entry: RosterEntry,
  supposed: readonly CopiedOrder[],
): CopiedShip {
  const { ships, sightings, slots } = state
  const { slot } = entry
  const row = ships.sighting[slot]
  const watches = row >= 0 && watcherOf(ships, sightings, row) === slot
  const at = hullAt(ships, slot)
  const waiting = intake.pending
    .filter(({ ship }) => ship.number === entry.number)
    .map(({ index, sequence, control }) => ({ index, sequence, control }))
  return {
    entry,
    columns: copiedRow(OWN_COLUMNS, ships, slot),
    hull: at < 0 ? undefined : ships.hullStep.slice(at, at + ships.hullStep.length / slots),
    sighting: watches ? copiedRow(SIGHTING_COLUMNS, sightings, row) : undefined,
    orders: [...waiting, ...supposed],
  }
}

/** Writes copied ships to their slots of a state that has no other; returns their orders. */
export function writeShips(
  { ships, sightings }: Pick<WorldState, 'ships' | 'sightings'>,
  copies: readonly CopiedShip[],
): void {
  for (const [row, { entry, columns, hull, sighting }] of copies.entries()) {
    const { slot } = entry
    writeRow(OWN_COLUMNS, ships, slot, columns)
    if (hull) ships.hullStep.set(hull, hullAt(ships, slot))
    ships.sighting[slot] = sighting ? row : -1
    if (sighting) writeRow(SIGHTING_COLUMNS, sightings, row, sighting)
  }
}

/** A slot has no row of its own in `hullStep`. */
const OWN_COLUMNS = SHIP_COLUMNS.filter(
  ({ name }) => name !== 'hullStep' && !name.startsWith('rule'),
)

type Columns = readonly { readonly name: string; readonly components: number }[]
type AnyView = ShipColumns[keyof ShipColumns]
type Views = Readonly<Record<string, AnyView>>

function copiedRow(columns: Columns, views: object, row: number): Row {
  const values = columns.map(({ name, components }): [string, AnyView] => [
    name,
    (views as Views)[name].slice(row * components, (row + 1) * components),
  ])
  return Object.fromEntries(values)
}

function writeRow(columns: Columns, views: object, row: number, values: Row): void {
  for (const { name, components } of columns) {
    ;(views as Views)[name].set(values[name], row * components)
  }
}
