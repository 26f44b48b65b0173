import type { WallClock } from '@orrery/engine'
import { type Host, type HostState, beats } from '@orrery/store'
import type { Database } from '@orrery/database'
import { createInterruptibleSleep } from '../interruptible-sleep.ts'

/** Time between two beats. */
const BEAT_MS = 200

/** A process that shows others that it lives. */
export interface HostBeats {
  /** an operator wants it to own nothing, by its last beat */
  isDrained(): boolean
  /** ends with the beat that is being written */
  stop(): Promise<void>
}

/**
 * Raises the beats of a host until it is stopped. The next one comes after the answer to the one
 * before; while the database is away none is written.
 *
 * @param state  what they carry
 */
export function startBeats(
  database: Pick<Database, 'session'>,
  host: Host,
  state: () => HostState,
  clock: WallClock,
): HostBeats {
  // A beat need not survive a crash of the database.
  const session = database.session('beats', { synchronous_commit: 'off' })
  const own = beats(session, host)
  const sleep = createInterruptibleSleep(clock)
  let isDrained = false
  const stopping = new AbortController()
  const { signal } = stopping
  signal.addEventListener('abort', () => sleep.interrupt())
  const run = async (): Promise<void> => {
    while (!signal.aborted) {
      // Others that miss it say so; commands report why the database is away.
      const beat = await own.beat(state()).catch(() => undefined)
      isDrained = beat?.isDrained ?? isDrained
      if (!signal.aborted) await sleep.start(BEAT_MS)
    }
  }
  const running = run()
  return {
    isDrained: () => isDrained,
    stop: async () => {
      stopping.abort()
      await session.end({ timeout: 0 })
      await running
    },
  }
}
