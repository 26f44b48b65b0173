import { QUANTA_PER_SECOND, utcFromLattice } from '@orrery/sim'
import { type GameClock, shownOffset } from './clock.ts'
import type { WallClock } from './wall-clock.ts'

/** What time it is in the game: at the published tick, and by wall time since. */
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
 * @param scale  game seconds per second; 0 while time stands still
 */
export function shownIndex({ clock, publishedMs }: GameTime, nowMs: number, scale: number): number {
  const elapsedSeconds = (nowMs - publishedMs) / 1000
  return clock.index + shownOffset(clock) + elapsedSeconds * scale * QUANTA_PER_SECOND
}

/**
 * Game time minus UTC now [s]. It is counted from the moment the tick was due: how long ticks
 * take is no drift.
 *
 * @param scale  game seconds per second; 0 while time stands still
 */
export function driftNow(time: GameTime, wall: WallClock, scale: number): number {
  const elapsedMs = wall.monotonicMs() - time.dueMs
  return (publishedUtc(time.clock) + elapsedMs * scale - wall.utcMs()) / 1000
}

/** Game time minus UTC at the moment the tick was due [s]. */
export function driftWhenDue(time: GameTime, wall: WallClock): number {
  return driftNow(time, wall, 1)
}
