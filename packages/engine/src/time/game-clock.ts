import { QUANTA_PER_SECOND, utcFromLattice } from '@orrery/sim'
import type { WallClock } from './wall-clock.ts'

/** Rates and scales are whole millionths, so that the game clock adds exactly. */
export const MICRO = 1_000_000

/**
 * The exact game clock: whole quanta, and a remainder of less than one that is carried from
 * tick to tick. A tick adds scale/rate seconds; nothing is lost or rounded while both stay.
 */
export interface GameClock {
  /** published lattice index */
  index: number
  /** carried numerator over `denominator`, in quanta */
  remainder: bigint
  denominator: bigint
}

export function createGameClock(index: number): GameClock {
  return { index, remainder: 0n, denominator: 1n }
}

/**
 * The clock after one more tick; the given clock is not changed.
 *
 * @param rateMicro   ticks per second, in millionths
 * @param scaleMicro  game seconds per second, in millionths
 */
export function nextTick(clock: GameClock, rateMicro: number, scaleMicro: number): GameClock {
  const denominator = BigInt(rateMicro)
  // A remainder over another rate's denominator is rounded down once, by less than 1e-5 quanta.
  const carried =
    clock.denominator === denominator
      ? clock.remainder
      : (clock.remainder * denominator) / clock.denominator
  const total = carried + BigInt(QUANTA_PER_SECOND) * BigInt(scaleMicro)
  return {
    index: clock.index + Number(total / denominator),
    remainder: total % denominator,
    denominator,
  }
}

/** Quanta past `index` that are only shown, never simulated: 0 up to 1. */
export function shownOffset(clock: GameClock): number {
  return Number(clock.remainder) / Number(clock.denominator)
}

/** Game time at the published tick, and the wall time of that tick. */
export interface GameTime {
  clock: GameClock
  /** wall time at which the tick was published, and at which it was due [ms] */
  publishedMs: number
  dueMs: number
}

/** UTC of the moment that a clock shows [Unix ms]. */
export function publishedUtc(clock: GameClock): number {
  return utcFromLattice(clock.index + shownOffset(clock))
}

/**
 * Lattice index that players are shown: published, and wall time since then.
 *
 * @param scale  game seconds per second; 0 while time is stopped
 */
export function shownIndex({ clock, publishedMs }: GameTime, nowMs: number, scale: number): number {
  const elapsedSeconds = (nowMs - publishedMs) / 1000
  return clock.index + shownOffset(clock) + elapsedSeconds * scale * QUANTA_PER_SECOND
}

/**
 * Game time minus UTC now [s]. It is counted from the moment the tick was due: how long ticks
 * take is no drift.
 *
 * @param scale  game seconds per second; 0 while time is stopped
 */
export function driftNow(time: GameTime, wall: WallClock, scale: number): number {
  const elapsedMs = wall.monotonicMs() - time.dueMs
  return (publishedUtc(time.clock) + elapsedMs * scale - wall.utcMs()) / 1000
}

/** Game time minus UTC at the moment the tick was due [s]. */
export function driftWhenDue(time: GameTime, wall: WallClock): number {
  return driftNow(time, wall, 1)
}
