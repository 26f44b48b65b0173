/** Messages a socket may send at once, and per second on the long run. */
const BURST = 60
export const PER_SECOND = 40

/** A client with so many dropped messages within a second is closed. */
const DROPPED_MAX = 200

/** What to do with one message; a drop is reported once per second. */
export type Verdict = 'take' | 'drop' | 'drop-and-report' | 'close'

/** Limits the messages of one socket; asked before a message is read. */
export interface TokenBucket {
  verdict(nowMs: number): Verdict
}

export function createTokenBucket(nowMs: number): TokenBucket {
  let tokens = BURST
  let filledMs = nowMs
  let windowMs = -Infinity
  let dropped = 0
  return {
    verdict: (at) => {
      tokens = Math.min(BURST, tokens + ((at - filledMs) / 1000) * PER_SECOND)
      filledMs = at
      if (tokens >= 1) {
        tokens--
        return 'take'
      }
      const mustReport = at - windowMs >= 1000
      if (mustReport) {
        windowMs = at
        dropped = 0
      }
      if (++dropped >= DROPPED_MAX) return 'close'
      return mustReport ? 'drop-and-report' : 'drop'
    },
  }
}
