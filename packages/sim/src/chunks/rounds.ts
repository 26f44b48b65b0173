import { type Integration, anchorAt } from '../ephemeris/integration.ts'
import { NODE_QUANTA } from '../ephemeris/ephemeris.ts'
import { BLOCK_QUANTA, CHUNK_SLOTS, beatAfter, chunkPhase } from '../lattice.ts'
import { absorb, absorbBytes, createDigest, digestText, finish } from '../state/digest.ts'
import type { WorldState } from '../state/state.ts'
import { advanceChunk } from './chunk.ts'
import type { Flight } from '../ships/flight.ts'
import { armedRuleOf, updateSightings, watcherOf } from '../ships/sighting.ts'

/** Part of a tick: the chunks to fly, and how far, before sightings are updated. */
export interface Round {
  /** lattice index; every step that ends up to it is to be committed */
  readonly target: number
  /** only chunks whose `chunkMeets` is set */
  readonly meetingOnly: boolean
}

/** The star system to fly: its state, and what its owning thread keeps beside it. */
export interface RoundsOf {
  readonly state: WorldState
  /** its anchor is part of a digest; without it none is made */
  readonly integration?: Integration
  /** digests up to this index are already reported, or would miss chunks */
  readonly since: number
  /** rules of a game's own; none cost nothing */
  readonly modules?: BeatWork | undefined
}

/** What happens at beats beside sightings, on the thread that requests the rounds. */
export interface BeatWork {
  /** Sets `chunkMeets` of the chunks that it reads at beats; false when it reads none. */
  mark(chunkMeets: Uint8Array): boolean
  /** Marked chunks have flown to the beat; each multiple of 64 s is one in any case. */
  at(beat: number): void
  /** what a digest of a multiple of 4,096 quanta absorbs; undefined when it keeps nothing */
  hashOf(index: number): Uint32Array | undefined
}

/** The state of a star system at a multiple of 4,096 quanta, as 32 hexadecimal digits. */
export interface WorldDigest {
  readonly index: number
  readonly digest: string
}

/**
 * The rounds that fly a world from one published index to the next. The caller flies the ships
 * of each round, by any threads, and requests the next; in between, sightings are updated.
 *
 * All ships meet at each multiple of 64 s. Chunks with a ship that watches or is watched, or is
 * ordered to watch within this span, meet at every beat; the rest run straight.
 *
 * @param onDigest  called with the digest of each block of 64 s that ends within the span
 */
export function* rounds(
  { state, integration, since, modules }: RoundsOf,
  from: number,
  to: number,
  onDigest: (digest: WorldDigest) => void,
): Generator<Round, void> {
  const sightingsEnd = markMeetings(state)
  const meeting = sightingsEnd !== undefined
  const working = modules?.mark(state.chunk.chunkMeets) ?? false
  const stops = meeting || working
  let beat = stops ? beatAfter(from) : blockAfter(from)
  while (beat <= to) {
    const barrier = beat % BLOCK_QUANTA === 0
    yield { target: beat - 1, meetingOnly: !barrier }
    if (meeting) updateSightings(state, beat, sightingsEnd)
    const block = beat - BLOCK_QUANTA
    if (integration && barrier && block > since) {
      onDigest(worldDigest(state, integration, block, modules?.hashOf(block)))
    }
    modules?.at(beat)
    beat = stops ? beatAfter(beat) : blockAfter(beat)
  }
  yield { target: to, meetingOnly: false }
}

/** Flies a world from one published index to the next on the calling thread alone. */
export function flyTo(
  flight: Flight,
  world: RoundsOf,
  from: number,
  to: number,
  onDigest: (digest: WorldDigest) => void,
): void {
  const { chunks, chunk } = world.state
  for (const { target, meetingOnly } of rounds(world, from, to, onDigest)) {
    for (let i = 0; i < chunks; i++) {
      if (!meetingOnly || chunk.chunkMeets[i] === 1) advanceChunk(flight, i, target)
    }
  }
}

function blockAfter(n: number): number {
  return (Math.floor(n / BLOCK_QUANTA) + 1) * BLOCK_QUANTA
}

/**
 * Marks the chunks with watchers or targets in the coming span; returns the end of the sightings
 * that it may use, undefined when no ships meet.
 */
function markMeetings(state: WorldState): number | undefined {
  const { actions, chunk: chunks, orders, ships, sightings } = state
  const { chunkMeets } = chunks
  let meeting = false
  let end = 0
  chunkMeets.fill(0)
  const mark = (slot: number): void => {
    meeting = true
    if (slot >= 0) chunkMeets[Math.floor(slot / CHUNK_SLOTS)] = 1
  }
  for (let row = 0; row < sightings.watcher.length; row++) {
    const watcher = sightings.watcher[row]
    // Most rows are free, and each tick looks at all of them.
    if (watcher < 0) continue
    end = row + 1
    const place = armedRuleOf(ships, sightings, row)
    const isWatch = watcherOf(ships, sightings, row) >= 0
    if (isWatch || place >= 0) mark(watcher)
    if (isWatch) mark(sightings.watched[row])
    // An armed rule may begin to watch at any beat.
    if (place >= 0) mark(actions.orderTarget[ships.ruleRow[watcher] + place])
  }
  for (let chunk = 0; chunk < state.chunks; chunk++) {
    for (let row = chunks.chunkOrderBegin[chunk]; row < chunks.chunkOrderEnd[chunk]; row++) {
      if (orders.orderTargetNumber[row] === 0) continue
      mark(orders.orderSlot[row])
      mark(orders.orderTarget[row])
      end = Math.max(end, orders.orderSighting[row] + 1)
    }
  }
  return meeting ? end : undefined
}

/**
 * The digest of a world at N: the hash of each chunk at its own boundary in [N, N + 4096), in
 * order, and of the massive bodies at their last anchor at or before N. A chunk that
 * was empty there has no part in it.
 *
 * @param more  of what else is kept of the world
 */
function worldDigest(
  state: WorldState,
  integration: Integration,
  index: number,
  more: Uint32Array | undefined,
): WorldDigest {
  const { chunkHashedAt, chunkHash } = state.chunk
  const lanes = createDigest()
  const words = new Uint32Array(5)
  for (let chunk = 0; chunk < state.chunks; chunk++) {
    if (chunkHashedAt[chunk] !== index + chunkPhase(chunk)) continue
    words[0] = chunk
    for (let lane = 0; lane < 4; lane++) words[1 + lane] = chunkHash[4 * chunk + lane]
    absorb(lanes, words)
  }
  const anchor = anchorAt(integration, Math.floor(index / NODE_QUANTA))
  const { x, v, xLow, vLow, energyWork, angularWork } = anchor
  for (const { buffer, byteOffset, byteLength } of [x, v, xLow, vLow, energyWork, angularWork]) {
    absorbBytes(lanes, new Uint8Array(buffer, byteOffset, byteLength))
  }
  if (more) absorb(lanes, more)
  finish(lanes)
  return { index, digest: digestText(lanes) }
}
