import { ARC_DOUBLES } from './arc.ts'
import { createNumberIndex } from './number-index.ts'
import { Records } from './records.ts'
import { HULL_DOUBLES } from './received-hull.ts'

/** Ships whose trajectories the server sends, in rows without gaps. */
export class ReceivedShips {
  /** steps, see arc.ts */
  readonly arcs: Records = new Records(ARC_DOUBLES)
  /** attitudes and engines, see received-hull.ts */
  readonly hulls: Records = new Records(HULL_DOUBLES)
  readonly #index = createNumberIndex()
  /** by row */
  readonly #numbers: number[] = []

  /** rows in use */
  get count(): number {
    return this.#numbers.length
  }

  /** Row of a ship; -1 when it is not known. */
  row(number: number): number {
    return this.#index.row(number)
  }

  /** The row of a ship, an empty one when it is new. */
  take(number: number): number {
    const known = this.#index.row(number)
    if (known >= 0) return known
    const row = this.#numbers.push(number) - 1
    this.#index.put(number, row)
    this.arcs.open(row)
    this.hulls.open(row)
    return row
  }

  /** Forgets the ship of a row, which the last row takes. */
  remove(row: number): void {
    this.#index.remove(this.#numbers[row])
    const last = this.#numbers.length - 1
    const number = this.#numbers.pop()!
    if (row === last) return
    this.#numbers[row] = number
    this.#index.put(number, row)
    this.arcs.move(last, row)
    this.hulls.move(last, row)
  }
}
