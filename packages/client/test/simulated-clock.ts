import type { ClientClock } from '../src/index.ts'

/** A clock that only `pass` advances. */
export interface SimulatedClock extends ClientClock {
  /** advances by a time [ms] and calls what is due in order */
  pass(ms: number): void
  /** times until the pending callbacks [ms] */
  waits(): number[]
}

export function simulatedClock(utcMs: number = Date.UTC(2026, 2, 1)): SimulatedClock {
  let nowMs = 0
  let timers: { readonly dueMs: number; readonly callback: () => void }[] = []
  return {
    monotonicMs: () => nowMs,
    utcMs: () => utcMs + nowMs,
    after: (ms, callback) => {
      const timer = { dueMs: nowMs + ms, callback }
      timers.push(timer)
      return () => {
        timers = timers.filter((other) => other !== timer)
      }
    },
    waits: () => timers.map(({ dueMs }) => dueMs - nowMs).toSorted((a, b) => a - b),
    pass: (ms) => {
      const endMs = nowMs + ms
      for (;;) {
        const [next] = timers
          .filter(({ dueMs }) => dueMs <= endMs)
          .toSorted((a, b) => a.dueMs - b.dueMs)
        if (next === undefined) break
        timers = timers.filter((other) => other !== next)
        nowMs = next.dueMs
        next.callback()
      }
      nowMs = endMs
    },
  }
}
