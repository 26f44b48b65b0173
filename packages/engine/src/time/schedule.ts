/** Due ticks that are caught up, at most; older ones are dropped. */
export const CATCH_UP_MAX = 5

/** When ticks are due in wall time. */
export interface Schedule {
  startMs: number
  rateHz: number
  periodMs: number
  /** ticks that were run or dropped since `startMs` */
  done: number
  /** ticks dropped since the engine started */
  dropped: number
}

export function createSchedule(nowMs: number, rateHz: number): Schedule {
  return { startMs: nowMs, rateHz, periodMs: 1000 / rateHz, done: 0, dropped: 0 }
}

/**
 * Continues at another rate, the next tick one new period after the last due one. Of the time
 * since, what five ticks cannot catch up is dropped.
 */
export function changeSchedule(schedule: Schedule, nowMs: number, rateHz: number): void {
  const periodMs = 1000 / rateHz
  schedule.startMs = Math.max(lastDueMs(schedule), nowMs - CATCH_UP_MAX * periodMs)
  schedule.rateHz = rateHz
  schedule.periodMs = periodMs
  schedule.done = 0
}

/** Restarts after a pause, with the next tick one period from now. */
export function restartSchedule(schedule: Schedule, nowMs: number, rateHz: number): void {
  schedule.startMs = nowMs
  schedule.rateHz = rateHz
  schedule.periodMs = 1000 / rateHz
  schedule.done = 0
}

/** Lets the next tick, and all after it, be due sooner. */
export function advanceSchedule(schedule: Schedule, ms: number): void {
  schedule.startMs -= ms
}

/** When the last tick that was run or dropped was due. */
export function lastDueMs({ startMs, done, periodMs }: Schedule): number {
  return startMs + done * periodMs
}

/** Ticks that are due and not done: 0 when healthy. */
export function ticksBehind(schedule: Schedule, nowMs: number): number {
  const due = Math.floor((nowMs - schedule.startMs) / schedule.periodMs)
  return Math.max(0, due - schedule.done)
}

/** Drops the ticks beyond what may be caught up. */
export function dropLateTicks(schedule: Schedule, nowMs: number): void {
  const late = ticksBehind(schedule, nowMs) - CATCH_UP_MAX
  if (late <= 0) return
  schedule.done += late
  schedule.dropped += late
}

/** Milliseconds until the next tick is due; 0 when it already is. */
export function untilNextTickMs(schedule: Schedule, nowMs: number): number {
  return Math.max(0, schedule.startMs + (schedule.done + 1) * schedule.periodMs - nowMs)
}
