// A server under test as a stranger finds it: requests, sockets, and accounts made through the
// interface.
import { createHmac, randomUUID } from 'node:crypto'
import { expect } from 'vitest'
import {
  type Answer,
  type Ask,
  type Loose,
  type Order,
  PASSWORD,
  type PlayerSocket,
  type SocketOptions,
  ask as askAt,
  openOrders,
  openSocket,
  refusedHandshake,
} from '../player-client.ts'
import { codeOf } from '../refusal.ts'
import { ADMIN, type ServerProcess } from '../server-process.ts'

export interface Player {
  readonly player_id: string
  readonly username: string
  readonly password: string
  readonly ship_id: string
  readonly token: string
}

export interface Admin {
  readonly admin_id: string
  readonly username: string
  readonly password: string
  /** of type admin */
  readonly token: string
}

export interface World {
  readonly server: ServerProcess
  /** the key that the server signs tokens with */
  readonly key: string
  readonly chief: Admin
  /** a player who exists all the time */
  readonly ida: Player
  /** what no log may contain */
  readonly secrets: Set<string>
  readonly ask: (method: string, path: string, options?: Ask) => Promise<Answer>
  /** as the first admin; fails unless the answer is a success */
  readonly order: Order
  /** deletes as the first admin: 204 without a body; then again, which must be a refusal */
  readonly removeOnce: (path: string) => Promise<Answer>
  readonly newPlayer: () => Promise<Player>
  readonly newAdmin: () => Promise<Admin>
  readonly login: (account: { username: string; password: string }) => Promise<Loose>
  /** status and body of the players' login */
  readonly enter: (username: unknown, password: unknown) => Promise<Answer>
  /** a socket without sub-protocols, unless they are given */
  readonly connect: (token: string | undefined, options?: SocketOptions) => Promise<PlayerSocket>
  /** status and code of a handshake that must be refused, such as `401 E005` */
  readonly refused: (
    headers: Readonly<Record<string, string>>,
    options?: Parameters<typeof refusedHandshake>[2],
  ) => Promise<string>
  readonly closeAll: () => Promise<void>
  /** resets the clock to what the cases expect, after one that failed */
  readonly calm: () => Promise<void>
}

/** The rate that the cases leave behind. */
export const RATE_HZ = 20

const LOOKS_MS_MAX = 50_000

/** A token signed as the interface says, with any claims. */
export function signed(key: string, claims: object, header: object = {}): string {
  const head = { typ: 'JWT', alg: 'HS256', ...header }
  const parts = [head, claims].map((part) =>
    Buffer.from(JSON.stringify(part)).toString('base64url'),
  )
  const bits = /\d{3}$/.exec(head.alg)?.[0] ?? '256'
  const signature = createHmac(`sha${bits}`, key).update(parts.join('.')).digest('base64url')
  return [...parts, signature].join('.')
}

/** The claims of a token, unchecked. */
export function claimsOf(token: string): Loose {
  return JSON.parse(Buffer.from(token.split('.')[1], 'base64url').toString())
}

/** Repeats a look until it fits; returns the last one, which may not fit, after a time. */
export async function eventually<T>(
  look: () => Promise<T>,
  fits: (found: T) => boolean,
): Promise<T> {
  const end = Date.now() + LOOKS_MS_MAX
  for (;;) {
    const found = await look()
    if (fits(found) || Date.now() > end) return found
    await new Promise((resolve) => setTimeout(resolve, 100))
  }
}

export async function openWorld(server: ServerProcess, key: string): Promise<World> {
  const sockets = new Set<PlayerSocket>()
  const secrets = new Set([key, ADMIN.password, PASSWORD])
  // Each request comes from another address: a proxy may say so, and none is refused another login.
  let asked = 0
  const ask: World['ask'] = (method, path, options) => {
    asked += 1
    const address = `198.18.${asked >> 8}.${asked & 255}`
    const headers = { 'x-forwarded-for': address, ...options?.headers }
    return askAt(server, method, path, { ...options, headers })
  }
  const post = async (path: string, body: unknown): Promise<Loose> => {
    const answer = await ask('POST', path, { body })
    if (answer.status >= 300) throw new Error(`${path}: ${answer.status} ${answer.text}`)
    secrets.add((answer.body as Loose).token)
    return answer.body
  }
  const fresh = (): string => `p_${randomUUID().replaceAll('-', '').slice(0, 16)}`
  const newPlayer = async (username = fresh()): Promise<Player> => {
    const account = { username, password: PASSWORD }
    return { ...account, ...(await post('/api/auth/register', account)) }
  }
  const entered = async (account: { username: string; password: string }): Promise<Admin> => {
    const { admin_id, token } = await post('/api/admin/auth/login', account)
    return { ...account, admin_id, token }
  }
  const chief = await entered(ADMIN)
  const order = await openOrders(server)
  return {
    server,
    key,
    chief,
    ida: await newPlayer('Ida'),
    secrets,
    ask,
    order,
    removeOnce: async (path) => {
      const gone = await ask('DELETE', path, { token: chief.token })
      expect([path, gone.status, gone.text]).toEqual([path, 204, ''])
      return ask('DELETE', path, { token: chief.token })
    },
    newPlayer: () => newPlayer(),
    newAdmin: async () => {
      const account = { username: fresh(), password: PASSWORD }
      await order('POST', '/api/admin/admins', account)
      return entered(account)
    },
    login: ({ username, password }) => post('/api/auth/login', { username, password }),
    enter: (username, password) => ask('POST', '/api/auth/login', { body: { username, password } }),
    connect: async (token, options) => {
      const socket = await openSocket(server, token, { protocols: [], ...options })
      sockets.add(socket)
      return socket
    },
    refused: async (headers, options) => {
      const { status, body } = await refusedHandshake(server, headers, options)
      return `${status} ${codeOf(body)}`
    },
    calm: async () => {
      for (const [method, path, body] of [
        ['POST', 'game/resume'],
        ['POST', 'registrations/enable'],
        ['POST', 'game/time-sync', { enabled: false }],
        ['POST', 'game/adaptive-tick-rate', { enabled: false }],
        ['PUT', 'game/time-scale', { time_scale: 1 }],
        ['PUT', 'game/tick-rate', { tick_rate: RATE_HZ }],
      ] as const) {
        await ask(method, `/api/admin/${path}`, { body, token: chief.token })
      }
    },
    closeAll: async () => {
      await Promise.all(Array.from(sockets, (socket) => socket.close()))
      sockets.clear()
    },
  }
}
