import {
  CHUNK_SLOTS,
  type Column,
  type MassiveState,
  PLAN_DOUBLES,
  PLAN_NODE_DOUBLES,
  createMassiveState,
  valueBytes,
} from '@orrery/sim'
import { SEAL_BYTES } from './image-bytes.ts'
import type { ImageHeader } from './image-header.ts'
import { moduleDoubles } from '../world/world-modules.ts'

/** A header as text with its keys in order, which databases do not keep. */
export function sealedText(header: unknown): string {
  return JSON.stringify(header, (_, value: unknown) =>
    typeof value !== 'object' || value === null || Array.isArray(value)
      ? value
      : Object.fromEntries(Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1))),
  )
}

/** What the length of an image follows from. */
export type ImageSize = Pick<
  ImageHeader,
  'chunks' | 'columns' | 'sightingColumns' | 'sightings' | 'text'
>

/** Ship slots of the used chunks. */
export function shipRows({ chunks }: Pick<ImageHeader, 'chunks'>): number {
  return chunks * CHUNK_SLOTS
}

/** Bytes of the image with this header. */
export function imageLength(header: ImageHeader): number {
  return lengthWith(header, imageDoubles(header))
}

/** Bytes of an image with so many doubles. */
export function lengthWith(size: ImageSize, doubles: number): number {
  return tableBytes(size) + size.text + 8 * doubles + SEAL_BYTES
}

/** Bytes of the ship and sighting tables in planes, with which an image begins. */
export function tableBytes(head: ImageSize): number {
  return shipRows(head) * rowBytes(head.columns) + head.sightings * rowBytes(head.sightingColumns)
}

/** Bytes of one row of a table. */
export function rowBytes(columns: readonly Column[]): number {
  return columns.reduce((sum, column) => sum + column.components * valueBytes(column), 0)
}

/** Energy and three components of angular momentum, each a double-double. */
export const INVARIANT_DOUBLES = 8

/** Slot, and w, x, y, z of a commanded attitude. */
export const COMMANDED_DOUBLES = 5

/** Slot, and the row of a plan. */
export const PLANNED_DOUBLES: number = 1 + PLAN_DOUBLES

/** Slot, and the burns of a plan. */
export const TIMED_DOUBLES: number = 1 + PLAN_NODE_DOUBLES

/** Slot, and row of a class. */
export const CLASSED_DOUBLES = 2

/** Doubles of the anchor, the drift reference, and what single ships and modules have. */
export function imageDoubles(header: ImageHeader): number {
  const { system, commanded, plans = 0, timed = 0, classed = 0, modules = [] } = header
  const rows = COMMANDED_DOUBLES * commanded + PLANNED_DOUBLES * plans + TIMED_DOUBLES * timed
  const ofModules = modules.reduce((sum, module) => sum + moduleDoubles(module), 0)
  return anchorDoubles(system) + rows + CLASSED_DOUBLES * classed + ofModules
}

/** Doubles of the anchor and the drift reference. */
export function anchorDoubles({ bodies }: ImageHeader['system']): number {
  const parts = anchorParts(createMassiveState(bodies))
  return parts.reduce((length, part) => length + part.length, INVARIANT_DOUBLES)
}

export function anchorParts(anchor: MassiveState): Float64Array[] {
  const { x, v, xLow, vLow, energyWork, angularWork } = anchor
  return [x, v, xLow, vLow, energyWork, angularWork]
}
