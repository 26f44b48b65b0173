import {
  BEARER_PREFIX,
  BINARY_SUBPROTOCOL,
  SUBPROTOCOL,
  type ServerMessage,
} from '@orrery/protocol'
import * as v from 'valibot'
import { sendableToken } from '../client-error.ts'
import { type Address, type SocketConstructor, addressOf } from '../platform.ts'

/** How a connection ended: a close code of RFC 6455, or 1006 when there was none. */
export interface Ending {
  readonly code: number
  readonly reason: string
}

/** One socket, from its handshake to its end. */
export interface Connection {
  /** text that goes now, or never when the connection ends before */
  send(text: string): void
  /** ends it at once, whatever the other side does; `onEnd` is called if it was not yet */
  end(ending: Ending): void
}

/** What a socket carries beside texts: binary frames in the place of ticks, or nothing. */
export type Wire = 'json' | 'binary'

/**
 * Opens one socket.
 *
 * @throws {ClientError} E005 for a token that cannot be sent
 */
export function openConnection(options: {
  readonly url: Address
  readonly token: string
  readonly WebSocket: SocketConstructor
  readonly wire: Wire
  readonly onMessage: (message: ServerMessage) => void
  readonly onFrame: (frame: ArrayBuffer) => void
  readonly onEnd: (ending: Ending) => void
}): Connection {
  const { url, token, WebSocket, wire, onMessage, onFrame, onEnd } = options
  const address = addressOf(url).replace(/^http/, 'ws').replace(/\/*$/, '/ws')
  // A server that has no binary frames answers with the other.
  const offers = wire === 'binary' ? [BINARY_SUBPROTOCOL, SUBPROTOCOL] : [SUBPROTOCOL]
  const socket = new WebSocket(address, [...offers, BEARER_PREFIX + sendableToken(token)])
  socket.binaryType = 'arraybuffer'
  let hasEnded = false
  const end = (ending: Ending): void => {
    if (hasEnded) return
    hasEnded = true
    // A dead network would hold back the platform's own close event for minutes.
    socket.close()
    onEnd(ending)
  }
  socket.addEventListener('message', ({ data }) => {
    if (hasEnded) return
    if (wire === 'binary' && data instanceof ArrayBuffer) return onFrame(data)
    const message = serverMessage(data)
    if (message) onMessage(message)
    else end({ code: 1002, reason: 'not a message of the protocol' })
  })
  socket.addEventListener('close', ({ code = 1006, reason = '' }) => end({ code, reason }))
  socket.addEventListener('error', () => end({ code: 1006, reason: 'the connection failed' }))
  return {
    send: (text) => {
      if (!hasEnded && socket.readyState === socket.OPEN) socket.send(text)
    },
    end,
  }
}

const count = v.pipe(v.number(), v.safeInteger(), v.minValue(0))
const real = v.pipe(v.number(), v.finite())
const time = v.pipe(v.string(), v.isoTimestamp())
const text = v.string()
const moment = { tick: count, game_time: time }
const age = v.optional(v.pipe(v.number(), v.finite(), v.minValue(0)))

/** Fields that this client itself uses; the others are not checked. */
const ESSENTIALS: ReadonlyMap<unknown, v.GenericSchema> = new Map<unknown, v.GenericSchema>([
  [
    'welcome',
    v.object({ ...moment, age, era: count, ship_id: text, time_scale: real, paused: v.boolean() }),
  ],
  [
    'tick',
    v.object({ ...moment, age, era: count, effective_time_scale: real, ships: v.array(v.any()) }),
  ],
  ['paused', v.object(moment)],
  ['resumed', v.object(moment)],
  ['restored', v.object({ ...moment, era: count })],
  ['reset', v.object({ ...moment, era: count })],
  ['clock', v.object({ game_time: time, age, effective_time_scale: real, paused: v.boolean() })],
  ['pong', v.object({ server_time: real, client_time: v.optional(real) })],
  ['error', v.object({ code: text, message: text })],
])

const anyMessage = v.object({ type: v.string() })

/** The parsed message; undefined when it is not one, or lacks what this client needs. */
function serverMessage(data: unknown): ServerMessage | undefined {
  if (typeof data !== 'string') return undefined
  try {
    const message: unknown = JSON.parse(data)
    if (!v.is(anyMessage, message)) return undefined
    const essentials = ESSENTIALS.get(message.type)
    if (essentials && !v.is(essentials, message)) return undefined
    return message as ServerMessage
  } catch {
    return undefined
  }
}
