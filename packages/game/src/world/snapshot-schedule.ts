/** Longest wall time between two automatic snapshots. */
const PERIOD_MS = 60_000

/** Flight that a start would have to repeat before a snapshot is due earlier. */
const REPLAY_MS = 2000

/** Storing takes a core for a while: rest between two snapshots, at least. */
const REST_MS = 10_000

/** Decides when automatic snapshots are due. */
export interface SnapshotSchedule {
  /** a tick has flown ships for so long [ms] */
  flown(ms: number): void
  /** the world as it is at this moment is being stored */
  begun(): void
  isDue(): boolean
}

/**
 * Once a minute, and as soon as a start is estimated to fly longer than two seconds to catch up:
 * what ticks have flown since the last snapshot, it would fly again.
 *
 * @param nowMs      a monotonic clock [ms]
 * @param backlogMs  flight since the last snapshot at the start
 */
export function createSnapshotSchedule(nowMs: () => number, backlogMs = 0): SnapshotSchedule {
  let flownMs = backlogMs
  let lastMs = nowMs()
  return {
    flown: (ms) => void (flownMs += ms),
    begun: () => {
      flownMs = 0
      lastMs = nowMs()
    },
    isDue: () => {
      const sinceMs = nowMs() - lastMs
      return sinceMs >= PERIOD_MS || (flownMs >= REPLAY_MS && sinceMs >= REST_MS)
    },
  }
}
