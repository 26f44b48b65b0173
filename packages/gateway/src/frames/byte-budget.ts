/** Seconds of a budget that can be spent at once. */
const BURST_SECONDS = 8

/** Limits the bytes that one client's frames take. */
export interface Budget {
  /** bytes that may be sent now; below 0 after what could not wait */
  left(nowMs: number): number
  spend(bytes: number): void
  change(bytesPerSecond: number): void
}

export function createBudget(rate: number, nowMs: number): Budget {
  let bytesPerSecond = rate
  let tokens = BURST_SECONDS * rate
  let filledMs = nowMs
  return {
    left: (atMs) => {
      const earned = ((atMs - filledMs) / 1000) * bytesPerSecond
      tokens = Math.min(BURST_SECONDS * bytesPerSecond, tokens + earned)
      filledMs = atMs
      return tokens
    },
    spend: (bytes) => {
      tokens -= bytes
    },
    change: (to) => {
      bytesPerSecond = to
    },
  }
}
