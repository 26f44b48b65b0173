import { IDLE, PLANNED } from '../state/activity.ts'
import { PLAN_DOUBLES, PLAN_NODE_DOUBLES } from '../state/plan-size.ts'
import { CHUNK_SLOTS } from '../lattice.ts'
import { copyQuaternion } from '../math/quaternion.ts'
import { absorbLanes, createDigest, finish } from '../state/digest.ts'
import type { ShipColumns, WorldState } from '../state/state.ts'
import { commandedAt } from './hull-row.ts'
import { RULE_BITS } from '../state/rule-bits.ts'
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
  'thrustLevel',
  'fuelFloor',
  'spawnKey',
  'shipNumber',
  'reference',
  'condition',
  'attitudeMode',
  'pointing',
  'maneuverEnd',
  'activity',
  'wheelsKept',
  'aimKind',
  'aim',
] as const satisfies readonly (keyof ShipColumns)[]

const PLAN_WORDS = 2 * PLAN_DOUBLES
const NODE_WORDS = 2 * PLAN_NODE_DOUBLES

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
  readonly sighting: Uint32Array
  readonly plans: Uint32Array
  readonly nodes: Uint32Array
  readonly rules: Uint32Array
  readonly target: { readonly values: Float64Array; readonly words: Uint32Array }
  readonly lanes: Uint32Array
}

export function createChunkHasher(state: WorldState): ChunkHasher {
  const columns = HASHED.map((name) => wordColumn(state.ships[name], state.slots))
  const sighted = SIGHTED.map((name) =>
    wordColumn(state.sightings[name], state.sightings.watcher.length),
  )
  const { burnNodes, plan } = state.ships
  const values = new Float64Array(4)
  return {
    state,
    columns,
    sighted,
    sighting: new Uint32Array(padded(rowWords(sighted) + 2)),
    plans: new Uint32Array(plan.buffer, plan.byteOffset, plan.byteLength / 4),
    nodes: new Uint32Array(burnNodes.buffer, burnNodes.byteOffset, burnNodes.byteLength / 4),
    rules: new Uint32Array(4),
    target: { values, words: new Uint32Array(values.buffer) },
    lanes: createDigest(),
  }
}

/**
 * Hashes every slot of a chunk, column by column, and keeps the result as of index n. Slots
 * without a ship hold zeros.
 */
export function hashChunk(hasher: ChunkHasher, chunk: number, n: number): void {
  const { state, lanes, columns, nodes, plans } = hasher
  const { ships } = state
  lanes.set(createDigest())
  for (const { words, perRow } of columns) {
    const perChunk = perRow * CHUNK_SLOTS
    absorbLanes(lanes, words, perChunk * chunk, perChunk)
  }
  for (let slot = chunk * CHUNK_SLOTS; slot < (chunk + 1) * CHUNK_SLOTS; slot++) {
    if (watches(ships, slot)) absorbSighting(hasher, ships.sighting[slot])
    const target = commandedAt(ships, slot)
    if (target >= 0) absorbTarget(hasher, target)
    if (ships.activity[slot] !== IDLE) absorbLanes(lanes, plans, PLAN_WORDS * slot, PLAN_WORDS)
    if (ships.activity[slot] === PLANNED) absorbLanes(lanes, nodes, NODE_WORDS * slot, NODE_WORDS)
    if (ships.ruleCount[slot] > 0) absorbRules(hasher, slot)
    if (ships.shipClass[slot] > 0) absorbClass(hasher, slot)
    if (ships.payload[slot] > 0 || ships.thrustCut[slot] > 0) absorbLoad(hasher, slot)
  }
  finish(lanes)
  state.chunk.chunkHash.set(lanes, 4 * chunk)
  state.chunk.chunkHashedAt[chunk] = n
}

/** Only of others than the first: a world of one class has the digests it had without. */
function absorbClass({ lanes, rules: words, state }: ChunkHasher, slot: number): void {
  words.fill(0)
  words[0] = state.ships.shipClass[slot]
  absorbLanes(lanes, words, 0, words.length)
}

/** Only where there is one: a world without payloads and limits has the digests it had before. */
function absorbLoad({ lanes, state, target }: ChunkHasher, slot: number): void {
  const { payload, thrustCut } = state.ships
  target.values[0] = payload[slot]
  target.values[1] = (slot % CHUNK_SLOTS) + CHUNK_SLOTS * thrustCut[slot]
  absorbLanes(lanes, target.words, 0, 4)
}

function absorbTarget({ lanes, state, target }: ChunkHasher, at: number): void {
  copyQuaternion(target.values, 0, state.ships.hullStep, at)
  absorbLanes(lanes, target.words, 0, target.words.length)
}

/** A ship's rules; rows of their table are a matter of memory, too. */
function absorbRules(hasher: ChunkHasher, slot: number): void {
  const { lanes, rules: words, state } = hasher
  const { rules, ships } = state
  const count = ships.ruleCount[slot]
  const row = ships.ruleRow[slot]
  words[0] = ships.ruleArmed[slot]
  words[1] = ships.ruleHeld[slot]
  words[2] = count
  absorbLanes(lanes, words, 0, words.length)
  absorbLanes(lanes, rules.ruleDigest, 4 * row, 4 * count)
  const watching = ships.ruleWatching[slot] & ships.ruleArmed[slot]
  if (watching === 0) return
  for (let place = 0; place < count; place++) {
    if ((watching & RULE_BITS[place]) !== 0) absorbSighting(hasher, rules.whenSighting[row + place])
  }
}

/** Rows of the sighting table are a matter of memory, so their numbers are left out. */
function absorbSighting(hasher: ChunkHasher, rowNumber: number): void {
  const { lanes, sighted, sighting, state } = hasher
  const at = copyWords(sighting, sighted, rowNumber)
  sighting[at] = state.sightings.sightedReference[rowNumber]
  sighting[at + 1] = state.sightings.watchedNumber[rowNumber]
  absorbLanes(lanes, sighting, 0, sighting.length)
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
