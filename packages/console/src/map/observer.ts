/** The star system that an operator watches: by a binary socket, which shows all of its ships. */
import { type SocketEvents, connectSocket } from '@orrery/client'
import { type Flight, openFlight } from '@orrery/client/flight'
import { type ReadonlySignal, signal } from '@preact/signals'
import { failureText } from '../operator/failure-text.ts'
import type { Session } from '../operator/session.ts'
import { SystemBodies } from './system-bodies.ts'

/** The most that the server sends a socket [B/s]: 10,000 ships are there in seconds. */
const BUDGET = 1_048_576

export interface Observer {
  readonly flight: Flight
  /** undefined until the server has described it */
  readonly system: ReadonlySignal<SystemBodies | undefined>
  /** why nothing new comes; undefined while it does */
  readonly away: ReadonlySignal<string | undefined>
  /** Watches another star system. */
  choose(systemId: string): void
  /** Tries again at once where there is no connection. */
  retry(): void
  close(): void
}

export interface ObserverOptions {
  readonly session: Session
  readonly url: string
  /** called with a sentence when the token has come to its end */
  readonly onEnd: (why: string) => void
}

export function openObserver({ session, url, onEnd }: ObserverOptions): Observer {
  const system = signal<SystemBodies | undefined>(undefined)
  const away = signal<string | undefined>('Connecting.')
  const view = { budget: BUDGET }
  const socket = connectSocket({ url, token: session.token, wire: 'binary', view })
  const flight = openFlight({ socket })
  flight.on('fault', ({ error }) => console.error('The flight cannot go on as it is', error))
  socket.on('welcome', () => (away.value = undefined))
  socket.on('system', (message) => (system.value = new SystemBodies(message)))
  socket.on('disconnected', ({ error }) => {
    if (error?.code === 'E005') onEnd(failureText(error))
    else away.value = absenceText(error)
  })
  return {
    flight,
    system,
    away,
    choose: (id) => {
      // Without a connection the next one begins with it.
      socket.subscribe({ ...view, system_id: id }).catch(() => undefined)
    },
    retry: () => {
      if (away.value !== undefined) socket.reconnect()
    },
    close: () => {
      flight.close()
      socket.close()
    },
  }
}

function absenceText(error: SocketEvents['disconnected']['error']): string {
  if (error === undefined) return 'The connection is lost. The map tries again by itself.'
  if (error.code !== 'closed') return failureText(error)
  return 'A newer map of this account took the place of this one. Open the map again.'
}
