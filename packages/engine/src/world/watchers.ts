import {
  RULES_PER_SHIP,
  SIGHTING_COLUMNS,
  USE_ACTION,
  USE_CONDITION,
  USE_POINTING,
  type WorldState,
} from '@orrery/sim'

/** Rows of the sighting table by watcher, while one tick's orders are written. */
export interface Watchers {
  readonly rowOfSlot: Map<number, number>
  readonly free: number[]
}

export const NO_WATCHERS: Watchers = { rowOfSlot: new Map(), free: [] }

/** The rows of present watchers; every other row that no rule has is free. */
export function watchersOf({ ships, sightings }: WorldState): Watchers {
  const watchers: Watchers = { rowOfSlot: new Map(), free: [] }
  for (let row = sightings.watcher.length - 1; row >= 0; row--) {
    const slot = sightings.watcher[row]
    if (slot >= 0 && ships.sighting[slot] === row) watchers.rowOfSlot.set(slot, row)
    else if (sightings.sightingUse[row] === USE_POINTING) watchers.free.push(row)
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
 * Numbers the rows of the sighting table by their watchers' slots and uses; between ticks. Which
 * row a ship had depends on when it was given, and worlds that are equal are to have equal images.
 */
export function compactSightings(state: WorldState): void {
  const { ships, sightings } = state
  const { sightingUse, watcher } = sightings
  const rows: number[] = []
  for (const [row, slot] of watcher.entries()) {
    if (slot < 0) continue
    if (sightingUse[row] !== USE_POINTING || ships.sighting[slot] === row) rows.push(row)
  }
  rows.sort((a, b) => watcher[a] - watcher[b] || sightingUse[a] - sightingUse[b])
  const inForce = rows.map((row) => ships.sighting[watcher[row]] === row)
  for (const row of rows) ships.sighting[watcher[row]] = -1
  const end = Math.max(-1, ...rows) + 1
  for (const { name, components } of SIGHTING_COLUMNS) {
    const before = sightings[name].slice(0, end * components)
    for (const [row, was] of rows.entries()) {
      const values = before.subarray(was * components, (was + 1) * components)
      sightings[name].set(values, row * components)
    }
  }
  watcher.fill(-1, rows.length)
  sightingUse.fill(USE_POINTING, rows.length)
  for (const row of rows.keys()) {
    if (inForce[row]) ships.sighting[watcher[row]] = row
    if (sightingUse[row] !== USE_POINTING) nameSighting(state, row)
  }
}

/** Writes the number of a rule's row of the sighting table beside the rule. */
export function nameSighting({ actions, rules, ships, sightings }: WorldState, row: number): void {
  const use = sightings.sightingUse[row]
  const place = (use - USE_CONDITION) % RULES_PER_SHIP
  const rule = ships.ruleRow[sightings.watcher[row]] + place
  if (use < USE_ACTION) rules.whenSighting[rule] = row
  else actions.orderSighting[rule] = row
}
