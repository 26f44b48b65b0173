import {
  EMPTY,
  PLANNED,
  SHIP_COLUMNS,
  SIGHTING_COLUMNS,
  type ShipEvent,
  absorbBytes,
  anchorAt,
  hullAt,
  createDigest,
  digestText,
  finish,
  watcherOf,
} from '@orrery/sim'
import { type World, nodeOf } from '../../src/world/world.ts'

/** Which row of a table a ship has is a matter of memory, and depends on when it was given. */
const ROW_NUMBERS: ReadonlySet<string> = new Set(['sighting', 'hullRow', 'watcher', 'watched'])

const isLoad = (name: string): name is 'shipClass' | 'payload' | 'thrustCut' =>
  name === 'shipClass' || name === 'payload' || name === 'thrustCut'

/**
 * A digest of every column of every ship, open steps included, of what watchers know, of the
 * massive bodies, and of all events.
 */
export function closingDigest(world: World, events: readonly ShipEvent[]): string {
  const { ships, sightings, slots } = world.state
  const lanes = createDigest()
  const absorb = (view: ArrayBufferView): void =>
    absorbBytes(lanes, new Uint8Array(view.buffer, view.byteOffset, view.byteLength))
  for (let slot = 0; slot < slots; slot++) {
    if (ships.condition[slot] === EMPTY) continue
    for (const { name, components } of SHIP_COLUMNS) {
      if (ROW_NUMBERS.has(name)) continue
      if (name === 'burnNodes' && ships.activity[slot] !== PLANNED) continue
      // Worlds without classes or loads have the digests they had before there were any.
      if (isLoad(name) && ships[name][slot] === 0) continue
      const row = name === 'hullStep' ? hullAt(ships, slot) / components : slot
      if (row >= 0) absorb(rowOf(ships[name], components, row))
    }
    const row = ships.sighting[slot]
    // A row that a ship no longer watches is not part of its state, and no image holds it.
    if (watcherOf(ships, sightings, row) !== slot) continue
    for (const { name, components } of SIGHTING_COLUMNS) {
      if (!ROW_NUMBERS.has(name)) absorb(rowOf(sightings[name], components, row))
    }
  }
  const { x, v, xLow, vLow, energyWork, angularWork } = anchorAt(
    world.integration,
    nodeOf(world.index),
  )
  for (const part of [x, v, xLow, vLow, energyWork, angularWork]) absorb(part)
  absorb(new TextEncoder().encode(JSON.stringify(events)))
  finish(lanes)
  return digestText(lanes)
}

function rowOf<View extends { subarray(begin: number, end: number): View }>(
  column: View,
  components: number,
  row: number,
): View {
  return column.subarray(row * components, (row + 1) * components)
}
