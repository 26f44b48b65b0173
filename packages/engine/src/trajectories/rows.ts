import { type Column, type ColumnViews, columnBytes, columnViews } from '@orrery/sim'

/** Rows of a table that grows, each column in an array of its own; refilled by its owner. */
export class Rows<const Columns extends readonly Column[]> {
  readonly #columns: Columns
  #capacity: number
  #views: ColumnViews<Columns>
  /** rows that hold something, from the first on */
  count = 0

  constructor(columns: Columns, capacity: number) {
    this.#columns = columns
    this.#capacity = capacity
    this.#views = table(columns, capacity)
  }

  /** Views of more rows than `count`; others once it has grown. */
  get columns(): ColumnViews<Columns> {
    return this.#views
  }

  /** Makes room for one more row; returns its place. */
  add(): number {
    if (this.count === this.#capacity) {
      const before: ColumnViews<readonly Column[]> = this.#views
      this.#capacity *= 2
      this.#views = table(this.#columns, this.#capacity)
      const views: ColumnViews<readonly Column[]> = this.#views
      for (const { name } of this.#columns) views[name].set(before[name])
    }
    return this.count++
  }
}

/** A table of zeros. */
export function table<const Columns extends readonly Column[]>(
  columns: Columns,
  rows: number,
): ColumnViews<Columns> {
  const buffer = new ArrayBuffer(columnBytes(columns, rows))
  return columnViews(columns, buffer, 0, rows) as ColumnViews<Columns>
}
