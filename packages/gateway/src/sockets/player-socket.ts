import type { Engine, WallClock } from '@orrery/engine'
import {
  CLOSE_CODES,
  type ClientMessage,
  ERRORS,
  type ErrorCode,
  type MessageId,
  type ServerMessage,
  encodeServerMessage,
  parseClientMessage,
} from '@orrery/protocol'
import type { Duplex } from 'node:stream'
import type { WebSocket } from 'ws'
import type { Viewer } from './frames.ts'
import { type Outbox, type Traffic, createOutbox } from './outbox.ts'
import type { Sheet } from './pipe.ts'
import { obey, pilotErrorCode } from './pilot-commands.ts'
import { type Pace, type Subscription, createPace } from './subscription.ts'
import { createTokenBucket } from './token-bucket.ts'

/** A code that the server closes sockets with. */
export type CloseCode = (typeof CLOSE_CODES)[keyof typeof CLOSE_CODES]

/** One connected player, or an admin who looks on. */
export interface PlayerSocket extends Viewer {
  readonly accountId: string
  readonly isObserver: boolean
  readonly outbox: Outbox
  /** which ticks it gets a frame of */
  readonly pace: Pace
  /** another ship from now on */
  changeShip(shipId: string): void
  send(message: ServerMessage): void
  /** Says what waits to be said, then goodbye; what the client says from now on is not read. */
  close(code: CloseCode, reason: string): void
}

export interface PlayerSocketOptions {
  readonly socket: WebSocket
  /** what the socket writes on */
  readonly stream: Duplex
  readonly accountId: string
  /** `""` when the account has no ship */
  readonly shipId: string
  /** the star system that an observer is shown; undefined for players */
  readonly watched: string | undefined
  readonly engine: Engine
  readonly era: () => number
  readonly clock: WallClock
  readonly traffic: Traffic & { messagesTaken: number; messagesRefused: number }
  readonly sheet: Sheet
  /** a frame is wanted before the next tick */
  readonly onWanted: (player: PlayerSocket) => void
  /** the socket is closed from this side */
  readonly onClosing: (player: PlayerSocket, code: CloseCode) => void
  readonly onError: (error: unknown) => void
}

/** What a socket's messages change about it. */
interface Attention {
  shipId: string
  watched: string | undefined
  subscription: Subscription
  pace: Pace
}

export function createPlayerSocket(options: PlayerSocketOptions): PlayerSocket {
  const { socket, accountId, clock, traffic, onClosing } = options
  const attention: Attention = {
    shipId: options.shipId,
    watched: options.watched,
    subscription: {},
    pace: createPace(undefined, 0),
  }
  const outbox = createOutbox({
    socket,
    stream: options.stream,
    clock,
    traffic,
    sheet: options.sheet,
    onSlow: () => player.close(CLOSE_CODES.slow, 'slow'),
  })
  const player: PlayerSocket = {
    accountId,
    isObserver: options.watched !== undefined,
    outbox,
    get shipId() {
      return attention.shipId
    },
    get watched() {
      return attention.watched
    },
    get subscription() {
      return attention.subscription
    },
    get pace() {
      return attention.pace
    },
    changeShip: (shipId) => {
      attention.shipId = shipId
    },
    send: (message) => outbox.send(encodeServerMessage(message)),
    close: (code, reason) => {
      if (socket.readyState !== socket.OPEN) return
      outbox.flush()
      socket.close(code, reason)
      onClosing(player, code)
    },
  }

  listen({ ...options, attention, player })
  return player
}

interface Asked extends PlayerSocketOptions {
  readonly attention: Attention
  readonly player: PlayerSocket
}

/** Counts what comes before any of it is looked at, and answers what may be. */
function listen(asked: Asked): void {
  const { socket, player, clock, traffic, onError } = asked
  const bucket = createTokenBucket(clock.monotonicMs())
  /** Whether something the client sent may be looked at: messages and control frames alike. */
  const mayRead = (): boolean => {
    // A socket that the server closes still brings what its client goes on to say.
    if (socket.readyState !== socket.OPEN) return false
    const verdict = bucket.verdict(clock.monotonicMs())
    if (verdict === 'take') return true
    traffic.messagesRefused++
    if (verdict === 'drop-and-tell') player.send(errorMessage('E004'))
    if (verdict === 'close') {
      player.close(CLOSE_CODES.flooding, 'flooding')
      // Whoever floods goes on doing so: not even the kernel's buffer is emptied any more.
      socket.pause()
    }
    return false
  }

  // With ws' default binaryType a message comes as one Buffer.
  socket.on('message', (data: Buffer, isBinary: boolean) => {
    if (!mayRead()) return
    traffic.messagesTaken++
    answer(data, isBinary, asked).catch((error: unknown) => {
      onError(error)
      player.send(errorMessage('E008'))
    })
  })
  socket.on('ping', (data: Buffer) => {
    // Beside what waits already a pong would only add to it; the protocol lets later ones do.
    if (mayRead() && socket.bufferedAmount === 0) socket.pong(data)
  })
  socket.on('pong', mayRead)
}

/** Reads one message, does what it asks, and sends what follows from it. */
async function answer(data: Buffer, isBinary: boolean, asked: Asked): Promise<void> {
  const { player, engine, clock } = asked
  if (isBinary) return player.send(errorMessage('E001', undefined, 'Messages are JSON text'))
  const parsed = parseClientMessage(data.toString())
  if (!parsed.ok) return player.send({ type: 'error', ...parsed.error })
  const { message } = parsed
  if (message.type === 'ping') {
    const { type: _, ...echo } = message
    return player.send({ type: 'pong', ...echo, server_time: clock.utcMs() })
  }
  if (message.type === 'subscribe') return subscribe(message, asked)
  if (message.type === 'resume') return resume(message, asked)
  if (player.isObserver) {
    return player.send(errorMessage('E003', message.id, 'Observers command nothing'))
  }
  if (player.shipId === '') return player.send(errorMessage('E006', message.id))
  try {
    const reply = await obey(message, player, engine)
    if (reply) player.send(reply)
  } catch (error) {
    const code = pilotErrorCode(error)
    if (!code) throw error
    player.send(errorMessage(code, message.id))
  }
}

type Message<Type extends ClientMessage['type']> = Extract<ClientMessage, { type: Type }>

/** Narrows what a client is sent, and lets an observer look at another star system. */
function subscribe(message: Message<'subscribe'>, asked: Asked): void {
  const { player, attention, engine, clock, onWanted } = asked
  const { id, radius, rate, system_id: systemId } = message
  const refuse = (code: ErrorCode, reason: string): void =>
    player.send(errorMessage(code, id, reason))
  if (player.isObserver) {
    if (radius !== undefined) return refuse('E001', 'An observer has no ship to measure from')
    const { systems } = engine.world.state
    if (systemId !== undefined && !systems.some((system) => system.id === systemId)) {
      return refuse('E002', 'No such star system')
    }
    attention.watched = systemId ?? attention.watched
  } else if (systemId !== undefined) {
    return refuse('E003', 'A player sees the star system of his ship')
  }
  const ids = message.ids && [...new Set(message.ids.map((shipId) => shipId.toLowerCase()))]
  attention.subscription = {
    ...(radius !== undefined && { radius }),
    ...(ids && { ids }),
    ...(rate !== undefined && { rate }),
  }
  attention.pace = createPace(rate, clock.monotonicMs())
  const { watched } = attention
  player.send({
    type: 'subscribed',
    ...(id !== undefined && { id }),
    ...attention.subscription,
    ...(watched !== undefined && { system_id: watched }),
  })
  onWanted(player)
}

/** Tells what was missed, and shows the world as it is. */
function resume({ id, era: lastEra, tick: last }: Message<'resume'>, asked: Asked): void {
  const { player, engine, onWanted } = asked
  const era = asked.era()
  const { tick } = engine.status()
  // A tick of this era that is still to come was lost in a crash.
  const valid = lastEra === era && last <= tick
  player.send({
    type: 'resumed_session',
    ...(id !== undefined && { id }),
    era,
    tick,
    gap: valid ? tick - last : 0,
    valid,
  })
  onWanted(player)
}

function errorMessage(code: ErrorCode, id?: MessageId, message?: string): ServerMessage {
  return {
    type: 'error',
    ...(id !== undefined && { id }),
    code,
    message: message ?? ERRORS[code].meaning,
  }
}
