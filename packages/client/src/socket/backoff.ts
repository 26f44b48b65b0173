/** Longest wait before the second attempt [ms]; it doubles with each one after. */
export const BACKOFF_MS_FIRST = 500

/** No wait is longer [ms]. */
export const BACKOFF_MS_MAX = 30_000

/**
 * Wait before an attempt [ms]: anything from 0 to a bound that doubles up to its greatest, so that
 * clients that lost the server at one moment do not all reconnect at another.
 *
 * @param attempt  0 for the first one after a loss
 * @param random   uniform in [0, 1)
 * @source M. Brooker, Exponential Backoff And Jitter, AWS Architecture Blog, 2015, "full jitter"
 */
export function backoffMs(attempt: number, random: () => number): number {
  return random() * Math.min(BACKOFF_MS_MAX, BACKOFF_MS_FIRST * 2 ** attempt)
}
