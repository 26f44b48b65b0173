import {
  CHUNK_SLOTS,
  START_COLUMNS,
  type ShipColumns,
  type WorldState,
  columnBytes,
  columnViews,
} from '@orrery/sim'

/** Chunks that are copied at a time: few enough that all workers end together. */
const SHARE_CHUNKS = 8

/** Chunks up to the last that has ships. */
export function usedChunks({ chunk }: WorldState): number {
  return chunk.chunkShips.findLastIndex((ships) => ships > 0) + 1
}

/** How many shares the ships of a world are copied in. */
export function copyShares(state: WorldState): number {
  return Math.ceil(usedChunks(state) / SHARE_CHUNKS)
}

/** What an image keeps of ships. */
export type StartViews = Pick<ShipColumns, (typeof START_COLUMNS)[number]['name']>

/** Memory for a copy of all ships; the system provides what is written to. */
export function copyMemory({ slots }: WorldState): SharedArrayBuffer {
  return new SharedArrayBuffer(columnBytes(START_COLUMNS, slots))
}

export function copyViews(memory: SharedArrayBuffer, { slots }: WorldState): StartViews {
  return columnViews(START_COLUMNS, memory, 0, slots) as StartViews
}

/** Copies one share of the ships, each to the place that it has. */
export function copyShare(into: StartViews, ships: ShipColumns, share: number): void {
  const begin = share * SHARE_CHUNKS * CHUNK_SLOTS
  const end = begin + SHARE_CHUNKS * CHUNK_SLOTS
  for (const { name, components } of START_COLUMNS) {
    const values = ships[name].subarray(begin * components, end * components)
    into[name].set(values, begin * components)
  }
}
