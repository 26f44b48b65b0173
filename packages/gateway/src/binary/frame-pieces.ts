import {
  type BlockName,
  FRAME_BLOCKS,
  FRAME_HEADER_BYTES,
  createBlock,
  frameHeader,
} from '@orrery/protocol'
import { type Column, valueBytes } from '@orrery/sim'
import type { Frame } from '../frames/frames.ts'
import { type Values, copyRow } from './column-rows.ts'

type Columns = Readonly<Record<string, Values>>

/** Rows of a block by the protocol's table; the first `count` of the columns hold something. */
export interface Rows {
  readonly count: number
  readonly columns: Columns
}

const COLUMNS = new Map<BlockName, readonly Column[]>(
  FRAME_BLOCKS.map(({ name, columns }) => [name, columns]),
)

/** Bytes that one row of a block takes. */
export function rowBytes(name: BlockName): number {
  return COLUMNS.get(name)!.reduce((sum, it) => sum + it.components * valueBytes(it), 0)
}

/** The bytes of a block with all rows of columns. */
function blockOf(name: BlockName, { columns, count }: Rows): Uint8Array {
  const { bytes, columns: into } = createBlock(name, count)
  for (const { name: column, components } of COLUMNS.get(name)!) {
    const target = (into as Columns)[column]
    target.set(columns[column].subarray(0, components * count))
  }
  return bytes
}

/** The bytes of a block with some rows of columns. */
function blockOfSome(name: BlockName, from: Columns, rows: readonly number[]): Uint8Array {
  const { bytes, columns } = createBlock(name, rows.length)
  for (const column of COLUMNS.get(name)!) {
    const [target, source] = [(columns as Columns)[column.name], from[column.name]]
    for (let row = 0; row < rows.length; row++) copyRow(column, target, row, source, rows[row])
  }
  return bytes
}

/** The blocks of one frame, in order. */
export class FramePieces {
  readonly #pieces: Uint8Array[] = []
  #count = 0
  byteLength: number = FRAME_HEADER_BYTES

  get isEmpty(): boolean {
    return this.#count === 0
  }

  add(block: Uint8Array): void {
    this.#pieces.push(block)
    this.byteLength += block.length
    this.#count++
  }

  /** Adds a block of rows, or of some of them; none when there are none. */
  addRows(name: BlockName, rows: Rows, some?: readonly number[]): void {
    if ((some?.length ?? rows.count) === 0) return
    this.add(some ? blockOfSome(name, rows.columns, some) : blockOf(name, rows))
  }

  /** Adds what other frames share. */
  addAll(shared: FramePieces): void {
    for (const piece of shared.#pieces) this.#pieces.push(piece)
    this.byteLength += shared.byteLength - FRAME_HEADER_BYTES
    this.#count += shared.#count
  }

  /** The same blocks in one piece. */
  joined(): FramePieces {
    const { byteLength } = this
    const all = new FramePieces()
    if (this.#count > 0) all.#pieces.push(Buffer.concat(this.#pieces))
    all.#count = this.#count
    all.byteLength = byteLength
    return all
  }

  frame(publication: number, index: number): Frame {
    const header = frameHeader(publication, index, this.#count)
    return { isBinary: true, byteLength: this.byteLength, pieces: [header, ...this.#pieces] }
  }
}
