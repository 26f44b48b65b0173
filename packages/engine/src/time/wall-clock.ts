/** The only clock that the engine reads. Tests pass a simulated one. */
export interface WallClock {
  /** milliseconds that never jump */
  monotonicMs(): number
  /** UTC in Unix milliseconds; may jump */
  utcMs(): number
  /** calls back once after `ms`, at once when that is over; returns how to cancel */
  after(ms: number, callback: () => void): () => void
}

/** Node's own clocks. */
export const systemClock: WallClock = {
  monotonicMs: () => performance.now(),
  utcMs: () => Date.now(),
  after: (ms, callback) => {
    // Node warns of a negative time, which is that of every tick that is late.
    const timer = setTimeout(callback, Math.max(0, ms))
    return () => clearTimeout(timer)
  },
}
