import { CHUNK_SLOTS, SHIP_COLUMNS, type ShipColumns, type WorldState } from '@orrery/sim'

/** A copy of one chunk that can be flown without touching the world. */
export interface ChunkTwin {
  /** as the original, but ships, chunks, plans and sightings are copies and events go nowhere */
  readonly state: WorldState
  /** copies the original again; no thread may be writing to the chunk */
  refresh(): void
}

/** Events counted from here on find no row in the table. */
const EVENTS_DROPPED = 0x4000_0000

/** Memory for one twin at a time, of any chunk. */
export interface TwinRoom {
  readonly rows: SharedArrayBuffer
  readonly chunk: WorldState['chunk']
  readonly nextPlans: WorldState['nextPlans']
  readonly sightings: WorldState['sightings']
}

export function createTwinRoom(original: WorldState): TwinRoom {
  const { ships, chunk, nextPlans, sightings, slots } = original
  const sizes = rowSizes(ships)
  return {
    // Shared, since V8 counts all bytes of an ArrayBuffer as used, also those never touched.
    rows: new SharedArrayBuffer(slots * Math.max(...sizes) + CHUNK_SLOTS * total(sizes)),
    chunk: copied(chunk),
    nextPlans: copied(nextPlans),
    sightings: copied(sightings),
  }
}

/**
 * Copies one chunk's columns. A chunk's number decides the phase of its steps, so the copy keeps
 * its place: each column's view begins so far before the chunk's rows as it does in the original,
 * and the views overlap where nothing of this chunk is.
 *
 * ```
 * | never touched | rows of column 0 | rows of column 1 | ... |
 * |<- view of column 0 ------------->|
 *     |<- view of column 1 --------------------------->|
 * ```
 */
export function createTwin(
  original: WorldState,
  chunk: number,
  room: TwinRoom = createTwinRoom(original),
): ChunkTwin {
  const state: WorldState = {
    ...original,
    slots: (chunk + 1) * CHUNK_SLOTS,
    ships: shipViews(original.ships, chunk, room.rows),
    chunk: room.chunk,
    nextPlans: room.nextPlans,
    sightings: room.sightings,
    eventCount: Int32Array.of(EVENTS_DROPPED),
  }
  const refresh = (): void => {
    for (const { name, components } of SHIP_COLUMNS) {
      const row = chunk * CHUNK_SLOTS * components
      const rows = original.ships[name].subarray(row, row + CHUNK_SLOTS * components)
      state.ships[name].set(rows, row)
    }
    copyTable(state.chunk, original.chunk)
    copyTable(state.nextPlans, original.nextPlans)
    copyTable(state.sightings, original.sightings)
  }
  refresh()
  return { state, refresh }
}

type AnyView = ShipColumns[keyof ShipColumns]
type Table = Readonly<Record<string, AnyView>>

function shipViews(original: ShipColumns, chunk: number, buffer: SharedArrayBuffer): ShipColumns {
  const before = chunk * CHUNK_SLOTS
  const sizes = rowSizes(original)
  let rows = buffer.byteLength - CHUNK_SLOTS * total(sizes)
  const views = SHIP_COLUMNS.map(({ name, components }, i) => {
    const View = original[name].constructor as new (
      buffer: SharedArrayBuffer,
      byteOffset: number,
      length: number,
    ) => AnyView
    const view = new View(buffer, rows - before * sizes[i], (before + CHUNK_SLOTS) * components)
    rows += CHUNK_SLOTS * sizes[i]
    return [name, view]
  })
  return Object.fromEntries(views) as ShipColumns
}

/** Bytes of one ship in each column. */
function rowSizes(ships: ShipColumns): number[] {
  return SHIP_COLUMNS.map(({ name, components }) => components * ships[name].BYTES_PER_ELEMENT)
}

function total(sizes: readonly number[]): number {
  return sizes.reduce((sum, size) => sum + size, 0)
}

function copied<Columns extends object>(table: Columns): Columns {
  return Object.fromEntries(
    Object.entries(table as Table).map(([name, view]) => [name, view.slice()]),
  ) as Columns
}

function copyTable(to: object, from: object): void {
  for (const [name, view] of Object.entries(from as Table)) (to as Table)[name].set(view)
}
