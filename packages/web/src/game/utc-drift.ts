/** How far game time is from UTC, in words. */
import { say } from '../languages/say.ts'
import type { Status } from './game.ts'
import { durationText } from '../quantities/quantities.ts'

export interface Drift {
  readonly text: string
  /** `free`: game time is led elsewhere on purpose */
  readonly kind: 'good' | 'fair' | 'far' | 'free'
  readonly hint: string
}

/** Game time less UTC [s] that is still good, and that is still fair. */
const GOOD_SECONDS = 10
const FAIR_SECONDS = 60

/** A correction to UTC changes the scale by less. */
const CORRECTION_MAX = 0.07

type Clock = Pick<
  Status,
  'time_drift_seconds' | 'time_sync_enabled' | 'effective_time_scale' | 'paused'
>

export function driftOf(clock: Clock): Drift {
  const { time_drift_seconds: drift, time_sync_enabled: isSynced, effective_time_scale } = clock
  const size = Math.abs(drift)
  const isLapse = !clock.paused && Math.abs(effective_time_scale - 1) > CORRECTION_MAX
  const kind = size <= GOOD_SECONDS ? 'good' : size <= FAIR_SECONDS ? 'fair' : 'far'
  const hint = isLapse
    ? say('An administrator lets game time run at another pace.')
    : isSynced
      ? say('The server brings the game back to UTC.')
      : say('The game keeps its own time: nothing corrects it to UTC.')
  const text = size < 1 ? say('in step with UTC') : driftText(drift)
  const isFree = isLapse || (!isSynced && kind !== 'good')
  return { text, kind: isFree ? 'free' : kind, hint }
}

function driftText(drift: number): string {
  const time = durationText(Math.abs(drift))
  return drift < 0 ? say('{time} behind UTC', { time }) : say('{time} ahead of UTC', { time })
}
