import type { Logger } from '@orrery/http'

/** Between two beats [ms]. */
const BEAT_MS = 1000

/** A beat that comes later than this means that the process stood still [ms]. */
const STILL_MS = 5000

/** Logs that the process got no processor time for a while, as after SIGSTOP. */
export interface StandstillLog {
  beat(): void
  start(): void
  stop(): void
}

/**
 * @param ticksDropped  since the start
 * @param nowMs  a monotonic clock [ms]
 */
export function createStandstillLog(
  logger: Pick<Logger, 'warn'>,
  ticksDropped: () => number,
  nowMs: () => number = () => performance.now(),
): StandstillLog {
  let lastMs = nowMs()
  let droppedBefore = ticksDropped()
  let stoodMs: number | undefined
  let timer: NodeJS.Timeout | undefined
  const beat = (): void => {
    const sinceMs = nowMs() - lastMs
    lastMs = nowMs()
    if (stoodMs === undefined && sinceMs >= STILL_MS) {
      // The ticks that were missed are dropped before the next beat.
      stoodMs = sinceMs
      return
    }
    const dropped = ticksDropped()
    if (stoodMs !== undefined) {
      const fields = { stood_ms: Math.round(stoodMs), ticks_dropped: dropped - droppedBefore }
      logger.warn(fields, 'the process stood still')
    }
    stoodMs = undefined
    droppedBefore = dropped
  }
  return {
    beat,
    start: () => {
      lastMs = nowMs()
      timer ??= setInterval(beat, BEAT_MS)
    },
    stop: () => clearInterval(timer),
  }
}
