/** Who operates: kept by the tab, until the token expires or the operator leaves. */
import { type AdminClient, ClientError, type GameClient } from '@orrery/client'
import { type ReadonlySignal, signal } from '@preact/signals'
import { failureText } from './failure-text.ts'

export interface Session {
  readonly username: string
  readonly token: string
  readonly admin: AdminClient
}

export interface Sessions {
  readonly current: ReadonlySignal<Session | undefined>
  /** why the last session ended by itself; undefined when the operator left */
  readonly ended: ReadonlySignal<string | undefined>
  /** resolves with a sentence when it is refused */
  signIn(username: string, password: string): Promise<string | undefined>
  signOut(why?: string): void
}

const KEY = 'orrery.operator'

export function createSessions(client: GameClient, storage: Storage): Sessions {
  const open = (username: string, token: string): Session => ({
    username,
    token,
    admin: client.admin(token),
  })
  const kept = parsed(storage.getItem(KEY))
  const current = signal(kept && open(kept.username, kept.token))
  const ended = signal<string | undefined>(undefined)
  return {
    current,
    ended,
    signIn: async (username, password) => {
      try {
        const { token } = await client.adminLogin(username, password)
        storage.setItem(KEY, JSON.stringify({ username, token }))
        ended.value = undefined
        current.value = open(username, token)
        return undefined
      } catch (error) {
        const isRefused = error instanceof ClientError && error.code === 'E005'
        return isRefused ? 'Name or password is wrong, or this is no admin.' : failureText(error)
      }
    },
    signOut: (why) => {
      storage.removeItem(KEY)
      ended.value = why
      current.value = undefined
    },
  }
}

function parsed(text: string | null): { username: string; token: string } | undefined {
  if (text === null) return undefined
  try {
    const { username, token } = JSON.parse(text)
    return typeof username === 'string' && typeof token === 'string'
      ? { username, token }
      : undefined
  } catch {
    return undefined
  }
}
