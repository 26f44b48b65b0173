import {
  CHUNK_SLOTS,
  SHIP_COLUMNS,
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

/** Memory for a copy of all ships; the system provides what is written to. */
export function copyMemory({ slots }: WorldState): SharedArrayBuffer {
  return new SharedArrayBuffer(columnBytes(SHIP_COLUMNS, slots))
}

export function copyViews(memory: SharedArrayBuffer, { slots }: WorldState): ShipColumns {
  return columnViews(SHIP_COLUMNS, memory, 0, slots) as ShipColumns
}

/** Copies one share of the ships, each to the place that it has. */
export function copyShare(into: ShipColumns, ships: ShipColumns, share: number): void {
  const begin = share * SHARE_CHUNKS * CHUNK_SLOTS
  const end = begin + SHARE_CHUNKS * CHUNK_SLOTS
  for (const { name, components } of SHIP_COLUMNS) {
    const values = ships[name].subarray(begin * components, end * components)
    into[name].set(values, begin * components)
  }
}
