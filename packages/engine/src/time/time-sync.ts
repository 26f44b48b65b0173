import { MICRO } from './game-clock.ts'

/** Scales that may follow UTC differ from 1 by no more than this. */
const REACH_MICRO = MICRO / 100

/** The scale in force differs from the one that was set by no more than this share of it. */
const SHARE_MAX = 0.05

/** Away from both limits, drift falls by a factor e in so many seconds: two ticks at 0.1 Hz. */
const DECAY_SECONDS = 20

/** Drift that is left alone, and, once it was not, how small it is made [s]. */
const QUIET = 0.025
const DONE = 0.005

/** Lets game time follow UTC. */
export interface TimeSync {
  /** drift was made small, and has been left alone since */
  quiet: boolean
}

/** Whether a scale can follow UTC at all [millionths]. */
export function canFollowUtc(scaleMicro: number): boolean {
  return Math.abs(scaleMicro - MICRO) <= REACH_MICRO
}

/**
 * Game seconds per second, in whole millionths, at which game time comes to UTC.
 *
 * A tick moves drift by less than the whole of it, since it lasts 10 s at most; rounded towards
 * 1, none goes past the mark. Left alone within 25 ms and taken to 5 ms, the scale is exactly 1
 * but for some seconds in many minutes, whatever clocks do to the last milliseconds.
 *
 * @param scaleMicro    the scale that was set, one that can follow UTC
 * @param driftSeconds  game time minus UTC
 */
export function scaleTowardsUtc(sync: TimeSync, scaleMicro: number, driftSeconds: number): number {
  sync.quiet = Math.abs(driftSeconds) <= (sync.quiet ? QUIET : DONE)
  if (sync.quiet) return MICRO
  const least = Math.ceil(scaleMicro * (1 - SHARE_MAX))
  const most = Math.floor(scaleMicro * (1 + SHARE_MAX))
  const wanted = MICRO - Math.trunc((driftSeconds / DECAY_SECONDS) * MICRO)
  return Math.min(most, Math.max(least, wanted))
}
