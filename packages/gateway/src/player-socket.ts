import { type Engine, EngineError, type EngineErrorCode, type WallClock } from '@orrery/engine'
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
import { utcFromLattice } from '@orrery/sim'
import type { WebSocket } from 'ws'
import { createTokenBucket } from './token-bucket.ts'

/** What the engine refuses, as players are told. */
const ENGINE_CODES: ReadonlyMap<EngineErrorCode, ErrorCode> = new Map<EngineErrorCode, ErrorCode>([
  ['ERR_SHIP_UNKNOWN', 'E006'],
  ['ERR_COMMANDS_PENDING', 'E004'],
  ['ERR_CONTROL', 'E001'],
  ['ERR_WATCHERS', 'E004'],
  ['ERR_STOPPED', 'E008'],
])

/** Bytes that may wait for a client beside its frames; replies are small and limited. */
const BUFFERED_MAX = 1_048_576

/** A client that has not drained a frame for so long is cut off. */
const SLOW_MS_MAX = 10_000

/** One connected player. */
export interface PlayerSocket {
  readonly playerId: string
  readonly shipId: string
  send(message: ServerMessage): void
  /** Sends a frame, or keeps it, the latest only, until the one before has drained. */
  sendFrame(frame: Buffer): void
  close(code: number, reason: string): void
}

export interface PlayerSocketOptions {
  readonly socket: WebSocket
  readonly playerId: string
  /** `""` when the account has no ship */
  readonly shipId: string
  readonly engine: Engine
  readonly clock: WallClock
  readonly onError: (error: unknown) => void
}

export function createPlayerSocket(options: PlayerSocketOptions): PlayerSocket {
  const { socket, playerId, shipId, clock } = options
  const bucket = createTokenBucket(clock.monotonicMs())
  let inFlightSinceMs: number | undefined
  let latest: Buffer | undefined

  const send = (message: ServerMessage): void => {
    if (socket.bufferedAmount > BUFFERED_MAX) socket.close(CLOSE_CODES.slow, 'slow')
    else socket.send(encodeServerMessage(message))
  }

  const flush = (frame: Buffer): void => {
    inFlightSinceMs = clock.monotonicMs()
    socket.send(frame, { binary: false }, () => {
      inFlightSinceMs = undefined
      const next = latest
      latest = undefined
      if (next && socket.readyState === socket.OPEN) flush(next)
    })
  }

  // With ws' default binaryType a message comes as one Buffer.
  socket.on('message', (data: Buffer, isBinary: boolean) => {
    // A socket that the server closes still brings what its client goes on to say.
    if (socket.readyState !== socket.OPEN) return
    const verdict = bucket.verdict(clock.monotonicMs())
    if (verdict === 'close') socket.close(CLOSE_CODES.flooding, 'flooding')
    else if (verdict === 'drop-and-tell') send(errorMessage('E004'))
    else if (verdict === 'take') {
      answer(data, isBinary, options, send).catch((error: unknown) => {
        options.onError(error)
        send(errorMessage('E008'))
      })
    }
  })

  return {
    playerId,
    shipId,
    send,
    sendFrame: (frame) => {
      if (socket.readyState !== socket.OPEN) return
      if (inFlightSinceMs === undefined) flush(frame)
      else if (clock.monotonicMs() - inFlightSinceMs > SLOW_MS_MAX)
        socket.close(CLOSE_CODES.slow, 'slow')
      else latest = frame
    },
    close: (code, reason) => socket.close(code, reason),
  }
}

/** Reads one message, does what it asks, and sends what follows from it. */
async function answer(
  data: Buffer,
  isBinary: boolean,
  { engine, shipId, clock }: PlayerSocketOptions,
  send: (message: ServerMessage) => void,
): Promise<void> {
  if (isBinary) return send(errorMessage('E001', undefined, 'Messages are JSON text'))
  const parsed = parseClientMessage(data.toString())
  if (!parsed.ok) return send({ type: 'error', ...parsed.error })
  const { message } = parsed
  if (message.type === 'ping') {
    const { type: _, ...echo } = message
    return send({ type: 'pong', ...echo, server_time: clock.utcMs() })
  }
  if (shipId === '') return send(errorMessage('E006', message.id))
  try {
    const reply = await act(message, shipId, engine)
    if (reply) send(reply)
  } catch (error) {
    const code = error instanceof EngineError ? ENGINE_CODES.get(error.code) : undefined
    if (!code) throw error
    send(errorMessage(code, message.id))
  }
}

type Command = Exclude<ClientMessage, { type: 'ping' }>

async function act(
  command: Command,
  shipId: string,
  engine: Engine,
): Promise<ServerMessage | undefined> {
  const { id } = command
  if (command.type === 'ship_rename') {
    await engine.execute({ kind: 'rename_ship', shipId, name: command.name })
    return { type: 'ship_renamed', ...(id !== undefined && { id }), name: command.name }
  }
  const { thrust_level: thrustLevel, attitude, pointing, target_ship_id: targetId } = command
  const { index } = engine.control(shipId, {
    ...(thrustLevel !== undefined && { thrustLevel }),
    ...(attitude && { attitude: [attitude.w, attitude.x, attitude.y, attitude.z] as const }),
    ...(pointing && { pointing }),
    ...(targetId !== undefined && { target: engine.shipNumber(targetId) }),
  })
  if (id === undefined) return undefined
  return { type: 'accepted', id, game_time: new Date(utcFromLattice(index)).toISOString() }
}

function errorMessage(code: ErrorCode, id?: MessageId, message?: string): ServerMessage {
  return {
    type: 'error',
    ...(id !== undefined && { id }),
    code,
    message: message ?? ERRORS[code].meaning,
  }
}
