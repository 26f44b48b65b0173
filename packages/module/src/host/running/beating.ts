import { CHUNK_SLOTS } from '@orrery/sim'
import type { ColumnMemory } from '../columns/memory.ts'

/** @param name  of the column that says which have beats */
export function beatingBy(
  name: string | undefined,
  columns: readonly ColumnMemory[],
  shipNumber: ArrayLike<number>,
): Beating | undefined {
  const of = columns.find((column) => column.name === name)
  return of && new Beating(of, shipNumber)
}

/** The ships that have beats: those whose value of a column is not 0. */
export class Beating {
  readonly #of: ColumnMemory
  /** by slot */
  readonly #shipNumber: ArrayLike<number>
  /** 1 where one of the ships is in the chunk */
  readonly #chunks: Uint8Array
  #list = new Int32Array(64)
  #slots = this.#list.subarray(0, 0)
  /** of the column, when the ships were listed */
  #changes = -1

  constructor(of: ColumnMemory, shipNumber: ArrayLike<number>) {
    this.#of = of
    this.#shipNumber = shipNumber
    this.#chunks = new Uint8Array(Math.ceil(shipNumber.length / CHUNK_SLOTS))
  }

  /** The column has changed by another way than the module. */
  changed(): void {
    this.#changes = -1
  }

  /** In the order of ship numbers. */
  get slots(): Int32Array {
    const { changes, values } = this.#of
    if (this.#changes === changes) return this.#slots
    this.#changes = changes
    this.#chunks.fill(0)
    const shipNumber = this.#shipNumber
    let count = 0
    let last = -Infinity
    let isInOrder = true
    for (let slot = 0; slot < values.length; slot++) {
      if (values[slot] === 0) continue
      if (count === this.#list.length)
        this.#list = new Int32Array(this.#list.buffer.transfer(8 * count))
      this.#list[count++] = slot
      this.#chunks[Math.floor(slot / CHUNK_SLOTS)] = 1
      if (shipNumber[slot] < last) isInOrder = false
      last = shipNumber[slot]
    }
    this.#slots = this.#list.subarray(0, count)
    if (!isInOrder) this.#slots.sort((a, b) => shipNumber[a] - shipNumber[b])
    return this.#slots
  }

  mark(chunkMeets: Uint8Array): boolean {
    if (this.slots.length === 0) return false
    for (let chunk = 0; chunk < this.#chunks.length; chunk++) {
      if (this.#chunks[chunk] === 1) chunkMeets[chunk] = 1
    }
    return true
  }
}
