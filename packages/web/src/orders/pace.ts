/** Sends values no quicker than they may be sent; of those between, only the last. */

/** What it measures time with, such as the browser. */
export interface Timers {
  /** [ms] */
  now(): number
  after(ms: number, act: () => void): void
}

const BROWSER: Timers = {
  now: () => performance.now(),
  after: (ms, act) => void setTimeout(act, ms),
}

/** Takes a value to send: at once, or when the last one is long enough ago. */
export type Pace<Value> = (value: Value) => void

/** @param intervalMs  between two values that are sent */
export function createPace<Value>(
  send: (value: Value) => void,
  intervalMs: number,
  timers: Timers = BROWSER,
): Pace<Value> {
  let next = -Infinity
  let isTimed = false
  let last: Value
  const flush = (): void => {
    isTimed = false
    next = timers.now() + intervalMs
    send(last)
  }
  return (value) => {
    last = value
    if (isTimed) return
    const wait = next - timers.now()
    if (wait <= 0) return flush()
    isTimed = true
    timers.after(wait, flush)
  }
}
