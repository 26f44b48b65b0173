import { NODE_QUANTA } from '../ephemeris/ephemeris.ts'
import { extendEphemeris } from '../ephemeris/integration.ts'
import { CHUNK_SLOTS } from '../lattice.ts'
import { FROZEN } from '../state/condition.ts'
import { flyTo } from '../chunks/rounds.ts'
import { slotIn } from './copied-ship.ts'
import type { ForecastTask } from './forecast-task.ts'
import type { Prediction, PredictionEnd } from './prediction.ts'
import { type Stage, createStage, enterStage, roomOf } from './stage.ts'
import { Track } from './track.ts'

/** Pieces of the flight, of a step each or less, of all ships: ten seconds of work at most. */
const PIECES_MAX = 200_000

/** The same of a flight to the end of its maneuver: some minutes, for five years of coasting. */
const PIECES_TO_END = 2_500_000

/** Nodes of the massive bodies that a step may read beyond its end, and those made at a time. */
const BEYOND_NODES = 3
const SLICE_NODES = 32

/** Called when a ship has begun a step, or stands; an order may still cut the one before. */
export type StepListener = (stage: Stage, slot: number) => void

/** Pieces of a slice: about two milliseconds. */
const SLICE_PIECES = 128

/**
 * Flies copied ships ahead, and notes the way of the first.
 *
 * @param onStep  called at each step of the first, as far as was asked
 */
export function forecast(task: ForecastTask, onStep?: StepListener): Prediction {
  const { copies, index, place } = task
  const stage = createStage(place, roomOf(copies))
  enterStage(stage, copies, index)
  const slices = slicedForecast(stage, task, onStep)
  let slice = slices.next()
  while (slice.done !== true) slice = slices.next()
  return slice.value
}

/**
 * The same of ships that stand on a stage, in slices: others may run in between.
 *
 * @param onStep  called at each step of the first, as far as was asked
 */
export function* slicedForecast(
  stage: Stage,
  task: ForecastTask,
  onStep?: StepListener,
): Generator<void, Prediction> {
  const { bodies, index, place, toEnd } = task
  const { ephemeris } = place
  if (bodies) extendEphemeris(bodies, ephemeris, Math.floor(index / NODE_QUANTA) + BEYOND_NODES)
  // No open step reads further ahead than one node.
  const known = bodies ? Infinity : (ephemeris.span[1] - 2) * NODE_QUANTA
  const until = Math.max(index, Math.floor(Math.min(task.until, known)))
  const track = new Track(stage, task, until)
  const end = yield* flyOn(stage, task, track, until, onStep)
  if (end || !toEnd) return track.prediction(end ?? (task.until <= known ? 'asked' : 'ephemeris'))
  track.endRecords()
  return track.prediction((yield* flyOn(stage, task, track, Infinity)) ?? 'asked')
}

/**
 * Flies on to an index, or until a maneuver ends where that is infinite; returns what it ended for
 * before.
 */
function* flyOn(
  stage: Stage,
  { bodies, copies, index }: ForecastTask,
  track: Track,
  until: number,
  onStep?: StepListener,
): Generator<void, PredictionEnd | undefined> {
  const { flight, state } = stage
  const { condition, impactAt, stepStart } = state.ships
  const slot = slotIn(state, copies[0].slot)
  const piecesMax = until < Infinity ? PIECES_MAX : PIECES_TO_END
  const world = { state, since: 0 }
  let n = Math.max(index, track.index)
  let begun = stepStart[slot]
  onStep?.(stage, slot)
  for (let pieces = 0; until < Infinity ? n < until : track.isUnderWay(); pieces++) {
    if (pieces * copies.length >= piecesMax) return 'work'
    if (condition[slot] === FROZEN) return 'frozen'
    const next = Math.min(nextIndex(stage, slot), until)
    if (impactAt[slot] <= next) {
      track.crash(impactAt[slot])
      return 'impact'
    }
    const node = Math.floor(next / NODE_QUANTA) + BEYOND_NODES
    if (bodies && node > bodies.head.node) {
      extendEphemeris(bodies, state.ephemeris, node + SLICE_NODES)
    }
    flyTo(flight, world, n, next, () => undefined)
    n = next
    track.reach(n)
    if (stepStart[slot] !== begun) onStep?.(stage, slot)
    begun = stepStart[slot]
    if (pieces % SLICE_PIECES === SLICE_PIECES - 1) yield
  }
  return undefined
}

/** Where a step of the ship's chunk ends next, or an order acts. */
function nextIndex({ state }: Stage, slot: number): number {
  const { chunk: chunks, orders } = state
  const chunk = Math.floor(slot / CHUNK_SLOTS)
  const order = chunks.chunkOrderBegin[chunk]
  const isWaiting = order < chunks.chunkOrderEnd[chunk]
  return Math.min(chunks.chunkDue[chunk], isWaiting ? orders.orderIndex[order] : Infinity)
}
