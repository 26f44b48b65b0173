import type { WallClock } from '@orrery/engine/testing'

/** A clock for an engine that never waits: it stands at the next thing to do, and goes on. */
export function fastClock(utcMs: number): WallClock {
  let nowMs = 0
  const timers = new Set<{ readonly dueMs: number; readonly callback: () => void }>()

  function goOn(): void {
    const [next] = [...timers].toSorted((a, b) => a.dueMs - b.dueMs)
    if (!next) return
    timers.delete(next)
    nowMs = Math.max(nowMs, next.dueMs)
    next.callback()
  }

  return {
    monotonicMs: () => nowMs,
    utcMs: () => utcMs + nowMs,
    after: (ms, callback) => {
      const timer = { dueMs: nowMs + ms, callback }
      timers.add(timer)
      setImmediate(goOn)
      return () => timers.delete(timer)
    },
  }
}
