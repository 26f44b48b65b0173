import { CHUNK_SLOTS } from '../lattice.ts'
import { absorbLanes, createDigest, finish } from '../state/digest.ts'
import type { ShipColumns, WorldState } from '../state/state.ts'
import { EMPTY } from './condition.ts'
import { watches } from './sighting.ts'

/** What a ship is at a step's start; its open step follows from it, and is not hashed. */
const HASHED = [
  'position',
  'velocity',
  'positionLow',
  'velocityLow',
  'gravity',
  'fuel',
  'attitude',
  'angularMomentum',
  'wheelMomentum',
  'targetAttitude',
  'thrustLevel',
  'spawnKey',
] as const satisfies readonly (keyof ShipColumns)[]

const SIGHTED = ['sightedAt', 'sightedPosition', 'sightedVelocity', 'sightedAcceleration'] as const

/** One column as 32-bit words. */
interface WordColumn {
  readonly words: Uint32Array
  readonly perRow: number
}

/** Hashes chunks; made once per thread, then allocation-free. */
export interface ChunkHasher {
  readonly state: WorldState
  readonly columns: readonly WordColumn[]
  readonly sighted: readonly WordColumn[]
  readonly row: Uint32Array
  readonly sighting: Uint32Array
  readonly lanes: Uint32Array
}

const FLAG_WORDS = 6

export function createChunkHasher(state: WorldState): ChunkHasher {
  const columns = HASHED.map((name) => wordColumn(state.ships[name], state.slots))
  const sighted = SIGHTED.map((name) =>
    wordColumn(state.sightings[name], state.sightings.watcher.length),
  )
  return {
    state,
    columns,
    sighted,
    row: new Uint32Array(padded(rowWords(columns) + FLAG_WORDS)),
    sighting: new Uint32Array(padded(rowWords(sighted) + 2)),
    lanes: createDigest(),
  }
}

/** Hashes every ship of a chunk in slot order and keeps the result as of index n. */
export function hashChunk(hasher: ChunkHasher, chunk: number, n: number): void {
  const { state, lanes, columns, row } = hasher
  const { ships } = state
  lanes.set(createDigest())
  for (let slot = chunk * CHUNK_SLOTS; slot < (chunk + 1) * CHUNK_SLOTS; slot++) {
    if (ships.condition[slot] === EMPTY) continue
    const at = copyWords(row, columns, slot)
    row[at] = ships.shipNumber[slot]
    row[at + 1] = ships.reference[slot]
    row[at + 2] = ships.condition[slot]
    row[at + 3] = ships.attitudeMode[slot]
    row[at + 4] = ships.pointing[slot]
    row[at + 5] = slot
    absorbLanes(lanes, row)
    if (watches(ships, slot)) absorbSighting(hasher, ships.sighting[slot])
  }
  finish(lanes)
  state.chunk.chunkHash.set(lanes, 4 * chunk)
  state.chunk.chunkHashedAt[chunk] = n
}

/** Rows of the sighting table are a matter of memory, so their numbers are left out. */
function absorbSighting(hasher: ChunkHasher, rowNumber: number): void {
  const { lanes, sighted, sighting, state } = hasher
  const at = copyWords(sighting, sighted, rowNumber)
  sighting[at] = state.sightings.sightedReference[rowNumber]
  sighting[at + 1] = state.sightings.watchedNumber[rowNumber]
  absorbLanes(lanes, sighting)
}

function copyWords(out: Uint32Array, columns: readonly WordColumn[], rowNumber: number): number {
  let at = 0
  for (const { words, perRow } of columns) {
    for (let i = perRow * rowNumber; i < perRow * (rowNumber + 1); i++) out[at++] = words[i]
  }
  return at
}

function wordColumn(view: ArrayBufferView, rows: number): WordColumn {
  const words = new Uint32Array(view.buffer, view.byteOffset, view.byteLength / 4)
  return { words, perRow: words.length / rows }
}

function rowWords(columns: readonly WordColumn[]): number {
  return columns.reduce((sum, { perRow }) => sum + perRow, 0)
}

/** A multiple of four, as `absorbLanes` takes. */
function padded(words: number): number {
  return 4 * Math.ceil(words / 4)
}
