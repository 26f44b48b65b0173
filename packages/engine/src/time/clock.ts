import { QUANTA_PER_SECOND } from '@orrery/sim'

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
 * Where the clock stands after one more tick; the clock itself is not moved.
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
