import { type WallClock, systemOf } from '@orrery/engine'
import { CLOSE_CODES, MESSAGE_BYTES_MAX, SUBPROTOCOL } from '@orrery/protocol'
import type { IncomingMessage } from 'node:http'
import type { Duplex } from 'node:stream'
import { type ServerOptions, WebSocketServer } from 'ws'
import {
  type Admission,
  type HandshakeRefusal,
  createDoorkeeper,
  refuseUpgrade,
} from './admission.ts'
import { watchHeartbeat } from './heartbeat.ts'
import type { Sheet } from './pipe.ts'
import { type PlayerSocketOptions, createPlayerSocket } from './player-socket.ts'
import type { Roll } from './roll.ts'
import type { Showing } from './showing.ts'
import { type SocketCounts, closedBy } from './socket-metrics.ts'
import type { SocketsOptions } from './sockets-options.ts'

/** A message may come in so many pieces. */
const FRAGMENTS_MAX = 16

/** Time for the other end to answer a close. */
const GOODBYE_MS = 2000

// The types do not know of the close timeout yet.
const WS_OPTIONS: ServerOptions & { readonly closeTimeout: number } = {
  noServer: true,
  maxPayload: MESSAGE_BYTES_MAX,
  maxFragments: FRAGMENTS_MAX,
  perMessageDeflate: false,
  // Pings are messages as others are, and count as such.
  autoPong: false,
  closeTimeout: GOODBYE_MS,
  handleProtocols: (offers) => (offers.has(SUBPROTOCOL) ? SUBPROTOCOL : false),
}

/** Longest wait a timer of Node can be asked for; it takes a longer one for none at all. */
const TIMER_MS_MAX = 2_147_483_647

/** What the parts of the sockets share. */
export interface House extends SocketsOptions {
  readonly roll: Roll
  readonly showing: Showing
  readonly counts: SocketCounts
  readonly sheet: Sheet
}

export interface Door {
  readonly upgrade: (request: IncomingMessage, stream: Duplex, head: Buffer) => void
  turnAway(accountId: string): void
  askAgain(): void
  close(): Promise<void>
}

/** Where sockets come in and go out. */
export function createDoor(house: House): Door {
  const { counts, roll, socketsMax, onError } = house
  let isClosing = false
  const ws = new WebSocketServer(WS_OPTIONS)
  const hasRoom = (): boolean => !isClosing && ws.clients.size < socketsMax
  const doorkeeper = createDoorkeeper({ ...house, hasRoom })

  const refuse = (stream: Duplex, refusal: HandshakeRefusal, message?: string): void => {
    counts.handshakesRefused[refusal.code] = (counts.handshakesRefused[refusal.code] ?? 0) + 1
    refuseUpgrade(stream, refusal, message)
  }
  // An upgrade that is no proper WebSocket handshake: in ws' own words, in the game's shape.
  ws.on('wsClientError', (error, stream) => refuse(stream, { code: 'E001' }, error.message))

  return {
    upgrade: (request, stream, head) => {
      stream.on('error', () => stream.destroy())
      doorkeeper
        .admit(request)
        .then((admission) => {
          if ('code' in admission) return refuse(stream, admission)
          // Looked at last: what is let in after the goodbyes would keep the server from ending.
          if (!hasRoom()) return refuse(stream, { code: 'E008', retryAfterSeconds: 1 })
          return ws.handleUpgrade(request, stream, head, (socket) => {
            welcome({ socket, stream }, admission, house)
          })
        })
        .catch((error: unknown) => {
          onError(error)
          refuse(stream, { code: 'E008' })
        })
    },
    turnAway: (accountId) => doorkeeper.turnAway(accountId),
    askAgain: () => doorkeeper.askAgain(),
    close: async () => {
      isClosing = true
      const left = [...ws.clients].map(
        (socket) => new Promise((resolve) => void socket.once('close', resolve)),
      )
      for (const player of roll.everybody()) {
        player.send({ type: 'shutdown', message: 'The server stops' })
        player.close(CLOSE_CODES.shutdown, 'shutdown')
      }
      await Promise.all(left)
    },
  }
}

function welcome(
  { socket, stream }: Pick<PlayerSocketOptions, 'socket' | 'stream'>,
  admission: Admission,
  house: House,
): void {
  const { accountId, shipId, isObserver, expiresAt } = admission
  const { engine, clock, era, serverName, roll, showing, counts, sheet, onError } = house
  const { systems } = engine.world.state
  const player = createPlayerSocket({
    socket,
    stream,
    accountId,
    shipId,
    watched: isObserver ? systems[0].id : undefined,
    engine,
    era,
    clock,
    traffic: counts,
    sheet,
    onWanted: (wanting) => showing.want(wanting),
    onClosing: (closing, code) => {
      if (roll.leave(closing)) counts.closed[closedBy(code)]++
    },
    onError,
  })
  roll.enter(player)?.close(CLOSE_CODES.replaced, 'replaced')
  const cancelExpiry = atUtc(clock, expiresAt * 1000, () => {
    player.close(CLOSE_CODES.expired, 'expired')
  })
  watchHeartbeat(socket, clock, () => {
    if (roll.leave(player)) counts.closed.lost++
  })
  // A broken frame, or one beyond the limits: ws closes the socket and says why in its code.
  socket.on('error', () => undefined)
  socket.on('close', () => {
    cancelExpiry()
    if (roll.leave(player)) counts.closed.client++
  })
  const entry = engine.world.roster.byId.get(shipId)
  const status = engine.status()
  player.send({
    type: 'welcome',
    protocol: SUBPROTOCOL,
    era: era(),
    player_id: accountId,
    ship_id: shipId,
    system_id: player.watched ?? (entry ? systems[systemOf(engine.world, entry)].id : ''),
    ...(isObserver && { observer: true }),
    server_name: serverName,
    tick: status.tick,
    game_time: new Date(status.gameTimeMs).toISOString(),
    tick_rate: status.tickRate,
    time_scale: status.timeScale,
    effective_time_scale: status.effectiveTimeScale,
    paused: status.paused,
  })
  showing.want(player)
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
