import { SIGHTING_COLUMNS, type WorldState, watcherOf } from '@orrery/sim'

/** Rows of the sighting table by watcher, while one tick's orders are written. */
export interface Watchers {
  readonly rowOfSlot: Map<number, number>
  readonly free: number[]
}

export const NO_WATCHERS: Watchers = { rowOfSlot: new Map(), free: [] }

/** The rows of present watchers; every other row is free. */
export function watchersOf({ ships, sightings }: WorldState): Watchers {
  const watchers: Watchers = { rowOfSlot: new Map(), free: [] }
  for (let row = sightings.watcher.length - 1; row >= 0; row--) {
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

/**
 * Numbers the rows of the sighting table by their watchers' slots; between ticks. Which row a ship
 * had depends on when it was given, and worlds that are equal are to have equal images.
 */
export function compactSightings(state: WorldState): void {
  const { ships, sightings } = state
  const rows: number[] = []
  for (const [slot, row] of watchersOf(state).rowOfSlot) {
    if (watcherOf(ships, sightings, row) === slot) rows.push(row)
    ships.sighting[slot] = -1
  }
  rows.sort((a, b) => sightings.watcher[a] - sightings.watcher[b])
  const end = Math.max(-1, ...rows) + 1
  for (const { name, components } of SIGHTING_COLUMNS) {
    const before = sightings[name].slice(0, end * components)
    for (const [row, was] of rows.entries()) {
      const values = before.subarray(was * components, (was + 1) * components)
      sightings[name].set(values, row * components)
    }
  }
  sightings.watcher.fill(-1, rows.length)
  for (let row = 0; row < rows.length; row++) ships.sighting[sightings.watcher[row]] = row
}
