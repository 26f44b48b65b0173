import type { Column, Control } from '@orrery/sim'
import { type Views, readPlanes } from './byte-planes.ts'
import { EngineError } from '../engine-error.ts'
import { SEAL_BYTES, sealOf } from './image-bytes.ts'
import { type ImageHeader, assertFits, imageHeader } from './image-header.ts'
import {
  type ImageSize,
  imageDoubles,
  lengthWith,
  rowBytes,
  sealedText,
  shipRows,
  tableBytes,
} from './image-layout.ts'
import { wellFormed } from './image-schema.ts'
import { readKept } from './image-text.ts'
import type { KeptRules } from '../orders/rule.ts'
import type { StoredManeuvers } from '../maneuvers/maneuver-log.ts'

/** Contents of an image. */
export interface OpenedImage {
  readonly head: ImageHeader
  readonly roster: readonly { number: number; shipId: string; name: string }[]
  readonly maneuvers: StoredManeuvers
  readonly rules: readonly KeptRules[]
  /** control commands that wait, by ship number */
  readonly pending: readonly { ship: number; index: number; sequence: number; control: Control }[]
  /** anchor, drift reference and commanded attitudes */
  readonly doubles: Float64Array
  /** Matches columns by name; a column that the image lacks stays as it is. */
  readShips(into: Views): void
  readSightings(into: Views): void
}

/**
 * Opens the image of a star system, also one of another layout: its columns are matched by name.
 *
 * @throws {EngineError} 'ERR_IMAGE'
 */
export function openImage(stored: unknown, bytes: Uint8Array): OpenedImage {
  const head = wellFormed(imageHeader, stored, 'header')
  assertFits(head)
  return { head, ...openBytes(stored, bytes, head, imageDoubles(head)) }
}

/**
 * Opens the bytes of an image of any format.
 *
 * @param stored  the header as it was sealed
 * @param head    what of it describes the bytes, beside the number of doubles
 * @throws {EngineError} 'ERR_IMAGE'
 */
export function openBytes(
  stored: unknown,
  bytes: Uint8Array,
  head: ImageSize & Pick<ImageHeader, 'ships' | 'pending'>,
  doubles: number,
): Omit<OpenedImage, 'head'> {
  assertLength(bytes, lengthWith(head, doubles))
  const sealAt = bytes.length - SEAL_BYTES
  const seal = sealOf(sealedText(stored), bytes.subarray(0, sealAt))
  if (seal.some((byte, i) => byte !== bytes[sealAt + i])) {
    throw new EngineError(
      'ERR_IMAGE',
      'The image ends with another checksum than that of its header and bytes.',
    )
  }
  const textAt = tableBytes(head)
  const doublesAt = textAt + head.text
  const { roster, pending, rules, ...maneuvers } = readKept(bytes.subarray(textAt, doublesAt))
  if (roster.length !== head.ships || pending.length !== head.pending) {
    throw new EngineError(
      'ERR_IMAGE',
      `The image names ${roster.length} ships and ${pending.length} commands when its header ` +
        `says ${head.ships} and ${head.pending}.`,
    )
  }
  const { columns, sightingColumns, sightings } = head
  const sightingsAt = textAt - sightings * rowBytes(sightingColumns)
  return {
    roster: roster.map(([number, shipId, name]) => ({ number, shipId, name })),
    maneuvers,
    rules,
    pending,
    // A copy: a Buffer's own `slice` shares memory.
    doubles: new Float64Array(new Uint8Array(bytes.subarray(doublesAt, sealAt)).buffer),
    readShips: (into) => readTable(into, bytes, 0, columns, shipRows(head)),
    readSightings: (into) => readTable(into, bytes, sightingsAt, sightingColumns, sightings),
  }
}

/** @throws {EngineError} 'ERR_IMAGE' */
function assertLength({ length }: Uint8Array, expected: number): void {
  if (length === expected) return
  throw new EngineError(
    'ERR_IMAGE',
    `The image has ${length} bytes when its header says ${expected}.`,
  )
}

function readTable(
  into: Views,
  bytes: Uint8Array,
  begin: number,
  columns: readonly Column[],
  rows: number,
): void {
  let at = begin
  for (const column of columns) {
    const view = into[column.name]
    if (view) readPlanes(view, bytes, at, column.components, rows)
    at += rows * rowBytes([column])
  }
}
