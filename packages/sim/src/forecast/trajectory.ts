import { NODE_QUANTA } from '../ephemeris/ephemeris.ts'
import { CHUNK_SLOTS } from '../lattice.ts'
import { FROZEN } from '../state/condition.ts'
import { flyTo } from '../chunks/rounds.ts'
import { slotIn } from './copied-ship.ts'
import type { ForecastTask } from './forecast-task.ts'
import type { Prediction } from './prediction.ts'
import { type Stage, createStage, enterStage, roomOf } from './stage.ts'
import { Track } from './track.ts'

/** Pieces of the flight, of a step each or less, of all ships: ten seconds of work at most. */
const PIECES_MAX = 200_000

/** Called when a ship has begun a step, or stands; an order may still cut the one before. */
export type StepListener = (stage: Stage, slot: number) => void

/**
 * Flies copied ships ahead, and notes the way of the first.
 *
 * @param onStep  called at each step of the first
 */
export function forecast(task: ForecastTask, onStep?: StepListener): Prediction {
  const stage = createStage(task.place, roomOf(task.copies))
  enterStage(stage, task.copies, task.index)
  const { flight, state } = stage
  const { condition, impactAt, stepStart } = state.ships
  const slot = slotIn(state, task.copies[0].slot)
  // No open step reads further ahead than one node.
  const known = (state.ephemeris.span[1] - 2) * NODE_QUANTA
  const until = Math.max(task.index, Math.floor(Math.min(task.until, known)))
  const track = new Track(stage, task, until)
  const world = { state, since: 0 }
  let n = task.index
  let begun = stepStart[slot]
  onStep?.(stage, slot)
  for (let pieces = 0; n < until; pieces++) {
    if (pieces * task.copies.length >= PIECES_MAX) return track.prediction('work')
    if (condition[slot] === FROZEN) return track.prediction('frozen')
    const next = Math.min(nextIndex(stage, slot), until)
    if (impactAt[slot] <= next) {
      track.crash(impactAt[slot])
      return track.prediction('impact')
    }
    flyTo(flight, world, n, next, () => undefined)
    n = next
    track.reach(n)
    if (stepStart[slot] !== begun) onStep?.(stage, slot)
    begun = stepStart[slot]
  }
  return track.prediction(task.until <= known ? 'asked' : 'ephemeris')
}

/** Where a step of the ship's chunk ends next, or an order acts. */
function nextIndex({ state }: Stage, slot: number): number {
  const { chunk: chunks, orders } = state
  const chunk = Math.floor(slot / CHUNK_SLOTS)
  const order = chunks.chunkOrderBegin[chunk]
  const isWaiting = order < chunks.chunkOrderEnd[chunk]
  return Math.min(chunks.chunkDue[chunk], isWaiting ? orders.orderIndex[order] : Infinity)
}
