import type { Column, ColumnKind, Columns } from '../column.ts'
import { isValue } from '../define-module.ts'

/** A module that does what no module may: it is stopped. */
export class BrokenModule extends Error {
  override readonly name = 'BrokenModule'
}

type Numbers = Float64Array | Int32Array | Uint32Array | Uint8Array

/** One column and its values. */
export interface ColumnMemory {
  readonly name: string
  readonly column: Column
  readonly values: Numbers
  /** as 32-bit words */
  readonly words: Uint32Array
}

/** So many rows are hashed together: a column of them is a whole number of four words. */
export const HASHED_ROWS = 16

/** @param rows  a multiple of `HASHED_ROWS` */
export function columnMemories(columns: Columns, rows: number): ColumnMemory[] {
  return Object.entries(columns).map(([name, column]) => {
    const values = numbers(column, rows)
    const words = new Uint32Array(values.buffer)
    if (column.default !== 0) values.fill(column.default)
    return { name, column, values, words }
  })
}

function numbers({ kind }: Column, rows: number): Numbers {
  if (kind === 'f64') return new Float64Array(rows)
  if (kind === 'i32') return new Int32Array(rows)
  return kind === 'bit' ? new Uint8Array(rows) : new Uint32Array(rows)
}

/** What a module has written since it was called, to be undone where it breaks or refuses. */
export class Writes {
  readonly #memories: ColumnMemory[] = []
  readonly #places: number[] = []
  readonly #before: number[] = []
  /** writes of all times, those that were undone too */
  count = 0

  write(memory: ColumnMemory, place: number, value: number): void {
    this.#memories.push(memory)
    this.#places.push(place)
    this.#before.push(memory.values[place])
    memory.values[place] = value
    this.count++
  }

  keep(): void {
    this.#memories.length = 0
    this.#places.length = 0
    this.#before.length = 0
  }

  undo(): void {
    for (let i = this.#before.length - 1; i >= 0; i--) {
      this.#memories[i].values[this.#places[i]] = this.#before[i]
    }
    this.count++
    this.keep()
  }
}

/** A row of columns as a module reads and writes it. */
export interface RowView {
  readonly view: object
  /** Points it at another row; at none, it throws. */
  aim(place: number): void
}

/**
 * @param isRow  whether a table has a row
 * @param facts  what can only be read, by name
 */
export function rowView(
  memories: readonly ColumnMemory[],
  writes: Writes,
  isRow: (table: string | undefined, id: number) => boolean,
  facts: Readonly<Record<string, (place: number) => unknown>> = {},
): RowView {
  let place = -1
  const here = (): number => {
    if (place < 0) throw new BrokenModule('It uses a row outside of what it was given for.')
    return place
  }
  const view = Object.create(null) as object
  for (const memory of memories) {
    const { column, name, values } = memory
    const { kind } = column
    Object.defineProperty(view, name, {
      enumerable: true,
      get: () => {
        return valueOf(kind, values[here()])
      },
      set: (given: unknown) => {
        const value = stored(memory, given)
        if (kind === 'row' && value > 0 && !isRow(column.table, value)) {
          throw new BrokenModule(`It sets ${name} to row ${value}, which there is not.`)
        }
        writes.write(memory, here(), value)
      },
    })
  }
  for (const [name, read] of Object.entries(facts)) {
    Object.defineProperty(view, name, { enumerable: true, get: () => read(here()) })
  }
  Object.freeze(view)
  return {
    view,
    aim(to) {
      place = to
    },
  }
}

/** A value as a module reads it. */
export function valueOf(kind: ColumnKind, value: number): number | boolean | null {
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
