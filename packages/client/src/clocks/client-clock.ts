/** The clocks and timers of a client; tests pass a simulated one. */
export interface ClientClock {
  /** milliseconds from any origin, never going back */
  monotonicMs(): number
  /** UTC, milliseconds since 1970-01-01 */
  utcMs(): number
  /** calls back once after a time [ms]; returns how to cancel */
  after(ms: number, callback: () => void): () => void
}

export const systemClock: ClientClock = {
  monotonicMs: () => performance.now(),
  utcMs: () => Date.now(),
  after: (ms, callback) => {
    const timer = setTimeout(callback, ms)
    return () => clearTimeout(timer)
  },
}
