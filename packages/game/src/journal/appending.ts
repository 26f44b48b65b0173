import { reasonOf } from '@orrery/database'
import type { WallClock } from '@orrery/engine'
import type { Journal, JournalOutcome, NewJournalBatch } from '@orrery/store'
import { createInterruptibleSleep } from '../interruptible-sleep.ts'
import { isLost, isPermanent } from './stopping.ts'

/** Sleep after a first failed attempt; each further one doubles it, up to the longest. */
const SLEEP_MS = 100
const SLEEP_MS_MAX = 1000

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
   * @param endures  tries on after a permanent error, too
   * @throws {StoreError} any {@link isLost} or {@link isPermanent} error
   */
  untilDurable(batch: NewJournalBatch, endures?: boolean): Promise<JournalOutcome | undefined>
  /** attempts that failed */
  failures(): number
  /** why the last attempt failed; undefined since one succeeded */
  failure(): string | undefined
  end(): void
}

export function createAppending({ append, clock, onError }: AppendingOptions): Appending {
  const sleep = createInterruptibleSleep(clock)
  let failures = 0
  let failure: string | undefined
  let isEnded = false
  return {
    untilDurable: async (batch, endures = false) => {
      let reportedCode: string | undefined
      for (let sleepMs = SLEEP_MS; ; sleepMs = Math.min(2 * sleepMs, SLEEP_MS_MAX)) {
        try {
          const outcome = await append(batch)
          failure = undefined
          return outcome
        } catch (error) {
          const code = String(Object(error).code)
          if (isLost(error) || (!endures && isPermanent(error))) throw error
          failures++
          failure = reasonOf(error)
          if (code !== reportedCode) onError(error)
          reportedCode = code
        }
        if (!isEnded) await sleep.start(sleepMs)
        if (isEnded) return undefined
      }
    },
    failures: () => failures,
    failure: () => failure,
    end: () => {
      isEnded = true
      sleep.interrupt()
    },
  }
}
