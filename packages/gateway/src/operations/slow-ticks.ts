import type { Logger } from '@orrery/http'

/** Least time between two lines about slow ticks [ms]; those between are counted. */
const INTERVAL_MS = 10_000

/** The measures of a tick that are checked and logged. */
export interface TickLoad {
  readonly durationMs: number
  /** of its period */
  readonly utilisation: number
  readonly phases: Readonly<Record<string, number>>
}

/**
 * Writes a line when a tick took longer than its period, at most one in ten seconds.
 *
 * @param nowMs  a monotonic clock [ms]
 */
export function createSlowTickLog(
  logger: Pick<Logger, 'warn'>,
  nowMs: () => number = () => performance.now(),
): (load: TickLoad) => void {
  let loggedMs = -Infinity
  let slow = 0
  return ({ durationMs, utilisation, phases }) => {
    if (utilisation <= 1) return
    slow++
    const now = nowMs()
    if (now - loggedMs < INTERVAL_MS) return
    loggedMs = now
    logger.warn(
      { slow_ticks: slow, duration_ms: durationMs, phases_ms: { ...phases } },
      'slow tick',
    )
    slow = 0
  }
}
