import type { Logger } from '@orrery/http'

/** Slow ticks are told at most so often [ms]; those between are counted. */
const TOLD_MS = 10_000

/** What of a tick decides whether it was slow, and what is told of it. */
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
  let toldMs = -Infinity
  let slow = 0
  return ({ durationMs, utilisation, phases }) => {
    if (utilisation <= 1) return
    slow++
    const now = nowMs()
    if (now - toldMs < TOLD_MS) return
    toldMs = now
    logger.warn(
      { slow_ticks: slow, duration_ms: durationMs, phases_ms: { ...phases } },
      'slow tick',
    )
    slow = 0
  }
}
