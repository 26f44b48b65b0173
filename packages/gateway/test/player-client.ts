// What a player's program does: HTTP requests, and messages on a socket.
import { randomUUID } from 'node:crypto'
import { text as textOf } from 'node:stream/consumers'
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
  /** the body as JSON; undefined when it is not JSON */
  readonly body: unknown
}

/** What a request carries beside its method and path; `body` is sent as JSON. */
export interface Ask {
  readonly token?: string | undefined
  readonly body?: unknown
  /** instead of `body`: the text as it is */
  readonly text?: string | undefined
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

/** JSON whose shape a test has still to check. */
// oxlint-disable-next-line typescript/no-explicit-any
export type Loose = any

/** Sends a request with an admin's token; returns its body, rejects unless it succeeds. */
export type Order = (method: string, path: string, body?: unknown) => Promise<Loose>

/** Orders of the environment's admin, also after a restart of the server. */
export async function openOrders(place: Place): Promise<Order> {
  const token = await adminToken(place)
  return async (method, path, body) => {
    const answer = await ask(place, method, path, { token, body })
    if (answer.status >= 300) throw new Error(`${method} ${path}: ${answer.status} ${answer.text}`)
    return answer.body
  }
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
  /** sends objects as JSON, texts and bytes unchanged */
  send(message: object | string): void
  /** The next message of a kind; those before it are skipped. */
  next<K extends Kind>(kind: K, fits?: (message: Message<K>) => boolean): Promise<Message<K>>
  /** Sends a message with an id; returns the answer with that id and skips no message. */
  answer(message: object): Promise<ServerMessage>
  /** The first tick that is sent after this call. */
  freshTick(): Promise<Message<'tick'>>
  /** Skips all messages so far. */
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
  socket.on('message', (data: Buffer, isBinary: boolean) => {
    if (isBinary) return
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

  const found = <T>(look: () => T | undefined, wanted: string): Promise<T> =>
    new Promise((resolve, reject) => {
      const done = (): void => {
        clearTimeout(timer)
        waiting.delete(again)
      }
      const again = (): void => {
        const result = look()
        if (result === undefined) return
        done()
        resolve(result)
      }
      const timer = setTimeout(() => {
        done()
        const last = messages.slice(-3).map((message) => encodeServerMessage(message).slice(0, 200))
        reject(new Error(`No ${wanted} within ${MESSAGE_MS_MAX} ms; last came ${last.join(' ')}`))
      }, MESSAGE_MS_MAX)
      waiting.add(again)
      again()
    })
  const next: PlayerSocket['next'] = (kind, fits = () => true) =>
    found(() => {
      while (seen < messages.length) {
        const message = messages[seen++] as Message<typeof kind>
        if (message.type === kind && fits(message)) return message
      }
      return undefined
    }, kind)
  const send = (message: object | string): void =>
    socket.send(
      typeof message === 'string' || message instanceof Uint8Array
        ? message
        : JSON.stringify(message),
    )
  const skip = (): void => {
    seen = messages.length
  }
  return {
    socket,
    messages,
    closed,
    next,
    skip,
    send,
    answer: (message) => {
      const id = randomUUID()
      send({ ...message, id })
      return found(() => messages.find((item) => 'id' in item && item.id === id), `answer to ${id}`)
    },
    freshTick: async () => {
      // A tick under way may be older than this call; the pong follows everything sent before it.
      const id = `fresh ${messages.length}`
      send({ type: 'ping', id })
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
      textOf(response).then((text) => {
        request.destroy()
        resolve({ status: response.statusCode, body: jsonOrNothing(text) })
      }, reject)
    })
  })
}

/** The sorted ids of the ships of a tick. */
export function idsOf({ ships }: { ships: readonly { ship_id: string }[] }): string[] {
  return ships.map(({ ship_id: id }) => id).toSorted()
}

/** A ship of a tick, which must have it. */
export function shipOf({ ships }: { ships: readonly ShipState[] }, shipId: string): ShipState {
  const ship = ships.find(({ ship_id: id }) => id === shipId)
  if (ship === undefined) throw new Error(`No ship ${shipId} among ${ships.length}`)
  return ship
}
