import type { WallClock } from '@orrery/engine'
import type { Journal, JournalOutcome, NewJournalBatch } from '@orrery/store'
import { createRest } from '../rest.ts'

/** Rest after a first failed attempt; each further one doubles it, up to the longest. */
const REST_MS = 100
const REST_MS_MAX = 1000

export interface AppendingOptions {
  readonly append: Journal['append']
  readonly clock: WallClock
  /** called with a batch's first failure, and with later ones of another code */
  readonly onError: (error: unknown) => void
}

/** Brings batches into the journal. */
export interface Appending {
  /**
   * Tries until a batch is durable, or this has been ended.
   *
   * @throws {StoreError} 'ERR_FENCED'
   */
  untilDurable(batch: NewJournalBatch): Promise<JournalOutcome | undefined>
  /** attempts that failed */
  failures(): number
  end(): void
}

export function createAppending({ append, clock, onError }: AppendingOptions): Appending {
  const rest = createRest(clock)
  let failures = 0
  let isEnded = false
  return {
    untilDurable: async (batch) => {
      let reportedCode: string | undefined
      for (let restMs = REST_MS; ; restMs = Math.min(2 * restMs, REST_MS_MAX)) {
        try {
          return await append(batch)
        } catch (error) {
          const code = String(Object(error).code)
          if (code === 'ERR_FENCED') throw error
          failures++
          if (code !== reportedCode) onError(error)
          reportedCode = code
        }
        if (!isEnded) await rest.take(restMs)
        if (isEnded) return undefined
      }
    },
    failures: () => failures,
    end: () => {
      isEnded = true
      rest.end()
    },
  }
}
