/** The game of a signed-in player, and what stands for it in a practice. */
import {
  type GameClient,
  type GameSocket,
  type PlayerClient,
  type VotesMessage,
  connectSocket,
} from '@orrery/client'
import { type Flight, type LiveFlight, type StatedShip, openFlight } from '@orrery/client/flight'
import { type ReadonlySignal, signal } from '@preact/signals'
import { say } from '../languages/say.ts'
import type { Account } from './account.ts'
import { type Connection, followConnection } from './connection.ts'
import type { EventLog } from './event-log.ts'
import { type Pause, followPause } from './pause.ts'

/** What is flown: all that a player orders goes here. */
export interface Session {
  readonly account: Account
  readonly player: { ship(): Promise<StatedShip> }
  readonly socket: SessionSocket
  readonly flight: Flight
  /** undefined while the game runs */
  readonly pause: ReadonlySignal<Pause | undefined>
  /** in place of the game's */
  readonly log?: EventLog
  close(): void
}

export type SessionSocket = Pick<
  GameSocket,
  | 'on'
  | 'opened'
  | 'gameTimeNow'
  | 'predict'
  | 'jump'
  | 'rename'
  | 'rules'
  | 'saveRule'
  | 'deleteRule'
>

/** A ship in the game of a server. */
export interface LiveSession extends Session {
  readonly player: PlayerClient
  readonly socket: GameSocket
  readonly flight: LiveFlight
  /** what pilots vote for; undefined until the server has sent it */
  readonly votes: ReadonlySignal<VotesMessage | undefined>
  /** the own vote for the pace */
  readonly vote: ReadonlySignal<number | null>
}

export interface SessionOptions {
  readonly client: GameClient
  /** of the server */
  readonly url: string
  readonly account: Account
  readonly onConnection: (connection: Connection) => void
}

/** Connects a player. */
export function openSession({ client, url, account, onConnection }: SessionOptions): LiveSession {
  const socket = connectSocket({ url, token: account.token, wire: 'binary' })
  const flight = openFlight({ socket })
  flight.on('fault', ({ error }) => console.error(say('The flight cannot go on as it is'), error))
  const pause = signal<Pause | undefined>(undefined)
  followPause(socket, (change) => (pause.value = change))
  const votes = signal<VotesMessage | undefined>(undefined)
  socket.on('votes', (now) => (votes.value = now))
  const vote = signal<number | null>(null)
  socket.on('welcome', () => (vote.value = null))
  socket.on('voted', ({ pace }) => (vote.value = pace))
  followConnection({ client, socket, onChange: onConnection })
  return {
    account,
    player: client.player(account.token),
    socket,
    flight,
    pause,
    votes,
    vote,
    close: () => {
      flight.close()
      socket.close()
    },
  }
}
