import type { WallClock } from '@orrery/engine'

/** Age of the oldest waiting row from which on commands are refused. */
export const AWAY_MS = 2000

/** Age of that row from which on the world is held. */
export const LOST_MS = 10_000

export interface OutageOptions {
  readonly clock: WallClock
  /** after 2 s without a commit; since when [monotonic ms] */
  readonly onAway: (sinceMs: number) => void
  /** after 10 s: the caller holds the world */
  readonly onLost: () => void
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

export function createOutage({ clock, onAway, onLost, onBack }: OutageOptions): Outage {
  let oldestMs: number | undefined
  let reported: 'nothing' | 'away' | 'lost' = 'nothing'
  let cancel = (): void => undefined
  const ageMs = (): number => (oldestMs === undefined ? 0 : clock.monotonicMs() - oldestMs)

  const look = (): void => {
    cancel()
    if (oldestMs === undefined || ageMs() < AWAY_MS) {
      if (reported !== 'nothing') onBack()
      reported = 'nothing'
    } else if (reported === 'nothing') {
      reported = 'away'
      onAway(oldestMs)
    }
    if (reported === 'away' && ageMs() >= LOST_MS) {
      reported = 'lost'
      onLost()
    }
    if (oldestMs === undefined || reported === 'lost') return
    // A timer may come a little early: then it is set again.
    cancel = clock.after((reported === 'away' ? LOST_MS : AWAY_MS) - ageMs(), look)
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
