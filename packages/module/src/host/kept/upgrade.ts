import { EngineError } from '@orrery/engine'
import type { ModuleRoom } from '@orrery/engine/modules'
import type { OldValues } from '../../declaration.ts'
import type { GameModule } from '../../define-module.ts'
import { beginning, tableOf } from '../columns/beginning.ts'
import { reasonOf } from '../calls/broken.ts'
import { Loads, MASS_NAME, THRUST_NAME } from '../columns/loads.ts'
import {
  BrokenModule,
  type ColumnMemory,
  byName,
  oldValues,
  stored,
  writeText,
} from '../columns/memory.ts'
import { Writes } from '../columns/writes.ts'
import type { RunningModule } from '../running/running-module.ts'
import { type KeptModule, railIn } from '../columns/table.ts'
import { guarded } from '../calls/time-limit.ts'

/** Rows that are taken over within one time limit. */
const ROWS_AT_ONCE = 1000

/** @throws {EngineError} 'ERR_MODULE' when it cannot take over what the other version keeps */
export function upgradeFrom({ from, id, version }: GameModule, other: number): Upgrading {
  if (Object.hasOwn(from, other)) return from[other]
  throw new EngineError('ERR_MODULE', `${id} ${version} cannot take over from ${id} ${other}.`)
}

type Upgrading = GameModule['from'][number]

/**
 * Gives a module that has just been made what an older version has kept; returns the slots of the
 * ships that it loads otherwise.
 *
 * @throws {EngineError} 'ERR_MODULE' naming what is wrong; the module is of no use then
 */
export function upgrade(
  running: RunningModule,
  { stored: older, values }: KeptModule,
  room: ModuleRoom,
  index: number,
): readonly number[] {
  const { loads, module } = running
  const from = upgradeFrom(module, older.version)
  const { begin, tables: ofRows = {} } = from
  const writes = new Writes()
  let what = module.id
  let at = 0
  const each = (
    count: number,
    names: readonly string[],
    take: (key: number, row: readonly number[]) => void,
  ): void => {
    for (let first = 0; first < count; first += ROWS_AT_ONCE) {
      guarded(() => {
        for (let i = first; i < Math.min(count, first + ROWS_AT_ONCE); i++) {
          take(values[at], values.slice(at + 1, at + 1 + names.length))
          at += 1 + names.length
        }
      })
    }
  }
  const takeRows = ({ columns, name, rows }: KeptModule['stored']['tables'][number]): void => {
    const { columns: declared } = module.tables[name] ?? {}
    const { names, rail } = railIn(columns)
    each(rows, columns, (id, row) => {
      what = `row ${id} of ${name}`
      if (!declared) return
      const old = oldValues(names, row)
      const kept = Object.entries(old).filter(([column]) => column in declared)
      const given = Object.entries(Object(ofRows[name]?.(old)) as Given)
      const isGiven = given.filter(([, value]) => value !== undefined)
      const all = Object.fromEntries<unknown>([...kept, ...isGiven])
      tableOf(running, name).add(writes, all, rail(row))
    })
  }
  const changed: number[] = []
  try {
    // Ships refer to rows, which follow them in images.
    at = older.ships * (1 + older.columns.length)
    older.tables.forEach(takeRows)
    what = module.id
    guarded(() => begin?.(beginning(running, room, writes, index, `from ${older.version}`)))
    at = 0
    const columns = byName(running.columns)
    each(older.ships, older.columns, (slot, row) => {
      what = `ship ${room.state.ships.shipNumber[slot]}`
      const old = oldValues(older.columns, row)
      writeShip(columns, writes, slot, old, givenBy(from, old))
      for (const { column, name, values: ids } of running.columns) {
        if (column.kind !== 'row' || ids[slot] === 0) continue
        if (tableOf(running, column.table).has(ids[slot])) continue
        throw new BrokenModule(`It sets ${name} to row ${ids[slot]}, which there is not.`)
      }
      loads.weigh(writes)
      writes.keep()
      if (!isLoadedAs(older.columns, row, loads, slot)) changed.push(slot)
    })
  } catch (error) {
    throw refused(module, older.version, `${what} in ${room.state.system.id}`, error)
  }
  writes.keep()
  takeDue(running, older)
  return changed
}

function takeDue({ due, ordered }: RunningModule, older: KeptModule['stored']): void {
  // Those that waited as it stopped are long past.
  if (!older.stopped) for (const event of older.due ?? []) due.add(event)
  for (const command of older.ordered ?? []) ordered.add(command)
}

type Given = Readonly<Record<string, unknown>>

/** What a ship has otherwise than by its columns' names, that of its account included. */
export function givenBy({ account, ship }: Upgrading, old: OldValues): Given {
  return { ...ship?.(old), ...account?.(old) }
}

/** Whether a module loads a ship as the older version has, by its columns. */
function isLoadedAs(
  names: readonly string[],
  row: readonly number[],
  loads: Loads,
  slot: number,
): boolean {
  const mass = row[names.indexOf(MASS_NAME)] ?? 0
  const thrust = row[names.indexOf(THRUST_NAME)] ?? 1
  return mass === loads.mass(slot) && thrust === loads.thrust(slot)
}

/** Writes what a ship keeps by name, or is given. @throws {BrokenModule} */
export function writeShip(
  columns: ReadonlyMap<string, readonly ColumnMemory[]>,
  writes: Writes,
  place: number,
  old: OldValues,
  given: Given,
): void {
  const unknown = Object.keys(given).find((name) => !columns.has(name))
  if (unknown !== undefined) throw new BrokenModule(`It has no column ${unknown}.`)
  for (const [name, parts] of columns) {
    const value = given[name] === undefined ? old[name] : given[name]
    if (value === undefined) continue
    if (parts[0].text !== undefined) writeText(parts, writes, place, value)
    else writes.write(parts[0], place, stored(parts[0], value))
  }
}

export function refused(
  { id, version }: GameModule,
  older: number,
  what: string,
  error: unknown,
): EngineError {
  const text = `${id} ${version} cannot take over from ${id} ${older}: ${what}: ${reasonOf(error)}`
  return new EngineError('ERR_MODULE', text, { cause: error })
}
