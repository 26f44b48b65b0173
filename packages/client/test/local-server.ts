// A server on a real port that sends what a test gives it.
import type { ClientMessage, ServerMessage, TickMessage, WelcomeMessage } from '@orrery/protocol'
import { latticeFromUtc } from '@orrery/sim'
import { type Server, createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { type WebSocket, WebSocketServer } from 'ws'

type Ping = Extract<ClientMessage, { type: 'ping' }>

/** One connection, seen from the server. */
export interface ServerSide {
  /** sub-protocols that were offered */
  readonly offers: readonly string[]
  /** all that came but pings */
  readonly received: readonly ClientMessage[]
  readonly pings: readonly Ping[]
  send(message: ServerMessage): void
  /** a text as it is */
  sendText(text: string): void
  sendFrame(frame: ArrayBuffer): void
  /** The first message of a kind that was not taken yet. */
  next<Type extends ClientMessage['type']>(
    type: Type,
  ): Promise<Extract<ClientMessage, { type: Type }>>
  close(code: number, reason?: string): void
  /** cuts the connection without a close frame */
  cut(): void
}

/** What is answered over HTTP. */
export interface Reply {
  readonly status: number
  readonly body?: string
  readonly headers?: Readonly<Record<string, string>>
}

export interface LocalServer {
  readonly url: string
  /** requests over HTTP so far, such as `GET /api/status` */
  readonly requests: readonly string[]
  /** sockets so far */
  readonly count: number
  /** the next socket that was not taken yet */
  socket(): Promise<ServerSide>
  /** from now on */
  reply(to: (request: string) => Reply | undefined): void
  /** from now on sockets are refused with 401 */
  refuseSockets(): void
  close(): Promise<void>
}

export const WELCOME: WelcomeMessage = {
  type: 'welcome',
  protocol: 'orrery.v1',
  era: 1,
  player_id: '0b9f6a0e-6a55-4f5c-9d53-0a3c1f7c2f11',
  ship_id: '6d0d2b0e-64d0-4a5e-8a6f-2f5c1b6f5f10',
  system_id: 'sol',
  server_name: 'Local',
  tick: 41,
  game_time: '2026-03-01T12:00:00.000Z',
  tick_rate: 1,
  time_scale: 1,
  effective_time_scale: 1,
  paused: false,
}

/** A tick without ships. */
export function tickMessage(tick: number, gameTimeMs: number, era = 1): TickMessage {
  return {
    type: 'tick',
    era,
    tick,
    game_time: new Date(gameTimeMs).toISOString(),
    index: latticeFromUtc(gameTimeMs),
    offset: 0,
    effective_time_scale: 1,
    ships: [],
    stations: [],
    jumpgates: [],
  }
}

/** Values in the order they come; each is taken once. */
function queue<Value>(): { push(value: Value): void; shift(): Promise<Value> } {
  const values: Value[] = []
  const waiting: ((value: Value) => void)[] = []
  return {
    push: (value) => {
      const next = waiting.shift()
      if (next) next(value)
      else values.push(value)
    },
    shift: () =>
      values.length > 0
        ? Promise.resolve(values.splice(0, 1)[0])
        : new Promise((resolve) => waiting.push(resolve)),
  }
}

function serverSide(socket: WebSocket, offers: readonly string[]): ServerSide {
  const received: ClientMessage[] = []
  const pings: Ping[] = []
  const messages = queue<ClientMessage>()
  const send = (message: ServerMessage): void => socket.send(JSON.stringify(message))
  socket.on('message', (data: Buffer) => {
    const message = JSON.parse(data.toString()) as ClientMessage
    if (message.type === 'ping') pings.push(message)
    else {
      received.push(message)
      messages.push(message)
    }
  })
  return {
    offers,
    received,
    pings,
    send,
    sendText: (text) => socket.send(text),
    sendFrame: (frame) => socket.send(frame),
    next: async (type) => {
      for (;;) {
        const message = await messages.shift()
        if (message.type === type) return message as never
      }
    },
    close: (code, reason) => socket.close(code, reason),
    cut: () => socket.terminate(),
  }
}

/** Starts a server that welcomes every socket, unless `greets` is false. */
export async function localServer({
  greets = true,
}: { readonly greets?: boolean } = {}): Promise<LocalServer> {
  const requests: string[] = []
  const sockets = queue<ServerSide>()
  let count = 0
  let refusing = false
  let replies: (request: string) => Reply | undefined = () => undefined
  const server = createServer((request, response) => {
    const line = `${request.method} ${request.url}`
    requests.push(line)
    const { status, body, headers } = replies(line) ?? { status: 404 }
    request.resume()
    // A status of 0 is never answered.
    if (status > 0) response.writeHead(status, headers).end(body)
  })
  const ws = new WebSocketServer({
    server,
    path: '/ws',
    verifyClient: (_info, answer) => answer(!refusing, 401),
    handleProtocols: ([first]) => first,
  })
  ws.on('connection', (socket, request) => {
    count++
    const offers = request.headers['sec-websocket-protocol']?.split(', ') ?? []
    const side = serverSide(socket, offers)
    if (greets) side.send(WELCOME)
    sockets.push(side)
  })
  await listening(server)
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests,
    get count() {
      return count
    },
    socket: () => sockets.shift(),
    reply: (to) => {
      replies = to
    },
    refuseSockets: () => {
      refusing = true
    },
    close: async () => {
      for (const socket of ws.clients) socket.terminate()
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

function listening(server: Server): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject).listen(0, '127.0.0.1', resolve)
  })
}
