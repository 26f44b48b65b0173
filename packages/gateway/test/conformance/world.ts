// A server under test as a stranger finds it: requests by fetch, a bare WebSocket, and accounts
// made through the interface. Nothing here knows the server's own code.
import { createHmac, randomUUID } from 'node:crypto'
import { expect } from 'vitest'
import { WebSocket } from 'ws'
import { type Answer, type Ask, ask as askPlainly } from '../player-client.ts'
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

/** JSON whose shape is still to be looked at. */
// oxlint-disable-next-line typescript/no-explicit-any
export type Loose = any

/** A handshake that was not accepted. */
export interface Refusal {
  readonly status: number
  readonly body: Loose
}

/** One socket, and what came on it. */
export interface Line {
  readonly socket: WebSocket
  readonly messages: readonly Loose[]
  readonly closed: Promise<{ readonly code: number; readonly reason: string }>
  readonly say: (message: unknown) => void
  /** the first message of a type that was not passed yet */
  readonly next: (type: string, fits?: (message: Loose) => boolean) => Promise<Loose>
  /** the answer to a message that carries an id */
  readonly answer: (message: object) => Promise<Loose>
  /** the first frame made after this call */
  readonly frame: () => Promise<Loose>
  readonly hangUp: () => Promise<void>
}

export interface World {
  readonly server: ServerProcess
  readonly url: string
  /** what the server signs tokens with */
  readonly key: string
  readonly chief: Admin
  /** a player who is there all the time */
  readonly ida: Player
  readonly ask: (method: string, path: string, options?: Ask) => Promise<Answer>
  /** as the first admin; fails unless the answer is a success */
  readonly order: (method: string, path: string, body?: unknown) => Promise<Loose>
  readonly newPlayer: () => Promise<Player>
  readonly newAdmin: () => Promise<Admin>
  readonly login: (account: { username: string; password: string }) => Promise<Loose>
  readonly connect: (token: string | undefined, protocols?: readonly string[]) => Promise<Line>
  /** status of a handshake that must be refused, and its body */
  readonly refused: (path: string, headers: Record<string, string>) => Promise<Refusal>
  readonly hangUpAll: () => Promise<void>
  /** the clock as the cases expect it, whatever one that failed has left */
  readonly calm: () => Promise<void>
}

/** The rate that the cases leave behind. */
export const RATE_HZ = 20

export const PASSWORD = 'correct horse 7b'
const MESSAGE_MS_MAX = 50_000

/** A token signed as the interface says, with any claims. */
export function signed(key: string, claims: object, header: object = { alg: 'HS256' }): string {
  const part = (value: object): string =>
    Buffer.from(JSON.stringify({ ...value })).toString('base64url')
  const head = `${part({ typ: 'JWT', ...header })}.${part(claims)}`
  return `${head}.${createHmac('sha256', key).update(head).digest('base64url')}`
}

/** The claims of a token, unchecked. */
export function claimsOf(token: string): Loose {
  return JSON.parse(Buffer.from(token.split('.')[1], 'base64url').toString())
}

/** Asks until an answer fits; the last one, which then fails an expectation, if none does. */
export async function eventually<T>(
  look: () => Promise<T>,
  fits: (found: T) => boolean,
): Promise<T> {
  const end = Date.now() + MESSAGE_MS_MAX
  for (;;) {
    const found = await look()
    if (fits(found) || Date.now() > end) return found
    await new Promise((resolve) => setTimeout(resolve, 100))
  }
}

export async function openWorld(server: ServerProcess, key: string): Promise<World> {
  const { url } = server
  const lines = new Set<Line>()
  const ask = (method: string, path: string, options?: Ask): Promise<Answer> =>
    askPlainly(server, method, path, options)
  const post = async (path: string, body: unknown, token?: string): Promise<Loose> => {
    const answer = await ask('POST', path, { body, ...(token !== undefined && { token }) })
    if (answer.status >= 300) throw new Error(`${path}: ${answer.status} ${answer.text}`)
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
  return {
    server,
    url,
    key,
    chief,
    ida: await newPlayer('Ida'),
    ask,
    order: async (method, path, body) => {
      const answer = await ask(method, path, { body, token: chief.token })
      expect({ order: `${method} ${path}`, ...answer }).toMatchObject({
        status: expect.toSatisfy((status) => status >= 200 && status < 300),
      })
      return answer.body
    },
    newPlayer: () => newPlayer(),
    newAdmin: async () => {
      const account = { username: fresh(), password: PASSWORD }
      await post('/api/admin/admins', account, chief.token)
      return entered(account)
    },
    login: async ({ username, password }) => post('/api/auth/login', { username, password }),
    connect: async (token, protocols = []) => {
      const line = await openLine(url, token, protocols)
      lines.add(line)
      return line
    },
    refused: (path, headers) => refusedHandshake(url + path, headers),
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
    hangUpAll: async () => {
      await Promise.all(Array.from(lines, (line) => line.hangUp()))
      lines.clear()
    },
  }
}

async function openLine(
  url: string,
  token: string | undefined,
  protocols: readonly string[],
): Promise<Line> {
  const socket = new WebSocket(`${url.replace('http', 'ws')}/ws`, [...protocols], {
    headers: token === undefined ? {} : { authorization: `Bearer ${token}` },
    perMessageDeflate: false,
  })
  const messages: Loose[] = []
  let passed = 0
  let look: () => void = () => undefined
  socket.on('message', (data: Buffer) => {
    messages.push(JSON.parse(data.toString()))
    look()
  })
  const closed = new Promise<{ code: number; reason: string }>((resolve) => {
    socket.on('close', (code, reason) => resolve({ code, reason: reason.toString() }))
  })
  await new Promise<void>((resolve, reject) => {
    socket.on('open', resolve)
    socket.on('error', reject)
  })
  const next: Line['next'] = (type, fits = () => true) =>
    new Promise((resolve, reject) => {
      const timer = setTimeout(() => {
        const last = messages.slice(-4).map((message) => JSON.stringify(message).slice(0, 160))
        reject(new Error(`No ${type} in time; last came ${last.join(' ')}`))
      }, MESSAGE_MS_MAX)
      look = () => {
        while (passed < messages.length) {
          const message = messages[passed++]
          if (message.type !== type || !fits(message)) continue
          look = () => undefined
          clearTimeout(timer)
          return resolve(message)
        }
      }
      look()
    })
  const say = (message: unknown): void => socket.send(JSON.stringify(message))
  const answer = async (message: object): Promise<Loose> => {
    const id = randomUUID()
    say({ ...message, id })
    for (;;) {
      const found = messages.find((item) => item.id === id)
      if (found !== undefined) return found
      await new Promise<void>((resolve, reject) => {
        const timer = setTimeout(() => reject(new Error(`No answer to ${id}`)), MESSAGE_MS_MAX)
        socket.once('message', () => {
          clearTimeout(timer)
          resolve()
        })
      })
    }
  }
  return {
    socket,
    messages,
    closed,
    say,
    next,
    answer,
    frame: async () => {
      await answer({ type: 'ping' })
      passed = messages.length
      return next('tick')
    },
    hangUp: async () => {
      socket.close()
      await closed
    },
  }
}

function refusedHandshake(url: string, headers: Record<string, string>): Promise<Refusal> {
  const socket = new WebSocket(url.replace('http', 'ws'), { headers })
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
        resolve({ status: response.statusCode ?? 0, body: JSON.parse(text) })
      })
    })
  })
}
