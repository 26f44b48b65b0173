/** The server as it is now: asked once a second, whatever else happens. */
import { type AdminClient, ClientError, type GameClient } from '@orrery/client'
import { type ReadonlySignal, signal } from '@preact/signals'
import { failureText } from './failure-text.ts'
import type { Session, Sessions } from './session.ts'

/** Between two questions [ms]. */
const LOOK_MS = 1000

export interface Reading {
  readonly open: Awaited<ReturnType<GameClient['status']>>
  readonly status: Awaited<ReturnType<AdminClient['status']>>
  readonly load: Awaited<ReturnType<AdminClient['load']>>
}

export interface Live {
  /** the last one, which is old while the server is away */
  readonly reading: ReadonlySignal<Reading | undefined>
  /** why there is no newer one; undefined while the server answers */
  readonly away: ReadonlySignal<string | undefined>
  /** asks at once, after something was changed; the next question is a second later */
  look(): Promise<void>
}

export function followServer(client: GameClient, sessions: Sessions): Live {
  const reading = signal<Reading | undefined>(undefined)
  const away = signal<string | undefined>(undefined)
  let timer: ReturnType<typeof setTimeout> | undefined
  let last: Promise<void> = Promise.resolve()
  /** Resolves with the time until the next question [ms]. */
  const ask = async ({ admin }: Session): Promise<number> => {
    try {
      const [open, status, load] = await Promise.all([
        client.status(),
        admin.status(),
        admin.load(),
      ])
      // An answer to a session that has ended is not shown to the next one.
      if (sessions.current.value?.admin === admin) reading.value = { open, status, load }
      away.value = undefined
      return LOOK_MS
    } catch (error) {
      if (error instanceof ClientError && error.code === 'E005') {
        if (sessions.current.value?.admin === admin) sessions.signOut(failureText(error))
        return LOOK_MS
      }
      away.value = failureText(error)
      const { retryAfter = 0 } = Object(error)
      return Math.max(LOOK_MS, retryAfter * 1000)
    }
  }
  const lookOnce = async (): Promise<void> => {
    clearTimeout(timer)
    const session = sessions.current.value
    const waitMs = session && !document.hidden ? await ask(session) : LOOK_MS
    timer = setTimeout(() => void look(), waitMs)
  }
  // One after the other: an answer under way may be older than the change.
  const look = (): Promise<void> => (last = last.then(lookOnce))
  sessions.current.subscribe((session) => {
    if (!session) reading.value = undefined
    void look()
  })
  return { reading, away, look }
}
