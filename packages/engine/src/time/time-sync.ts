import { MICRO } from './game-clock.ts'

/** Largest distance from 1 of a scale that can follow UTC. */
const REACH_MICRO = MICRO / 100

/** Largest difference of the scale in force from the set one, as a share of it. */
const SHARE_MAX = 0.05

/** The same of a clock that follows the plan of its universe: it began a moment off. */
const PLAN_SHARE_MAX = 0.5

/** Time constant of the drift away from both limits: two ticks at 0.1 Hz [s]. */
const DECAY_SECONDS = 20

/** Drift that is ignored, and the drift at which a correction ends [s]. */
const QUIET = 0.025
const DONE = 0.005

/** Time constant of a clock that follows a plan, at least, and in ticks [s]. */
const PLAN_DECAY_SECONDS = 4
const PLAN_DECAY_TICKS = 2

/** State of the correction towards UTC. */
export interface TimeSync {
  /** no correction is under way */
  quiet: boolean
}

/** Whether a scale can follow UTC at all [millionths]. */
export function canFollowUtc(scaleMicro: number): boolean {
  return Math.abs(scaleMicro - MICRO) <= REACH_MICRO
}

/**
 * Game seconds per second, in whole millionths, that correct the drift from UTC.
 *
 * A tick lasts 10 s at most, half the time constant, so no tick overshoots; rounding is towards 1.
 * With drift ignored within 25 ms and corrected to 5 ms, the scale is exactly 1 except for some
 * seconds in many minutes, in spite of jitter in the clocks' last milliseconds.
 *
 * @param scaleMicro    the scale that was set, one that can follow UTC
 * @param driftSeconds  game time minus UTC
 */
export function scaleTowardsUtc(sync: TimeSync, scaleMicro: number, driftSeconds: number): number {
  const wanted = corrected(sync, MICRO, driftSeconds / DECAY_SECONDS, driftSeconds)
  return sync.quiet ? wanted : within(wanted, scaleMicro, SHARE_MAX)
}

/**
 * The same for a clock that follows a plan: it may be some seconds off, and another host waits for
 * one that is ahead.
 *
 * @param paceMicro     the scale of the plan
 * @param rateMicro     ticks per second, in millionths
 * @param driftSeconds  how far it is ahead of the plan, in wall time
 */
export function scaleTowardsPlan(
  sync: TimeSync,
  { paceMicro, rateMicro }: { readonly paceMicro: number; readonly rateMicro: number },
  driftSeconds: number,
): number {
  const decaySeconds = Math.max(PLAN_DECAY_SECONDS, (PLAN_DECAY_TICKS * MICRO) / rateMicro)
  const wanted = corrected(sync, paceMicro, driftSeconds / decaySeconds, driftSeconds)
  return within(wanted, paceMicro, PLAN_SHARE_MAX)
}

/** @param share  of the scale, by which it is too fast */
function corrected(sync: TimeSync, micro: number, share: number, driftSeconds: number): number {
  sync.quiet = Math.abs(driftSeconds) <= (sync.quiet ? QUIET : DONE)
  return sync.quiet ? micro : micro - Math.trunc(share * micro)
}

function within(wanted: number, micro: number, share: number): number {
  const least = Math.ceil(micro * (1 - share))
  const most = Math.floor(micro * (1 + share))
  return Math.min(most, Math.max(least, wanted))
}
