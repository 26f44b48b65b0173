import { columnBytes, columnViews } from '@orrery/sim'
import * as v from 'valibot'
import { type BlockName, FRAME_BLOCKS, type FrameBlock } from './frame-blocks.ts'
import { FrameError } from './frame-error.ts'
import {
  BLOCK_HEADER_BYTES,
  type BlockViews,
  FRAME_HEADER_BYTES,
  FRAME_VERSION,
} from './frame-writer.ts'

/** One block that a client knows; views of the frame itself. */
export type ReadBlock = {
  readonly [Name in BlockName]: {
    readonly name: Name
    readonly rows: number
    readonly columns: BlockViews<Name>
  }
}[BlockName]

/** What a binary message holds. */
export interface ReadFrame {
  readonly publication: number
  /** published lattice index */
  readonly index: number
  /** in the order of the frame */
  readonly blocks: readonly ReadBlock[]
}

/** Reads frames by the table of the server that wrote them. */
export interface FrameReader {
  /**
   * @param frame  a whole message; the columns are views of it
   * @throws {FrameError} when it is not a frame, whatever its bytes
   */
  read(frame: ArrayBuffer): ReadFrame
}

const TYPES = ['f64', 'f32', 'i32', 'u32', 'u8'] as const

/** Schema of the table of blocks in a `welcome`. */
export const frameBlocks: v.GenericSchema<readonly FrameBlock[]> = v.array(
  v.object({
    name: v.string(),
    kind: v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(255)),
    columns: v.array(
      v.object({
        name: v.string(),
        type: v.picklist(TYPES),
        components: v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(4096)),
        unit: v.string(),
      }),
    ),
  }),
)

/**
 * @param served  the table in the server's `welcome`; blocks and columns that are not known here
 *   are passed over, and seeds of another core
 * @throws {FrameError} 'ERR_FRAME_TABLE' when another block lacks a column, or has another type
 */
export function createFrameReader(served: readonly FrameBlock[]): FrameReader {
  const known = new Map<number, FrameBlock>()
  for (const ours of FRAME_BLOCKS) {
    const theirs = served.find(({ name }) => name === ours.name)
    if (!theirs) continue
    const fault = columnFault(ours, theirs)
    // Another core's ships are not flown here, but seen.
    if (fault !== undefined && OF_THE_CORE.has(ours.name)) continue
    if (fault !== undefined) throw new FrameError('ERR_FRAME_TABLE', fault)
    known.set(theirs.kind, theirs)
  }
  return { read: (frame) => readFrame(frame, known) }
}

/** Blocks with all columns of a table of the core, whatever it has. */
const OF_THE_CORE: ReadonlySet<string> = new Set<BlockName>([
  'seedShip',
  'seedRules',
  'seedActions',
  'seedOrders',
])

/** What a known column of a block lacks in the server's table. */
function columnFault(ours: FrameBlock, theirs: FrameBlock): string | undefined {
  for (const { name, type, components } of ours.columns) {
    const column = theirs.columns.find((one) => one.name === name)
    if (column?.type === type && column.components === components) continue
    const found = column ? `${column.type} x ${column.components}` : 'missing'
    return `Column ${name} of ${ours.name} is ${found} when ${type} x ${components} was expected.`
  }
  return undefined
}

function readFrame(frame: ArrayBuffer, known: ReadonlyMap<number, FrameBlock>): ReadFrame {
  const view = new DataView(frame)
  if (frame.byteLength < FRAME_HEADER_BYTES) throw short(frame, 0)
  const version = view.getUint16(0, true)
  if (version !== FRAME_VERSION) {
    throw new FrameError('ERR_FRAME_VERSION', `A frame of version ${version} cannot be read.`)
  }
  const index = view.getFloat64(8, true)
  if (!Number.isSafeInteger(index)) {
    throw new FrameError('ERR_FRAME_VALUE', `A frame of index ${index} cannot be read.`)
  }
  const count = view.getUint16(2, true)
  const blocks: ReadBlock[] = []
  let at = FRAME_HEADER_BYTES
  for (let i = 0; i < count; i++) {
    if (at + BLOCK_HEADER_BYTES > frame.byteLength) throw short(frame, at)
    const head = view.getUint32(at, true)
    const length = view.getUint32(at + 4, true)
    at += BLOCK_HEADER_BYTES
    if (length % 8 !== 0 || at + length > frame.byteLength) throw short(frame, at)
    const block = known.get(head % 256)
    if (block) blocks.push(readBlock(frame, block, at, { rows: Math.floor(head / 256), length }))
    at += length
  }
  if (at !== frame.byteLength) {
    throw new FrameError('ERR_FRAME_LENGTH', `${frame.byteLength - at} bytes follow the blocks.`)
  }
  return { publication: view.getUint32(4, true), index, blocks }
}

function readBlock(
  frame: ArrayBuffer,
  { name, columns }: FrameBlock,
  at: number,
  { rows, length }: { readonly rows: number; readonly length: number },
): ReadBlock {
  const wanted = columnBytes(columns, rows)
  if (wanted !== length) {
    throw new FrameError(
      'ERR_FRAME_LENGTH',
      `${name} has ${length} bytes when ${rows} rows need ${wanted}.`,
    )
  }
  return { name, rows, columns: columnViews(columns, frame, at, rows) } as unknown as ReadBlock
}

function short(frame: ArrayBuffer, at: number): FrameError {
  const message = `A frame of ${frame.byteLength} bytes ends within what begins at ${at}.`
  return new FrameError('ERR_FRAME_LENGTH', message)
}
