// A real client of the game whose server is the test: it holds the other end of the platform's
// sockets and requests.
import { type GameClient, createGameClient } from '@orrery/client'
import { vi } from 'vitest'
import { type Session, type SessionOptions, openSession } from '../../src/session/session.ts'

const ORIGIN = 'http://held.test'

/** What is answered to `GET /api/status`. */
export const STATUS = {
  status: 'online',
  server_name: 'Held',
  tick: 41,
  game_time: '2026-03-01T12:00:00.000Z',
  players_online: 1,
  paused: false,
  time_sync_enabled: false,
  time_drift_seconds: 0,
  effective_time_scale: 1,
  registration_open: true,
  talk_enabled: false,
}

export const ACCOUNT = { username: 'Ida', token: 'a.b.c', shipId: 'ship-1' }

type Listener = (event: { readonly type: string; readonly [field: string]: unknown }) => void

interface Reply {
  readonly status: number
  readonly body: object
}

/** Of a request such as `GET /api/status`; undefined where none comes. */
type Replies = (request: string) => Reply | undefined | Promise<Reply | undefined>

class HeldSocket {
  static last: HeldSocket
  binaryType = ''
  readonly readyState = 1
  readonly OPEN = 1
  readonly #listeners: [string, Listener][] = []

  constructor() {
    HeldSocket.last = this
  }

  /** A server that answers no ping counts as lost. */
  send(text: string): void {
    const { type, client_time } = JSON.parse(text)
    if (type !== 'ping') return
    const pong = JSON.stringify({ type: 'pong', server_time: client_time, client_time })
    queueMicrotask(() => this.emit('message', { data: pong }))
  }

  close(): void {}

  addEventListener(kind: string, listener: Listener): void {
    this.#listeners.push([kind, listener])
  }

  emit(type: string, fields: object): void {
    for (const [kind, listener] of this.#listeners) if (kind === type) listener({ type, ...fields })
  }
}

export class HeldServer {
  readonly client: GameClient
  readonly requests: string[] = []
  replies: Replies = () => undefined

  constructor() {
    vi.stubGlobal('WebSocket', HeldSocket)
    vi.stubGlobal('fetch', async (url: string, { method = 'GET' }: { method?: string }) => {
      const request = `${method} ${url.slice(ORIGIN.length)}`
      this.requests.push(request)
      const reply = await this.replies(request)
      if (!reply) throw new TypeError('no answer')
      // Without a stream, so that it is read within one turn of the event loop.
      const { status, body } = reply
      const text = async (): Promise<string> => JSON.stringify(body)
      return { ok: status < 300, status, headers: new Headers(), text }
    })
    this.client = createGameClient({ url: ORIGIN })
  }

  async open(onConnection: SessionOptions['onConnection'] = () => undefined): Promise<Session> {
    const { client } = this
    const session = openSession({ client, url: ORIGIN, account: ACCOUNT, onConnection })
    await vi.advanceTimersByTimeAsync(0)
    return session
  }

  /** Sends the page a message. */
  send(message: object): void {
    HeldSocket.last.emit('message', { data: JSON.stringify(message) })
  }

  welcome(more: object = {}): void {
    const { tick, game_time: time } = STATUS
    const clock = { tick, game_time: time, time_scale: 1, effective_time_scale: 1, paused: false }
    this.send({ type: 'welcome', era: 1, ship_id: ACCOUNT.shipId, ...clock, ...more })
  }

  /** Ends the connection, and lets the client learn why. */
  async end(code: number): Promise<void> {
    HeldSocket.last.emit('close', { code })
    await vi.advanceTimersByTimeAsync(0)
  }
}
