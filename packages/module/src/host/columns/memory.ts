import type { Column, ColumnKind, Columns } from '../../column.ts'
import type { OldValues } from '../../declaration.ts'
import { isValue } from '../../define-module.ts'
import { type Numbers, Undo, type Writes, type Written } from './writes.ts'

/** A module that does what no module may: it is stopped. */
export class BrokenModule extends Error {
  override readonly name = 'BrokenModule'
}

/** One column and its values. */
export interface ColumnMemory extends Written {
  readonly name: string
  readonly column: Column
  /** name of the column of texts that it is a part of */
  readonly text?: string
  /** as 32-bit words */
  readonly words: Uint32Array
}

/** So many rows are hashed together: a column of them is a whole number of four words. */
export const HASHED_ROWS = 16

/** @param rows  a multiple of `HASHED_ROWS` */
export function columnMemories(columns: Columns, rows: number): ColumnMemory[] {
  return Object.entries(columns).flatMap(([name, column]) => {
    if (column.kind !== 'text') return [memoryOf(name, column, rows)]
    const parts = Array.from({ length: textParts(column) }, (_, part) => `${name} ${part}`)
    return parts.map((part) => ({ ...memoryOf(part, column, rows), text: name }))
  })
}

function memoryOf(name: string, column: Column, rows: number): ColumnMemory {
  const values = numbers(column, rows)
  const words = new Uint32Array(values.buffer)
  if (column.default !== 0) values.fill(column.default)
  return { name, column, values, words, changes: 0, undo: new Undo() }
}

/** Columns by the names that modules have for them: of a text all parts, of others one. */
export function byName(memories: readonly ColumnMemory[]): Map<string, ColumnMemory[]> {
  return Map.groupBy(memories, ({ name, text = name }) => text)
}

function numbers({ kind }: Column, rows: number): Numbers {
  if (kind === 'f64' || kind === 'text') return new Float64Array(rows)
  if (kind === 'i32') return new Int32Array(rows)
  return kind === 'bit' ? new Uint8Array(rows) : new Uint32Array(rows)
}

/** The row that views are of; of none, below 0, they throw. */
export interface Aim {
  place: number
}

/**
 * A row of columns as a module reads and writes it.
 *
 * @param isRow  whether a table has a row
 * @param facts  what can only be read, by name
 */
export function rowView(
  aim: Aim,
  memories: readonly ColumnMemory[],
  writes: Writes,
  isRow: (table: string | undefined, id: number) => boolean,
  facts: Readonly<Record<string, (place: number) => unknown>> = {},
): object {
  const here = (): number => {
    const { place } = aim
    if (place >= 0) return place
    throw new BrokenModule('It uses a row outside of what it was given for.')
  }
  // Without a prototype of its own it is a table, which is looked up at each access.
  const view: object = Object.create(Object.freeze(Object.create(null)))
  for (const [name, parts] of byName(memories)) {
    const [memory] = parts
    const put = (value: number): void => writes.write(memory, here(), value)
    const access =
      memory.text === undefined
        ? accessors(memory, here, put, isRow)
        : {
            get: () => readText(parts, here()),
            set: (given: unknown) => writeText(parts, writes, here(), given),
          }
    Object.defineProperty(view, name, { enumerable: true, ...access })
  }
  for (const [name, read] of Object.entries(facts)) {
    Object.defineProperty(view, name, { enumerable: true, get: () => read(here()) })
  }
  return Object.freeze(view)
}

/** Functions of their own for each type: engines make each fast for the one it meets. */
function accessors(
  memory: ColumnMemory,
  here: () => number,
  put: (value: number) => void,
  isRow: (table: string | undefined, id: number) => boolean,
): { get(): unknown; set(given: unknown): void } {
  const { column, name, values } = memory
  if (column.kind === 'f64') {
    return {
      get: () => values[here()],
      set: (given) => {
        // No negative zero: a journal could not carry it.
        put(typeof given === 'number' && given - given === 0 ? given + 0 : stored(memory, given))
      },
    }
  }
  if (column.kind === 'bit') {
    return {
      get: () => values[here()] === 1,
      set: (given) => {
        put(given === true ? 1 : given === false ? 0 : stored(memory, given))
      },
    }
  }
  if (column.kind === 'row') {
    return {
      get: () => {
        const id = values[here()]
        return id === 0 ? null : id
      },
      set: (given) => {
        const id = stored(memory, given)
        if (id > 0 && !isRow(column.table, id)) {
          throw new BrokenModule(`It sets ${name} to row ${id}, which there is not.`)
        }
        put(id)
      },
    }
  }
  return { get: () => values[here()], set: (given) => put(stored(memory, given)) }
}

/** A value as a module reads it. @param parts  see `byName` */
export function valueAt(
  parts: readonly ColumnMemory[],
  place: number,
): number | boolean | string | null {
  const [{ column, text, values }] = parts
  return text === undefined ? valueOf(column.kind, values[place]) : readText(parts, place)
}

/** As an image has them, see `OldValues`. @param names  of columns, those of texts in parts */
export function oldValues(names: readonly string[], values: ArrayLike<number>): OldValues {
  const parts = new Map<string, number[]>()
  const old: Record<string, number | string> = {}
  for (const [i, name] of names.entries()) {
    const [of, part] = name.split(' ')
    if (part === undefined) old[name] = values[i]
    else if (/^\d+$/.test(part)) parts.set(of, [...(parts.get(of) ?? []), values[i]])
  }
  for (const [name, all] of parts) old[name] = textOf(all)
  return old
}

function valueOf(kind: ColumnKind, value: number): number | boolean | null {
  if (kind === 'bit') return value === 1
  return kind === 'row' && value === 0 ? null : value
}

/** A value as its column keeps it. @throws {BrokenModule} when it cannot */
export function stored({ column, name }: ColumnMemory, given: unknown): number {
  let value = given
  if (column.kind === 'bit' && typeof given === 'boolean') value = given ? 1 : 0
  if (column.kind === 'row' && given === null) value = 0
  // No negative zero: a journal could not carry it.
  if (typeof value === 'number' && isValue(column, value)) return value + 0
  throw new BrokenModule(`It sets ${name} to ${String(given)}.`)
}

/** UTF-16 units that one double holds: 48 bits. */
const UNITS = 3

const UNIT = 65_536

/** Columns of doubles that keep a column of texts, which then is as others are. */
function textParts({ length = 1 }: Column): number {
  return Math.ceil(length / UNITS)
}

function readText(parts: readonly ColumnMemory[], place: number): string {
  let text = ''
  for (const { values } of parts) text += unitsOf(values[place])
  return text
}

function textOf(parts: readonly number[]): string {
  return parts.map(unitsOf).join('')
}

function unitsOf(value: number): string {
  let units = ''
  for (let rest = value; rest > 0; rest = Math.floor(rest / UNIT)) {
    units += String.fromCharCode(rest % UNIT)
  }
  return units
}

/** @throws {BrokenModule} when its column cannot keep it */
export function writeText(
  parts: readonly ColumnMemory[],
  writes: Writes,
  place: number,
  given: unknown,
): void {
  const { length = 1 } = parts[0].column
  const isText = typeof given === 'string' && given.isWellFormed() && !/\p{Cc}/u.test(given)
  if (!isText || given.length > length) {
    throw new BrokenModule(`It sets ${parts[0].text} to ${JSON.stringify(given)}.`)
  }
  for (const [i, part] of parts.entries()) {
    let value = 0
    for (let unit = UNITS * (i + 1) - 1; unit >= UNITS * i; unit--) {
      value = value * UNIT + (unit < given.length ? given.charCodeAt(unit) : 0)
    }
    writes.write(part, place, value)
  }
}
