import {
  CLOSE_CODES,
  type ErrorCode,
  ERRORS,
  type ServerMessage,
  encodeServerMessage,
} from '@orrery/protocol'
import type { Server } from 'node:http'
import { createClockNews } from './clock-news.ts'
import { type House, createDoor } from './door.ts'
import { createSheet } from './pipe.ts'
import type { CloseCode, PlayerSocket } from './player-socket.ts'
import { createRoll } from './roll.ts'
import { createShowing } from './showing.ts'
import type { SocketsOptions } from './sockets-options.ts'
import { type SocketMetrics, createSocketCounts } from './socket-metrics.ts'
import { clockMessage } from '../wire-views.ts'

/** Why somebody is sent away: what is said before, the close code, its reason. */
export interface Dismissal {
  readonly error?: ErrorCode
  readonly close: CloseCode
  readonly reason: string
  /** an admin's observers alone, as when he is one no more; all of an account's sockets if not */
  readonly only?: 'observers'
}

/** All connected players, and the admins who look on. */
export interface Sockets {
  /** connected players; observers are not counted */
  online(): number
  isOnline(playerId: string): boolean
  metrics(): SocketMetrics
  broadcast(message: ServerMessage): void
  /** sends to the pilot of one ship, if connected */
  sendToPilot(shipId: string, message: ServerMessage): void
  /** closes the sockets of an account, and those it is opening just now */
  disconnect(accountId: string, dismissal: Dismissal): void
  /**
   * tells everybody that the world is another one and how its time runs; looks up whose ship is
   * gone with it, and after a reset which observers are
   */
  worldReplaced(kind: 'restored' | 'reset'): void
  /** looks up a player's ship again, as when one was assigned */
  shipChanged(playerId: string): void
  /** shows everybody the world as published */
  broadcastTick(): void
  /** takes the WebSocket upgrades of a server */
  attach(server: Server): void
  /** says goodbye to everybody and refuses newcomers; resolves when all are gone */
  close(): Promise<void>
}

/** Keeps the sockets: one per player, and some per admin who looks on. */
export function createSockets(options: SocketsOptions): Sockets {
  const { engine } = options
  const roll = createRoll()
  const counts = createSocketCounts()
  const everybody = (): Iterable<PlayerSocket> => roll.everybody()
  const showing = createShowing({ ...options, everybody })
  const house: House = { ...options, roll, showing, counts, sheet: createSheet() }
  const door = createDoor(house)
  const clockNews = createClockNews(engine)

  const broadcast = (message: ServerMessage): void => {
    if (message.type === 'clock') clockNews.isTold(message.tick_rate, message.time_scale)
    const text = encodeServerMessage(message)
    for (const player of everybody()) player.outbox.send(text)
  }

  const disconnect: Sockets['disconnect'] = (accountId, { error, close, reason, only }) => {
    door.turnAway(accountId)
    for (const player of everybody()) {
      if (player.accountId !== accountId || (only && !player.isObserver)) continue
      if (error) player.send({ type: 'error', code: error, message: ERRORS[error].meaning })
      player.close(close, reason)
    }
  }

  return {
    online: () => roll.playerCount(),
    isOnline: (playerId) => roll.player(playerId) !== undefined,
    metrics: () => metrics(house),
    broadcast,
    sendToPilot: (shipId, message) => roll.pilot(shipId)?.send(message),
    disconnect,
    worldReplaced: (kind) => {
      const status = engine.status()
      const clock = clockMessage(status)
      broadcast({ type: kind, era: options.era(), tick: status.tick, game_time: clock.game_time })
      broadcast(clock)
      if (kind === 'reset') {
        door.askAgain()
        dismissGone(house, disconnect)
      }
      for (const player of everybody()) {
        if (!engine.world.roster.byId.has(player.shipId)) {
          // Until the account is read there is nothing to command.
          assignShip(house, player, '')
          lookUpShip(house, player.accountId)
        }
        showing.want(player)
      }
    },
    shipChanged: (playerId) => lookUpShip(house, playerId),
    broadcastTick: () => {
      const news = clockNews.take()
      if (news) broadcast(news)
      showing.publish()
    },
    attach: (server) => server.on('upgrade', door.upgrade),
    close: () => door.close(),
  }
}

/** Asks which ship an account has now, and lets its socket know. */
function lookUpShip(house: House, accountId: string): void {
  const { roll, accountOf, onError } = house
  if (!roll.player(accountId)) return
  accountOf(accountId)
    .then((account) => {
      const player = roll.player(accountId)
      if (player) assignShip(house, player, account?.shipId ?? '')
    })
    .catch(onError)
}

/** Sends the observers away whose accounts are gone. */
function dismissGone({ roll, accountOf, onError }: House, disconnect: Sockets['disconnect']): void {
  const close = CLOSE_CODES.expired
  for (const accountId of roll.observers()) {
    accountOf(accountId)
      .catch((error: unknown) => {
        // Whoever cannot be looked up goes as well: an admin can come back.
        onError(error)
        return undefined
      })
      .then((account) => {
        if (account?.isAdmin) return
        disconnect(accountId, { error: 'E005', close, reason: 'expired', only: 'observers' })
      })
      .catch(onError)
  }
}

function assignShip({ roll, showing }: House, player: PlayerSocket, shipId: string): void {
  if (player.shipId === shipId) return
  roll.changeShip(player, shipId)
  player.send({ type: 'ship_assigned', ship_id: shipId })
  showing.want(player)
}

function metrics({ roll, counts, showing }: House): SocketMetrics {
  let bytesQueued = 0
  for (const { outbox } of roll.everybody()) bytesQueued += outbox.bytesQueued()
  return {
    ...counts,
    closed: { ...counts.closed },
    handshakesRefused: { ...counts.handshakesRefused },
    players: roll.playerCount(),
    observers: roll.observerCount(),
    bytesQueued,
    fanOutMs: showing.fanOutMs(),
  }
}
