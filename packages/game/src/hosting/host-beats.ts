import type { WallClock } from '@orrery/engine'
import { type Host, type HostClock, type HostState, beats } from '@orrery/store'
import type { Database } from '@orrery/database'
import { createInterruptibleSleep } from '../interruptible-sleep.ts'
import { ClockComparison } from './clock-comparison.ts'

/** Time between two beats. */
const BEAT_MS = 200

/** A process that shows others that it lives. */
export interface HostBeats {
  /** an operator wants it to own nothing, by its last beat */
  isDrained(): boolean
  /** of this machine, by its last beats */
  clock(): HostClock
  /** ends with the beat that is being written */
  stop(): Promise<void>
}

export interface HostBeatsOptions {
  /** what they carry */
  readonly state: () => HostState
  readonly clock: WallClock
  /** called when the clock of this machine is in another state than before */
  readonly onClock?: (clock: HostClock) => void
}

/**
 * Raises the beats of a host until it is stopped, and compares its clock with the database's. The
 * next one comes after the answer to the one before; while the database is away none is written.
 */
export function startBeats(
  database: Pick<Database, 'session'>,
  host: Host,
  { state, clock, onClock }: HostBeatsOptions,
): HostBeats {
  // A beat need not survive a crash of the database.
  const session = database.session('beats', { synchronous_commit: 'off' })
  const own = beats(session, host)
  const sleep = createInterruptibleSleep(clock)
  const comparison = new ClockComparison(clock)
  let isDrained = false
  const stopping = new AbortController()
  const { signal } = stopping
  signal.addEventListener('abort', () => sleep.interrupt())
  const run = async (): Promise<void> => {
    while (!signal.aborted) {
      const before = comparison.seen()
      const compare = comparison.ask()
      // Others that miss it say so; commands report why the database is away.
      const beat = await own.beat(state(), before).catch(() => undefined)
      if (beat) {
        isDrained = beat.isDrained
        compare(beat.utcMs)
      }
      const seen = comparison.seen()
      if (seen.clockState !== before.clockState) onClock?.(seen)
      if (!signal.aborted) await sleep.start(BEAT_MS)
    }
  }
  const running = run()
  return {
    isDrained: () => isDrained,
    clock: () => comparison.seen(),
    stop: async () => {
      stopping.abort()
      await session.end({ timeout: 0 })
      await running
    },
  }
}
