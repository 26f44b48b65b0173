// What a player's program does: asks over HTTP, and listens and speaks on a socket.
import {
  type RegisterResponse,
  SUBPROTOCOL,
  type ServerMessage,
  type ShipState,
  adminLoginResponse,
  encodeServerMessage,
  registerResponse,
} from '@orrery/protocol'
import * as v from 'valibot'
import { WebSocket } from 'ws'
import { ADMIN } from './server-process.ts'

/** A server under test; a restarted one has another address. */
export interface Place {
  readonly url: string
}

export const PASSWORD = 'correct horse 7b'

/** Longest wait for one message; the machine may be busy. */
const MESSAGE_MS_MAX = 50_000

/** An HTTP answer, read to its end. */
export interface Answer {
  readonly status: number
  readonly headers: Headers
  readonly text: string
  /** the body as JSON; undefined when it is none */
  readonly body: unknown
}

/** What a request carries beside its method and path; `body` is sent as JSON. */
export interface Ask {
  readonly token?: string
  readonly body?: unknown
  /** instead of `body`: the text as it is */
  readonly text?: string
  readonly headers?: Readonly<Record<string, string>>
}

export async function ask(
  { url }: Place,
  method: string,
  path: string,
  { token, body, text = JSON.stringify(body), headers }: Ask = {},
): Promise<Answer> {
  const response = await fetch(url + path, {
    method,
    headers: {
      ...(token !== undefined && { authorization: `Bearer ${token}` }),
      ...(text !== undefined && { 'content-type': 'application/json' }),
      ...headers,
    },
    ...(text !== undefined && { body: text }),
  })
  const answer = await response.text()
  return {
    status: response.status,
    headers: response.headers,
    text: answer,
    body: jsonOrNothing(answer),
  }
}

export function jsonOrNothing(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

export async function register(
  place: Place,
  username: string,
  password: string = PASSWORD,
): Promise<RegisterResponse> {
  const { body } = await ask(place, 'POST', '/api/auth/register', { body: { username, password } })
  return v.parse(registerResponse, body)
}

/** A token of the environment's admin. */
export async function adminToken(place: Place): Promise<string> {
  const { body } = await ask(place, 'POST', '/api/admin/auth/login', { body: ADMIN })
  return v.parse(adminLoginResponse, body).token
}

type Kind = ServerMessage['type']
type Message<K extends Kind> = Extract<ServerMessage, { type: K }>

/** One player's socket. */
export interface PlayerSocket {
  readonly socket: WebSocket
  /** all messages so far */
  readonly messages: readonly ServerMessage[]
  /** how it was closed */
  readonly closed: Promise<{ readonly code: number; readonly reason: string }>
  /** objects go as JSON, texts and bytes as they are */
  send(message: object | string): void
  /** The first message of a kind that was not looked at yet; those before it are passed over. */
  next<K extends Kind>(kind: K, fits?: (message: Message<K>) => boolean): Promise<Message<K>>
  /** The first tick that was not even sent when this is called. */
  freshTick(): Promise<Message<'tick'>>
  /** Passes over all that has come. */
  skip(): void
  close(): Promise<void>
}

export interface SocketOptions {
  readonly headers?: Readonly<Record<string, string>>
  readonly protocols?: readonly string[]
  readonly path?: string
}

/** Opens a socket; a refused handshake rejects with ws' error, which names the status. */
export async function openSocket(
  { url }: Place,
  token: string | undefined,
  { headers, protocols = [SUBPROTOCOL], path = '/ws' }: SocketOptions = {},
): Promise<PlayerSocket> {
  const authorization = token === undefined ? {} : { authorization: `Bearer ${token}` }
  const socket = new WebSocket(url.replace('http', 'ws') + path, [...protocols], {
    headers: { ...authorization, ...headers },
    perMessageDeflate: false,
  })
  const messages: ServerMessage[] = []
  const waiting = new Set<() => void>()
  let seen = 0
  socket.on('message', (data: Buffer) => {
    messages.push(JSON.parse(data.toString()))
    for (const look of waiting) look()
  })
  const closed = new Promise<{ code: number; reason: string }>((resolve) => {
    socket.on('close', (code, reason) => resolve({ code, reason: reason.toString() }))
  })
  await new Promise<void>((resolve, reject) => {
    socket.on('open', resolve)
    socket.on('error', reject)
  })

  const next = <K extends Kind>(
    kind: K,
    fits: (message: Message<K>) => boolean = () => true,
  ): Promise<Message<K>> =>
    new Promise((resolve, reject) => {
      const done = (): void => {
        clearTimeout(timer)
        waiting.delete(look)
      }
      const look = (): void => {
        while (seen < messages.length) {
          const message = messages[seen++] as Message<K>
          if (message.type !== kind || !fits(message)) continue
          done()
          return resolve(message)
        }
      }
      const timer = setTimeout(() => {
        done()
        const last = messages.slice(-3).map((message) => encodeServerMessage(message).slice(0, 200))
        reject(new Error(`No ${kind} within ${MESSAGE_MS_MAX} ms; last came ${last.join(' ')}`))
      }, MESSAGE_MS_MAX)
      waiting.add(look)
      look()
    })
  const skip = (): void => {
    seen = messages.length
  }
  return {
    socket,
    messages,
    closed,
    next,
    skip,
    send: (message) =>
      socket.send(
        typeof message === 'string' || message instanceof Uint8Array
          ? message
          : JSON.stringify(message),
      ),
    freshTick: async () => {
      // A tick under way may have been made before; the pong comes behind all that was sent.
      const id = `fresh ${messages.length}`
      socket.send(JSON.stringify({ type: 'ping', id }))
      await next('pong', (pong) => pong.id === id)
      return next('tick')
    },
    close: async () => {
      socket.close()
      await closed
    },
  }
}

/** The status of a handshake that must be refused. */
export async function refusedHandshake(
  { url }: Place,
  headers: Readonly<Record<string, string>>,
  { protocols = [], path = '/ws' }: Omit<SocketOptions, 'headers'> = {},
): Promise<{ readonly status: number | undefined; readonly body: unknown }> {
  const socket = new WebSocket(url.replace('http', 'ws') + path, [...protocols], { headers })
  return new Promise((resolve, reject) => {
    socket.on('open', () => reject(new Error('The handshake was accepted')))
    socket.on('error', () => undefined)
    socket.on('unexpected-response', (request, response) => {
      let text = ''
      response.setEncoding('utf8').on('data', (piece: string) => {
        text += piece
      })
      response.on('end', () => {
        request.destroy()
        resolve({ status: response.statusCode, body: jsonOrNothing(text) })
      })
    })
  })
}

/** A ship of a tick, which must be there. */
export function shipOf({ ships }: { ships: readonly ShipState[] }, shipId: string): ShipState {
  const ship = ships.find(({ ship_id: id }) => id === shipId)
  if (ship === undefined) throw new Error(`No ship ${shipId} among ${ships.length}`)
  return ship
}
