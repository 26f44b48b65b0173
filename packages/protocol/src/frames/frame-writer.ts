import { type ColumnViews, columnBytes, columnViews } from '@orrery/sim'
import { type BlockColumns, type BlockName, FRAME_BLOCKS } from './frame-blocks.ts'

/** Bytes before the first block of a frame, and before the columns of a block. */
export const FRAME_HEADER_BYTES = 16
export const BLOCK_HEADER_BYTES = 8

/** The version of the header and of blocks as such; columns are described by the `welcome`. */
export const FRAME_VERSION = 1

/** Typed views of a block's columns. */
export type BlockViews<Name extends BlockName> = ColumnViews<BlockColumns<Name>>

/** Bytes of a block, and its columns to be filled. */
export interface WritableBlock<Name extends BlockName> {
  readonly bytes: Uint8Array
  readonly columns: BlockViews<Name>
}

const BLOCKS = new Map(FRAME_BLOCKS.map((block) => [block.name, block]))

/** A block with zeros in fewer than 2^24 rows; on little-endian machines. */
export function createBlock<Name extends BlockName>(name: Name, rows: number): WritableBlock<Name> {
  const { kind, columns } = BLOCKS.get(name)!
  const length = columnBytes(columns, rows)
  const buffer = new ArrayBuffer(BLOCK_HEADER_BYTES + length)
  const header = new Uint32Array(buffer, 0, 2)
  header[0] = rows * 256 + kind
  header[1] = length
  return {
    bytes: new Uint8Array(buffer),
    columns: columnViews(columns, buffer, BLOCK_HEADER_BYTES, rows) as BlockViews<Name>,
  }
}

/**
 * The first bytes of a frame.
 *
 * @param publication  of the receiver's star system
 * @param index        published lattice index
 * @param blocks       that follow
 */
export function frameHeader(publication: number, index: number, blocks: number): Uint8Array {
  const bytes = new Uint8Array(FRAME_HEADER_BYTES)
  const view = new DataView(bytes.buffer)
  view.setUint16(0, FRAME_VERSION, true)
  view.setUint16(2, blocks, true)
  view.setUint32(4, publication, true)
  view.setFloat64(8, index, true)
  return bytes
}
