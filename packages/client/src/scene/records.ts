const ROWS_FIRST = 64

/**
 * Records of ships, a row each of at most two: the last one that came, and the one before it,
 * which holds until the last one begins, since orders are received before they act. The first value
 * of a record is where it begins [quanta].
 */
export class Records {
  /** values of a record */
  readonly stride: number
  values: Float64Array
  /** of each row, 0 to 2 */
  kept: Uint8Array = new Uint8Array(ROWS_FIRST)
  /** which of the two places of a row has the last one */
  #last: Uint8Array = new Uint8Array(ROWS_FIRST)

  constructor(stride: number) {
    this.stride = stride
    this.values = new Float64Array(2 * stride * ROWS_FIRST)
  }

  /** Place of the record that holds at a time, in `values`. */
  at(row: number, time: number): number {
    const last = this.last(row)
    return this.kept[row] === 2 && time < this.values[last] ? this.#other(row) : last
  }

  /** Place of the last record of a row. */
  last(row: number): number {
    return this.stride * (2 * row + this.#last[row])
  }

  /** Makes room for a record that begins at an index; what begins then or later is void. */
  begin(row: number, start: number): number {
    const { kept, values } = this
    const last = this.last(row)
    if (kept[row] > 0 && values[last] < start) {
      const next = this.#other(row)
      this.#last[row] = 1 - this.#last[row]
      kept[row] = 2
      values[next] = start
      return next
    }
    if (kept[row] === 0 || values[this.#other(row)] >= start) kept[row] = 1
    values[last] = start
    return last
  }

  /** Makes room for a row, without records. */
  open(row: number): void {
    if (row >= this.kept.length) this.#grow()
    this.kept[row] = 0
  }

  /** Copies a row over another. */
  move(from: number, to: number): void {
    const { kept, stride, values } = this
    values.copyWithin(2 * stride * to, 2 * stride * from, 2 * stride * (from + 1))
    kept[to] = kept[from]
    this.#last[to] = this.#last[from]
  }

  #other(row: number): number {
    return this.stride * (2 * row + 1 - this.#last[row])
  }

  #grow(): void {
    const { values, kept } = this
    const last = this.#last
    const rows = 2 * kept.length
    this.values = new Float64Array(2 * this.stride * rows)
    this.values.set(values)
    this.kept = new Uint8Array(rows)
    this.kept.set(kept)
    this.#last = new Uint8Array(rows)
    this.#last.set(last)
  }
}
