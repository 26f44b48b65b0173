import {
  type Mark,
  type Prediction,
  createStage,
  enterStage,
  roomOf,
  slicedForecast,
} from '@orrery/sim'
import type { ForeseenFailure } from '../maneuvers/foreseen-failure.ts'
import { type PredictionTask, forecastTask } from './trajectory.ts'

/** How a maneuver ends that was flown ahead. */
export type ForeseenEnd =
  /** it is completed, or fails without a burn */
  | 'good'
  /** it takes more time to know */
  | 'far'
  /** a rule of its pilot acts before, or it takes too much work in any time */
  | 'unknown'
  | ForeseenFailure

/**
 * Flies a maneuver ahead to its end.
 *
 * @param msMax  processor time that it may take
 */
export function foreseenEnd(task: PredictionTask, msMax: number): ForeseenEnd {
  const flight = forecastTask(task)
  const stage = createStage(flight.place, roomOf(flight.copies))
  enterStage(stage, flight.copies, flight.index)
  const endMs = spentMs() + msMax
  const slices = slicedForecast(stage, flight)
  let slice = slices.next()
  while (slice.done !== true) {
    if (spentMs() > endMs) return 'far'
    slice = slices.next()
  }
  return endOf(slice.value)
}

const ENDS: ReadonlySet<Mark['kind']> = new Set([
  'maneuver_completed',
  'maneuver_failed',
  'impact',
  'rule',
])

function endOf({ deltaV: burnt, marks }: Prediction): ForeseenEnd {
  const mark = marks.find(({ kind }) => ENDS.has(kind))
  if (!mark || mark.kind === 'rule') return 'unknown'
  const { kind, index: endsAt, reason = 'none', deltaV, duration: seconds } = mark
  if (kind === 'impact') return { reason: 'impact', endsAt: Math.floor(endsAt) }
  if (kind === 'maneuver_completed' || burnt === 0) return 'good'
  const hasNeeds = deltaV !== undefined && seconds !== undefined
  return { reason, endsAt, ...(hasNeeds && { needs: { deltaV, seconds } }) }
}

/** Processor time of the calling thread [ms]. */
function spentMs(): number {
  const { user, system } = process.threadCpuUsage()
  return (user + system) / 1000
}
