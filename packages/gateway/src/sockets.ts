import type { Engine, WallClock } from '@orrery/engine'
import {
  CLOSE_CODES,
  type ErrorCode,
  MESSAGE_BYTES_MAX,
  SUBPROTOCOL,
  type ServerMessage,
  errorEnvelope,
  parseHandshake,
} from '@orrery/protocol'
import type { IncomingMessage, Server } from 'node:http'
import type { Duplex } from 'node:stream'
import { type WebSocket, WebSocketServer } from 'ws'
import { tickFrames } from './frames.ts'
import { type PlayerSocket, createPlayerSocket } from './player-socket.ts'
import type { Players } from './players.ts'

const PATH = '/ws'

/** A message may come in so many pieces; ws counts none by default. */
const FRAGMENTS_MAX = 16

/** Sockets that do not answer a ping within this time are cut off. */
const HEARTBEAT_MS = 30_000

/** Time for the other end to answer a close at a stop. */
const GOODBYE_MS = 1000

/** Longest wait a timer of Node can be asked for; it takes a longer one for none at all. */
const TIMER_MS_MAX = 2_147_483_647

/** All connected players. */
export interface Sockets {
  online(): number
  broadcast(message: ServerMessage): void
  /** tells the pilot of one ship, if connected */
  tell(shipId: string, message: ServerMessage): void
  /** sends everybody the world as published */
  broadcastTick(): void
  /** takes the WebSocket upgrades of a server */
  attach(server: Server): void
  /** says goodbye to everybody and refuses newcomers; resolves when all are gone */
  close(): Promise<void>
}

export interface SocketsOptions {
  readonly engine: Engine
  readonly players: Players
  readonly clock: WallClock
  readonly serverName: string
  readonly era: number
  readonly allowedOrigins: readonly string[]
  readonly onError: (error: unknown) => void
}

/** Keeps one socket per player. */
export function createSockets(options: SocketsOptions): Sockets {
  const { engine, era } = options
  const connected = new Map<string, PlayerSocket>()
  let closing = false
  const ws = new WebSocketServer({
    noServer: true,
    maxPayload: MESSAGE_BYTES_MAX,
    maxFragments: FRAGMENTS_MAX,
    perMessageDeflate: false,
    handleProtocols: (offers) => (offers.has(SUBPROTOCOL) ? SUBPROTOCOL : false),
  })

  // An upgrade that is no proper WebSocket handshake: in ws' own words, in the game's shape.
  ws.on('wsClientError', (error, stream) => refuse(stream, 'E001', error.message))
  const heartbeat = createHeartbeat(ws, options.clock)

  const upgrade = (request: IncomingMessage, stream: Duplex, head: Buffer): void => {
    stream.on('error', () => stream.destroy())
    admit(request, options)
      .then((admission) => {
        if (typeof admission === 'string') return refuse(stream, admission)
        // Looked at last: what is let in after the goodbyes would keep the server from ending.
        if (closing) return refuse(stream, 'E008')
        return ws.handleUpgrade(request, stream, head, (socket) => {
          heartbeat.watch(socket)
          welcome(socket, admission, options, connected)
        })
      })
      .catch((error: unknown) => {
        options.onError(error)
        refuse(stream, 'E008')
      })
  }

  return {
    online: () => connected.size,
    attach: (server) => server.on('upgrade', upgrade),
    broadcast: (message) => {
      for (const player of connected.values()) player.send(message)
    },
    tell: (shipId, message) => {
      for (const player of connected.values()) if (player.shipId === shipId) player.send(message)
    },
    broadcastTick: () => {
      if (connected.size === 0) return
      const frames = tickFrames(engine.status(), era, engine.ships())
      for (const player of connected.values()) player.sendFrame(frames.frame(player.shipId))
    },
    close: async () => {
      closing = true
      heartbeat.stop()
      for (const player of connected.values()) {
        player.send({ type: 'shutdown', message: 'The server stops' })
        player.close(CLOSE_CODES.shutdown, 'shutdown')
      }
      await Promise.all([...ws.clients].map((socket) => ended(socket, options.clock)))
    },
  }
}

interface Admission {
  readonly playerId: string
  readonly shipId: string
  readonly expiresAt: number
}

/** Who may connect; a code is the reason why not. */
async function admit(
  request: IncomingMessage,
  { players, allowedOrigins }: SocketsOptions,
): Promise<Admission | ErrorCode> {
  if (URL.parse(request.url ?? '/', 'http://localhost')?.pathname !== PATH) return 'E002'
  const { origin, host, authorization } = request.headers
  if (origin && !allowedOrigins.includes(origin) && URL.parse(origin)?.host !== host) return 'E003'
  const offers = request.headers['sec-websocket-protocol']
  const handshake = parseHandshake({ authorization, offers })
  if (!handshake?.token) return 'E005'
  const bearer = await players.bearer(handshake.token, 'player')
  if (typeof bearer === 'string') return 'E005'
  const { account, expiresAt } = bearer
  return { playerId: account.playerId, shipId: account.shipId ?? '', expiresAt }
}

const STATUS_LINES: Partial<Record<ErrorCode, string>> = {
  E001: '400 Bad Request',
  E002: '404 Not Found',
  E003: '403 Forbidden',
  E005: '401 Unauthorized',
  E008: '503 Service Unavailable',
}

/** Answers an upgrade with an ordinary HTTP error, and hangs up. */
function refuse(stream: Duplex, code: ErrorCode, message?: string): void {
  const body = JSON.stringify(errorEnvelope(code, message))
  // Nobody else does: a client that leaves its side open would keep the connection for ever.
  stream.once('finish', () => stream.destroy())
  stream.end(
    [
      `HTTP/1.1 ${STATUS_LINES[code] ?? '500 Internal Server Error'}`,
      'Content-Type: application/json',
      `Content-Length: ${Buffer.byteLength(body)}`,
      'Connection: close',
      '',
      body,
    ].join('\r\n'),
  )
}

function welcome(
  socket: WebSocket,
  { playerId, shipId, expiresAt }: Admission,
  { engine, clock, serverName, era, onError }: SocketsOptions,
  connected: Map<string, PlayerSocket>,
): void {
  const player = createPlayerSocket({ socket, playerId, shipId, engine, clock, onError })
  connected.get(playerId)?.close(CLOSE_CODES.replaced, 'replaced')
  connected.set(playerId, player)
  const cancelExpiry = atUtc(clock, expiresAt * 1000, () => {
    player.close(CLOSE_CODES.expired, 'expired')
  })
  // A broken frame, or one beyond the limits: ws closes the socket and says why in its code.
  socket.on('error', () => undefined)
  socket.on('close', () => {
    cancelExpiry()
    if (connected.get(playerId) === player) connected.delete(playerId)
  })
  const status = engine.status()
  player.send({
    type: 'welcome',
    protocol: SUBPROTOCOL,
    era,
    player_id: playerId,
    ship_id: shipId,
    server_name: serverName,
    tick: status.tick,
    game_time: new Date(status.gameTimeMs).toISOString(),
    tick_rate: status.tickRate,
    time_scale: status.timeScale,
    paused: status.paused,
  })
  // No tick will come to show a newcomer the world that stands still.
  if (status.paused) {
    engine
      .whenSettled(() => tickFrames(engine.status(), era, engine.ships()))
      .then((frames) => player.sendFrame(frames.frame(shipId)))
      .catch(onError)
  }
}

/** Calls back once at a moment of UTC [Unix ms], however far; returns how to cancel. */
function atUtc(clock: WallClock, utcMs: number, callback: () => void): () => void {
  let cancel: () => void
  const wait = (): void => {
    const leftMs = Math.max(0, utcMs - clock.utcMs())
    cancel = leftMs > TIMER_MS_MAX ? clock.after(TIMER_MS_MAX, wait) : clock.after(leftMs, callback)
  }
  wait()
  return () => cancel()
}

/** Waits until a closing socket is closed; one whose other end does not answer is cut. */
function ended(socket: WebSocket, clock: WallClock): Promise<void> {
  return new Promise((resolve) => {
    const cancel = clock.after(GOODBYE_MS, () => socket.terminate())
    socket.once('close', () => {
      cancel()
      resolve()
    })
  })
}

interface Heartbeat {
  watch(socket: WebSocket): void
  stop(): void
}

/** Cuts off sockets whose other end is gone without a word. */
function createHeartbeat(ws: WebSocketServer, clock: WallClock): Heartbeat {
  const alive = new WeakSet<WebSocket>()
  const beat = (): void => {
    for (const socket of ws.clients) {
      if (alive.delete(socket)) socket.ping()
      else socket.terminate()
    }
    cancel = clock.after(HEARTBEAT_MS, beat)
  }
  let cancel = clock.after(HEARTBEAT_MS, beat)
  return {
    watch: (socket) => {
      alive.add(socket)
      socket.on('pong', () => alive.add(socket))
    },
    stop: () => cancel(),
  }
}
