import { CHUNK_SLOTS } from '@orrery/sim'
import type { Beat } from '../../declaration.ts'
import { turnAt } from '../../turn.ts'
import type { ColumnMemory } from '../columns/memory.ts'

/** @param beat  of a module, whose columns these are */
export function beatingBy(
  beat: Pick<Beat<never, never, never>, 'of' | 'every'> | undefined,
  columns: readonly ColumnMemory[],
  shipNumber: ArrayLike<number>,
): Beating | undefined {
  const of = columns.find((column) => column.name === beat?.of)
  return of && new Beating(of, beat?.every, shipNumber)
}

/** The ships that have beats: those whose value of a column is not 0. */
export class Beating {
  readonly #of: ColumnMemory
  /** by slot */
  readonly #shipNumber: ArrayLike<number>
  /** 1 where one of the ships is in the chunk */
  readonly #chunks: Uint8Array
  /** slots turn by turn, each in the order of ship numbers */
  #list = new Int32Array(64)
  /** where each turn begins in the list, and where the last one ends */
  readonly #begins: Int32Array
  /** of the column, when the ships were listed */
  #changes = -1

  constructor(of: ColumnMemory, turns: number | undefined = 1, shipNumber: ArrayLike<number>) {
    this.#of = of
    this.#shipNumber = shipNumber
    this.#chunks = new Uint8Array(Math.ceil(shipNumber.length / CHUNK_SLOTS))
    this.#begins = new Int32Array(turns + 1)
  }

  /** The column has changed by another way than the module. */
  changed(): void {
    this.#changes = -1
  }

  /** How many there are. */
  get count(): number {
    this.#update()
    return this.#begins[this.#begins.length - 1]
  }

  /** Slots of those whose turn it is at a full second, in the order of ship numbers. */
  slots(index: number): Int32Array {
    this.#update()
    const turn = turnAt(index, this.#begins.length - 1)
    return this.#list.subarray(this.#begins[turn], this.#begins[turn + 1])
  }

  mark(chunkMeets: Uint8Array): boolean {
    if (this.count === 0) return false
    for (let chunk = 0; chunk < this.#chunks.length; chunk++) {
      if (this.#chunks[chunk] === 1) chunkMeets[chunk] = 1
    }
    return true
  }

  /** Lists the ships again where the column has changed. */
  #update(): void {
    const { changes, values } = this.#of
    if (this.#changes === changes) return
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
    const slots = this.#list.subarray(0, count)
    if (!isInOrder) slots.sort((a, b) => shipNumber[a] - shipNumber[b])
    this.#putByTurn(slots)
  }

  #putByTurn(slots: Int32Array): void {
    const begins = this.#begins
    const turns = begins.length - 1
    begins.fill(0)
    for (const slot of slots) begins[(this.#shipNumber[slot] % turns) + 1]++
    for (let turn = 0; turn < turns; turn++) begins[turn + 1] += begins[turn]
    if (turns === 1) return
    const next = begins.slice()
    for (const slot of slots.slice()) {
      this.#list[next[this.#shipNumber[slot] % turns]++] = slot
    }
  }
}
