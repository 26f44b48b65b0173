import { isAway } from '@orrery/database'
import type { WallClock } from '@orrery/engine'

/** Sleep between two attempts while the database is away. */
const RETRY_MS = 500

/** How a change is tried again. */
export interface Retrying {
  readonly clock: Pick<WallClock, 'after'>
  /** called with each failed attempt; what it throws ends the repetition */
  readonly onAway: (error: unknown) => void
}

/**
 * Repeats a change of the database until its outcome is known: with the connection the answer to a
 * commit may be lost. The change must be harmless once more.
 */
export async function untilKnown<Result>(
  change: () => Promise<Result>,
  { clock, onAway }: Retrying,
): Promise<Result> {
  for (;;) {
    try {
      return await change()
    } catch (error) {
      if (!isAway(error)) throw error
      onAway(error)
    }
    await new Promise<void>((resolve) => void clock.after(RETRY_MS, resolve))
  }
}
