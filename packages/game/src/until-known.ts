import { isAway } from '@orrery/database'
import { setTimeout } from 'node:timers/promises'

/** Sleep between two attempts while the database is away. */
const RETRY_MS = 500

/**
 * Repeats a change of the database until its outcome is known: with the connection the answer to a
 * commit may be lost. The change must be harmless once more.
 *
 * @param onAway  called with each failed attempt; what it throws ends the repetition
 */
export async function untilKnown<Result>(
  change: () => Promise<Result>,
  onAway: (error: unknown) => void,
): Promise<Result> {
  for (;;) {
    try {
      return await change()
    } catch (error) {
      if (!isAway(error)) throw error
      onAway(error)
    }
    await setTimeout(RETRY_MS)
  }
}
