/** Messages a socket may send at once, and per second on the long run. */
const BURST = 60
const PER_SECOND = 40

/** A client that goes on after so many dropped messages within a second is cut off. */
const DROPPED_MAX = 200

/** What becomes of one message: taken, dropped (`told` once per second), or the end. */
export type Verdict = 'take' | 'drop' | 'drop-and-tell' | 'close'

/** Counts one socket's messages before anything of them is read. */
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
      const tell = at - windowMs >= 1000
      if (tell) {
        windowMs = at
        dropped = 0
      }
      if (++dropped >= DROPPED_MAX) return 'close'
      return tell ? 'drop-and-tell' : 'drop'
    },
  }
}
