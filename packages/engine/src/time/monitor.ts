import type { WallClock } from './wall-clock.ts'

/** Ticks that rates and loads are measured over, at most. */
const WINDOW_TICKS = 64

/** Seconds after which an older tick no longer counts, if two newer ones remain. */
const WINDOW_MS = 10_000

/** When ticks ran and how long they took. */
export interface Monitor {
  readonly startsMs: number[]
  readonly busyMs: number[]
}

export function createMonitor(): Monitor {
  return { startsMs: [], busyMs: [] }
}

export function recordTick(monitor: Monitor, startMs: number, busyMs: number): void {
  const { startsMs } = monitor
  startsMs.push(startMs)
  monitor.busyMs.push(busyMs)
  while (
    startsMs.length > WINDOW_TICKS ||
    (startsMs.length > 3 && startMs - startsMs[0] > WINDOW_MS)
  ) {
    startsMs.shift()
    monitor.busyMs.shift()
  }
}

/** Drops measurements at another rate except the last tick. */
export function keepLastTick({ startsMs, busyMs }: Monitor): void {
  startsMs.splice(0, startsMs.length - 1)
  busyMs.splice(0, busyMs.length - 1)
}

/** Drops all measurements, as after a pause. */
export function clearMonitor(monitor: Monitor): void {
  monitor.startsMs.length = 0
  monitor.busyMs.length = 0
}

/**
 * Measured ticks per second. An overdue tick counts against the rate from the moment it was due.
 * After a single tick the next is assumed to come in time.
 */
export function actualRate(monitor: Monitor, nowMs: number, periodMs: number): number {
  const { startsMs } = monitor
  const last = startsMs.at(-1)
  if (last === undefined) return 0
  const overdueMs = Math.max(0, nowMs - last - periodMs)
  const elapsedMs = startsMs.length > 1 ? last - startsMs[0] : periodMs
  return (1000 * Math.max(1, startsMs.length - 1)) / (elapsedMs + overdueMs)
}

/** Share of the period that ticks took, from their start to their last queued frame. */
export function utilisation(monitor: Monitor, periodMs: number): number {
  const { busyMs } = monitor
  if (busyMs.length === 0) return 0
  return busyMs.reduce((sum, busy) => sum + busy, 0) / busyMs.length / periodMs
}

/** Phases of a tick, in order; `flight` is all its rounds, sightings included. */
export type Phase = 'ephemeris' | 'orders' | 'flight' | 'views'

/** Wall time of each phase of a tick [ms]. */
export type PhaseTimes = Readonly<Record<Phase, number>>

/** Timing of one tick. */
export interface TickTiming {
  /** from its start to its last queued frame [ms] */
  readonly durationMs: number
  /** how long after it was due it started [ms] */
  readonly lateMs: number
  /** its duration as a share of the period */
  readonly utilisation: number
  /** valid until the next tick starts */
  readonly phases: PhaseTimes
}

/** Measures what each phase of a tick takes. */
export interface PhaseWatch {
  /** of the last tick that ended */
  readonly times: PhaseTimes
  begin(): void
  /** what passed since `begin` or the last lap belongs to a phase; `views` ends the tick */
  lap(phase: Phase): void
}

export function createPhaseWatch(clock: WallClock): PhaseWatch {
  let times = { ephemeris: 0, orders: 0, flight: 0, views: 0 }
  let running = { ...times }
  let lapMs = 0
  return {
    get times() {
      return times
    },
    begin() {
      lapMs = clock.monotonicMs()
    },
    lap(phase) {
      const nowMs = clock.monotonicMs()
      running[phase] = nowMs - lapMs
      lapMs = nowMs
      if (phase === 'views') [times, running] = [running, times]
    },
  }
}
