import { WATCHERS_MAX, type WorldState } from '@orrery/sim'

/** Rows of the sighting table and whose they are, while one tick's orders are written. */
export interface Watchers {
  readonly rowOfSlot: Map<number, number>
  readonly free: number[]
}

export const NOBODY: Watchers = { rowOfSlot: new Map(), free: [] }

/** Who watches another ship now; every other row is free. */
export function watchersOf({ ships, sightings }: WorldState): Watchers {
  const watchers: Watchers = { rowOfSlot: new Map(), free: [] }
  for (let row = WATCHERS_MAX - 1; row >= 0; row--) {
    const slot = sightings.watcher[row]
    if (slot >= 0 && ships.sighting[slot] === row) watchers.rowOfSlot.set(slot, row)
    else watchers.free.push(row)
  }
  return watchers
}

/** The row of one watcher, its own or a free one; -1 when the table is full. */
export function sightingRow(watchers: Watchers, slot: number): number {
  const { rowOfSlot, free } = watchers
  const row = rowOfSlot.get(slot) ?? free.pop() ?? -1
  if (row >= 0) rowOfSlot.set(slot, row)
  return row
}
