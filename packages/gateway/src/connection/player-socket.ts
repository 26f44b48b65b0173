import { EngineError, type Predictor, type WallClock } from '@orrery/engine'
import {
  BINARY_SUBPROTOCOL,
  CLOSE_CODES,
  type ClientMessage,
  type ErrorCode,
  type PredictMessage,
  type SayMessage,
  type ServerMessage,
  type VoteMessage,
  encodeServerMessage,
  parseClientMessage,
} from '@orrery/protocol'
import type { Duplex } from 'node:stream'
import type { WebSocket } from 'ws'
import { createAskedFrames } from './asked-frames.ts'
import { errorMessage } from './error-message.ts'
import { type Budget, createBudget } from '../frames/byte-budget.ts'
import type { Viewer } from '../frames/frames.ts'
import { type Outbox, createOutbox } from './outbox.ts'
import type { SocketCounts } from './socket-metrics.ts'
import type { ScratchBuffer } from './socket-writer.ts'
import { predictionResponse } from '../views/predictions.ts'
import type { ModuleCommands } from './module-commands.ts'
import { type PilotCommand, accepted, pilotErrorCode, runPilotCommand } from './pilot-commands.ts'
import { type Pace, type Subscription, createPace } from '../frames/subscription.ts'
import { createTokenBucket } from './token-bucket.ts'
import type { ServedEngine } from '../views/served-engine.ts'

/** A code that the server closes sockets with. */
export type CloseCode = (typeof CLOSE_CODES)[keyof typeof CLOSE_CODES]

/** One connected player or observer. */
export interface PlayerSocket extends Viewer {
  readonly accountId: string
  /** of the token it was opened with */
  readonly tokenHash: string
  readonly isObserver: boolean
  /** it gets binary frames instead of ticks */
  readonly isBinary: boolean
  readonly outbox: Outbox
  /** chooses the ticks of which it gets a frame */
  readonly pace: Pace
  /** of JSON frames, and of predictions on either wire */
  readonly budget: Budget
  /** another ship from now on */
  changeShip(shipId: string): void
  /** narrows frames as before, unless the client has done so itself */
  resubscribe(subscription: Subscription): void
  send(message: ServerMessage): void
  /** Sends what waits, then closes; nothing that arrives later is read. */
  close(code: CloseCode, reason: string): void
}

/** What clients ask of binary frames. */
export interface BinaryRequests {
  /** an order of a ship was accepted */
  ordered(shipId: string): void
  /** sends a new seed of the client's ship, which runs such modules for it */
  requestSeed(player: PlayerSocket, runs: readonly string[]): void
  /** @param publication  the last one that came; undefined to begin again */
  resume(player: PlayerSocket, era: number, publication: number | undefined): void
}

/** What pilots say to each other. */
export interface TalkRequests {
  /** returns the answer to the pilot */
  say(
    pilot: Pick<PlayerSocket, 'accountId' | 'shipId'>,
    message: SayMessage,
  ): Promise<ServerMessage>
}

/** What pilots vote for. */
export interface VoteRequests {
  /** returns the answer to the pilot */
  vote(pilot: PlayerSocket, message: VoteMessage): ServerMessage
}

export interface PlayerSocketOptions {
  readonly socket: WebSocket
  /** the stream below the socket */
  readonly stream: Duplex
  readonly accountId: string
  readonly tokenHash: string
  /** `""` when the account has no ship */
  readonly shipId: string
  /** the star system an observer sees; undefined for players */
  readonly watched: string | undefined
  readonly engine: ServedEngine
  readonly predictor: Pick<Predictor, 'predict'>
  /** of the client */
  readonly address: string
  readonly era: () => number
  /** while the client asks for no other [bytes/s] */
  readonly jsonBudget: number
  readonly clock: WallClock
  readonly counts: SocketCounts
  readonly scratch: ScratchBuffer
  readonly binary: BinaryRequests
  readonly talk: TalkRequests
  readonly votes: VoteRequests
  readonly modules: Pick<ModuleCommands, 'run'>
  /** the client needs a frame before the next tick */
  readonly onFrameRequest: (player: PlayerSocket) => void
  /** called before the server closes the socket */
  readonly onClosing: (player: PlayerSocket, code: CloseCode) => void
  readonly onError: (error: unknown) => void
}

/** What messages change. */
interface SocketState {
  shipId: string
  watched: string | undefined
  subscription: Subscription
  pace: Pace
}

export function createPlayerSocket(options: PlayerSocketOptions): PlayerSocket {
  const { socket, accountId, clock, counts, onClosing } = options
  const isBinary = socket.protocol === BINARY_SUBPROTOCOL
  const state: SocketState = {
    shipId: options.shipId,
    watched: options.watched,
    subscription: {},
    pace: createPace(undefined, 0),
  }
  const budget = createBudget(options.jsonBudget, clock.monotonicMs())
  const outbox = createOutbox({
    socket,
    stream: options.stream,
    clock,
    traffic: counts.wires[isBinary ? 'binary' : 'json'],
    scratch: options.scratch,
    onSlow: () => player.close(CLOSE_CODES.slow, 'slow'),
  })
  const player: PlayerSocket = {
    accountId,
    tokenHash: options.tokenHash,
    isObserver: options.watched !== undefined,
    isBinary,
    outbox,
    budget,
    get shipId() {
      return state.shipId
    },
    get watched() {
      return state.watched
    },
    get subscription() {
      return state.subscription
    },
    get pace() {
      return state.pace
    },
    changeShip: (shipId) => {
      state.shipId = shipId
    },
    resubscribe: (subscription) => {
      if (Object.keys(state.subscription).length > 0) return
      state.subscription = subscription
      state.pace = createPace(subscription.rate, clock.monotonicMs())
    },
    send: (message) => outbox.send(encodeServerMessage(message)),
    close: (code, reason) => {
      if (socket.readyState !== socket.OPEN) return
      outbox.flush()
      socket.close(code, reason)
      onClosing(player, code)
    },
  }

  // The client may have left meanwhile.
  const askFrame = createAskedFrames(clock, () => {
    if (socket.readyState === socket.OPEN) options.onFrameRequest(player)
  })
  listen({ ...options, state, player, askFrame })
  return player
}

interface Listening extends PlayerSocketOptions {
  readonly state: SocketState
  readonly player: PlayerSocket
  /** the client asks for a frame */
  readonly askFrame: () => void
}

/** Limits what arrives before it is read, and answers the rest. */
function listen(parts: Listening): void {
  const { socket, player, clock, counts, onError } = parts
  const bucket = createTokenBucket(clock.monotonicMs())
  /** Whether a message or control frame is within the limits. */
  const mayRead = (): boolean => {
    // A closing socket still delivers messages.
    if (socket.readyState !== socket.OPEN) return false
    const verdict = bucket.verdict(clock.monotonicMs())
    if (verdict === 'take') return true
    counts.messagesRefused++
    if (verdict === 'drop-and-report') player.send(errorMessage('E004'))
    if (verdict === 'close') {
      player.close(CLOSE_CODES.flooding, 'flooding')
      // A flood goes on after the close: stop reading even the kernel's buffer.
      socket.pause()
    }
    return false
  }

  // With ws' default binaryType a message comes as one Buffer.
  socket.on('message', (data: Buffer, isBinary: boolean) => {
    if (!mayRead()) return
    counts.messagesTaken++
    answer(data, isBinary, parts).catch((error: unknown) => {
      onError(error)
      player.send(errorMessage('E008'))
    })
  })
  socket.on('ping', (data: Buffer) => {
    // A pong would only add to what waits; the protocol allows a later one to answer all.
    if (mayRead() && socket.bufferedAmount === 0) socket.pong(data)
  })
  socket.on('pong', mayRead)
}

/** Parses one message, carries it out and answers. */
async function answer(data: Buffer, isBinary: boolean, parts: Listening): Promise<void> {
  const { binary, player, clock } = parts
  if (isBinary) return player.send(errorMessage('E001', undefined, 'Messages are JSON text'))
  const parsed = parseClientMessage(data.toString())
  if (!parsed.ok) return player.send({ type: 'error', ...parsed.error })
  const { message } = parsed
  if (message.type === 'ping') {
    const { type: _, ...echo } = message
    return player.send({ type: 'pong', ...echo, server_time: clock.utcMs() })
  }
  if (message.type === 'subscribe') return subscribe(message, parts)
  if (message.type === 'resume') return resume(message, parts)
  if (message.type === 'seed_request' && !player.isBinary) {
    return player.send(errorMessage('E003', message.id, 'Seeds come in binary frames'))
  }
  if (player.isObserver) {
    return player.send(errorMessage('E003', message.id, 'Observers command nothing'))
  }
  if (player.shipId === '') return player.send(errorMessage('E006', message.id))
  if (message.type === 'seed_request') {
    return binary.requestSeed(player, message.modules ?? [])
  }
  try {
    const reply = await replyTo(message, parts)
    if (reply) player.send(reply)
  } catch (error) {
    const code = pilotErrorCode(error)
    if (!code || !(error instanceof Error)) throw error
    const { refusal } = error instanceof EngineError ? error : {}
    player.send(errorMessage(code, message.id, error.message, refusal))
  }
}

/** What a pilot is answered. */
async function replyTo(
  message: PilotCommand | PredictMessage | SayMessage | VoteMessage | Message<'module_command'>,
  parts: Listening,
): Promise<ServerMessage | undefined> {
  const { binary, engine, modules, player, talk, votes } = parts
  if (message.type === 'predict') return prediction(message, parts)
  if (message.type === 'say') return talk.say(player, message)
  if (message.type === 'vote') return votes.vote(player, message)
  if (message.type === 'module_command') {
    const { accountId, shipId } = player
    return accepted(message.id, await modules.run({ ...message, accountId, shipId }))
  }
  return runPilotCommand(message, player, engine, (shipId) => binary.ordered(shipId))
}

async function prediction(
  { id, ...request }: PredictMessage,
  { player, address, clock, engine, predictor }: Listening,
): Promise<ServerMessage> {
  if (player.budget.left(clock.monotonicMs()) <= 0) {
    return errorMessage('E004', id, 'The budget of this socket is spent')
  }
  const asking = { shipId: player.shipId, address }
  const response = await predictionResponse(request, asking, engine, predictor)
  const message = { type: 'prediction', ...(id !== undefined && { id }), ...response } as const
  player.budget.spend(Buffer.byteLength(encodeServerMessage(message)))
  return message
}

type Message<Type extends ClientMessage['type']> = Extract<ClientMessage, { type: Type }>

/** Narrows the frames of a client, or moves an observer to another star system. */
function subscribe(message: Message<'subscribe'>, parts: Listening): void {
  const { player, state, engine, clock, jsonBudget, askFrame } = parts
  const { budget, id, radius, rate, system_id: systemId } = message
  const refuse = (code: ErrorCode, reason: string): void =>
    player.send(errorMessage(code, id, reason))
  if (player.isObserver) {
    if (radius !== undefined) return refuse('E001', 'An observer has no ship to measure from')
    const { worlds } = engine.universe
    if (systemId !== undefined && !worlds.some(({ state: { system } }) => system.id === systemId)) {
      return refuse('E002', 'No such star system')
    }
    state.watched = systemId ?? state.watched
  } else if (systemId !== undefined) {
    return refuse('E003', 'A player sees the star system of his ship')
  }
  const ids = message.ids && [...new Set(message.ids.map((shipId) => shipId.toLowerCase()))]
  state.subscription = {
    ...(radius !== undefined && { radius }),
    ...(ids && { ids }),
    ...(rate !== undefined && { rate }),
    ...(budget !== undefined && { budget }),
  }
  state.pace = createPace(rate, clock.monotonicMs())
  const { watched } = state
  player.send({
    type: 'subscribed',
    ...(id !== undefined && { id }),
    ...state.subscription,
    ...(watched !== undefined && { system_id: watched }),
  })
  if (!player.isBinary) player.budget.change(budget ?? jsonBudget)
  askFrame()
}

/** Answers how many ticks were missed, and requests a frame. */
function resume(message: Message<'resume'>, parts: Listening): void {
  const { id, era: lastEra, publication, tick: last } = message
  const { binary, player, engine, askFrame } = parts
  const era = parts.era()
  const { tick } = engine.status()
  // A later tick of this era was lost in a crash.
  const valid = lastEra === era && last <= tick
  player.send({
    type: 'resumed_session',
    ...(id !== undefined && { id }),
    era,
    tick,
    gap: valid ? tick - last : 0,
    valid,
  })
  if (player.isBinary) return binary.resume(player, lastEra, valid ? publication : undefined)
  askFrame()
}
