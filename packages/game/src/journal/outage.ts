import type { WallClock } from '@orrery/engine'

/** Age of the oldest waiting row from which on commands are refused. */
export const AWAY_MS = 2000

export interface OutageOptions {
  readonly clock: WallClock
  /** after 2 s without a commit; since when [monotonic ms] */
  readonly onAway: (sinceMs: number) => void
  /** everything that waited has become durable, or what waits is young */
  readonly onBack: () => void
}

/** Reports for how long commands have not become durable. */
export interface Outage {
  /** @param sinceMs  when the oldest came that is not durable [monotonic ms]; none: undefined */
  follow(sinceMs: number | undefined): void
  isAway(): boolean
  /** makes no more calls */
  end(): void
}

export function createOutage({ clock, onAway, onBack }: OutageOptions): Outage {
  let oldestMs: number | undefined
  let isReported = false
  let cancel = (): void => undefined
  const ageMs = (): number => (oldestMs === undefined ? 0 : clock.monotonicMs() - oldestMs)

  const look = (): void => {
    cancel()
    const isAway = oldestMs !== undefined && ageMs() >= AWAY_MS
    if (isAway && !isReported) onAway(oldestMs ?? 0)
    if (!isAway && isReported) onBack()
    isReported = isAway
    // A timer may come a little early: then it is set again.
    if (oldestMs !== undefined && !isAway) cancel = clock.after(AWAY_MS - ageMs(), look)
  }

  return {
    follow: (sinceMs) => {
      oldestMs = sinceMs
      look()
    },
    isAway: () => ageMs() >= AWAY_MS,
    end: () => cancel(),
  }
}
