/** A clock that moves only by calls, for tests that never wait; fits the engine's `WallClock`. */
export interface SimulatedClock {
  monotonicMs(): number
  utcMs(): number
  /** Calls back once; returns a function that cancels it. */
  after(ms: number, callback: () => void): () => void
  /** moves time on, calls back in order of the due times, and lets promises settle between */
  advance(ms: number): Promise<void>
  /** lets time pass without callbacks, as a computation does */
  work(ms: number): void
  /** sets UTC forward, or back */
  jumpUtc(ms: number): void
}

interface Timer {
  readonly dueMs: number
  readonly callback: () => void
}

/** A test that has let so much pass waits for what does not come, and lets no timeout act [ms]. */
const LONGEST_MS = 1e9

export function simulatedClock(utcMs: number): SimulatedClock {
  let nowMs = 0
  const timers = new Set<Timer>()
  const earliest = (): Timer | undefined => [...timers].toSorted((a, b) => a.dueMs - b.dueMs).at(0)
  return {
    monotonicMs: () => nowMs,
    utcMs: () => utcMs + nowMs,
    after: (ms, callback) => {
      const timer = { dueMs: nowMs + ms, callback }
      timers.add(timer)
      return () => timers.delete(timer)
    },
    advance: async (ms) => {
      const endMs = nowMs + ms
      if (endMs > LONGEST_MS) throw new Error(`The simulated clock has passed ${LONGEST_MS} ms.`)
      for (;;) {
        await settled()
        const next = earliest()
        if (!next || Math.max(nowMs, next.dueMs) > endMs) break
        timers.delete(next)
        nowMs = Math.max(nowMs, next.dueMs)
        next.callback()
      }
      nowMs = Math.max(nowMs, endMs)
      await settled()
    },
    work: (ms) => {
      nowMs += ms
    },
    jumpUtc: (ms) => {
      utcMs += ms
    },
  }
}

/** Enough turns for a tick that flies its ships on this thread to end and plan the next. */
async function settled(): Promise<void> {
  for (let i = 0; i < 20; i++) await Promise.resolve()
}
