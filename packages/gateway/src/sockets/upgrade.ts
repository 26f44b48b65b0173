import type { Bus } from '@orrery/bus'
import { type Predictor, type WallClock, findShip } from '@orrery/engine'
import type { Players, Presence, PresenceReceiver } from '@orrery/game'
import { hostHeaderFault, incomingAddress, isHostAllowed } from '@orrery/http'
import {
  BINARY_SUBPROTOCOL,
  CLOSE_CODES,
  FRAME_BLOCKS,
  MESSAGE_BYTES_MAX,
  SUBPROTOCOL,
  type WelcomeMessage,
  knownSubprotocol,
} from '@orrery/protocol'
import type { Account } from '@orrery/store'
import type { IncomingMessage } from 'node:http'
import type { Duplex } from 'node:stream'
import { type ServerOptions, WebSocketServer } from 'ws'
import {
  type Admission,
  type HandshakeRefusal,
  createHandshakes,
  refuseUpgrade,
} from './handshake.ts'
import { watchHeartbeat } from './heartbeat.ts'
import type { MissedEvents } from './missed-events.ts'
import { createSeats } from './seats.ts'
import type { ScratchBuffer } from '../connection/socket-writer.ts'
import {
  type PlayerSocket,
  type PlayerSocketOptions,
  createPlayerSocket,
} from '../connection/player-socket.ts'
import type { BinaryPublisher } from '../binary/binary-publisher.ts'
import type { ConnectedClients } from './connected-clients.ts'
import type { FramePublisher } from './frame-publisher.ts'
import { type SocketCounts, closedBy } from '../connection/socket-metrics.ts'
import { ageOf } from '../views/wire-views.ts'
import type { Talk } from '../talk/talk.ts'
import type { ModuleCommands } from '../connection/module-commands.ts'
import type { PaceVotes, PaceVotesOptions } from '../votes/pace-votes.ts'
import type { ServedEngine } from '../views/served-engine.ts'

/** A message may come in so many pieces. */
const FRAGMENTS_MAX = 16

/** Time for the other end to answer a close. */
const GOODBYE_MS = 2000

// The types lack the close timeout.
const WS_OPTIONS: ServerOptions & { readonly closeTimeout: number } = {
  noServer: true,
  maxPayload: MESSAGE_BYTES_MAX,
  maxFragments: FRAGMENTS_MAX,
  perMessageDeflate: false,
  // Pings count as messages.
  autoPong: false,
  closeTimeout: GOODBYE_MS,
  handleProtocols: (offers) => knownSubprotocol(offers) ?? false,
}

/** Longest wait a timer of Node can be asked for; it takes a longer one for none at all. */
const TIMER_MS_MAX = 2_147_483_647

/** The game behind the sockets, and their limits. */
export interface SocketsOptions extends Pick<PaceVotesOptions, 'paceBounds'> {
  readonly engine: ServedEngine
  readonly predictor: Pick<Predictor, 'predict'>
  readonly players: Pick<Players, 'bearer'>
  readonly clock: WallClock
  readonly serverName: string
  readonly era: () => number
  /** an account as it is now */
  readonly accountOf: (playerId: string) => Promise<Pick<Account, 'shipId' | 'isAdmin'> | undefined>
  /** joins the other processes whose clients see the same universe; without it there are none */
  readonly joinOthers?: ((receiver: PresenceReceiver) => Presence) | undefined
  /** carries texts to pilots of those processes; without it they stay within this one */
  readonly bus?: Pick<Bus, 'publish' | 'subscribe'> | undefined
  /** whether pilots may send each other texts, now */
  readonly isTalkEnabled: () => Promise<boolean>
  /** sockets open at once */
  readonly socketsMax: number
  /** of them from one address; 0 is unlimited */
  readonly socketsPerAddress: number
  /** per address */
  readonly handshakesPerMinute: number
  /** of binary frames to a client that asks for no other [bytes/s] */
  readonly frameBudget: number
  /** of JSON frames, in the same way [bytes/s] */
  readonly jsonBudget: number
  readonly trustProxy: boolean
  readonly allowedOrigins: readonly string[]
  /** names in `Host`; undefined where any will do */
  readonly allowedHosts: readonly string[] | undefined
  /** receives for each tick the time from its end to the last of its frames written [ms] */
  readonly onFanOut: (ms: number) => void
  readonly onError: (error: unknown) => void
}

/** What the parts of the sockets share. */
export interface SocketParts extends SocketsOptions {
  readonly binary: BinaryPublisher
  readonly clients: ConnectedClients
  /** players of other processes */
  readonly others: Presence | undefined
  readonly publisher: FramePublisher
  readonly counts: SocketCounts
  readonly scratch: ScratchBuffer
  /** what a pilot is sent after the welcome */
  readonly missed: MissedEvents
  readonly talk: Talk
  readonly votes: PaceVotes
  readonly modules: ModuleCommands
}

export interface Upgrades {
  /** places taken by sockets that are open, or being opened or closed */
  seats(): number
  readonly accept: (request: IncomingMessage, stream: Duplex, head: Buffer) => void
  refuseAccount(accountId: string): void
  recheck(): void
  close(): Promise<void>
}

/** Turns accepted upgrades into sockets, and closes all sockets at a stop. */
export function createUpgrades(parts: SocketParts): Upgrades {
  const { allowedHosts, counts, clients, others, talk, trustProxy, votes, onError } = parts
  let isClosing = false
  const ws = new WebSocketServer(WS_OPTIONS)
  const isConnected = (playerId: string): boolean => clients.player(playerId) !== undefined
  const seats = createSeats({ ...parts, isConnected })
  const hasRoom = (): boolean => !isClosing && seats.hasRoom()
  const handshakes = createHandshakes({ ...parts, hasRoom })

  const refuse = (stream: Duplex, refusal: HandshakeRefusal, message?: string): void => {
    counts.handshakesRefused[refusal.code] = (counts.handshakesRefused[refusal.code] ?? 0) + 1
    refuseUpgrade(stream, refusal, message)
  }
  // An upgrade that is not a WebSocket handshake: the text is that of ws, the shape the game's.
  ws.on('wsClientError', (error, stream) => refuse(stream, { code: 'E001' }, error.message))

  return {
    seats: () => seats.taken(),
    accept: (request, stream, head) => {
      stream.on('error', () => stream.destroy())
      // The check of plain requests never sees an upgrade.
      const fault = hostHeaderFault(request)
      if (fault !== undefined) return refuse(stream, { code: 'E001' }, fault)
      if (allowedHosts && !isHostAllowed(request.headers.host, allowedHosts)) {
        return refuse(stream, { code: 'E003' }, 'The header Host is not allowed')
      }
      handshakes
        .admit(request)
        .then((admission) => {
          // A client that has left meanwhile emits no further 'close' that would free a seat.
          if (stream.destroyed) return undefined
          if ('code' in admission) return refuse(stream, admission)
          // Checked last: a socket opened after the goodbyes would keep the server from ending.
          if (!hasRoom()) return refuse(stream, { code: 'E008', retryAfterSeconds: 1 })
          const address = incomingAddress(request, trustProxy)
          const seat = seats.take(admission, address)
          if (typeof seat !== 'function') return refuse(stream, seat)
          // Also where the handshake fails, before there is a socket.
          stream.once('close', seat)
          return ws.handleUpgrade(request, stream, head, (socket) => {
            openSocket({ socket, stream, address }, admission, parts)
          })
        })
        .catch((error: unknown) => {
          onError(error)
          refuse(stream, { code: 'E008' })
        })
    },
    refuseAccount: (accountId) => handshakes.refuseAccount(accountId),
    recheck: () => handshakes.recheck(),
    close: async () => {
      isClosing = true
      const left = [...ws.clients].map(
        (socket) => new Promise((resolve) => void socket.once('close', resolve)),
      )
      for (const player of clients.all()) {
        player.send({ type: 'shutdown', message: 'The server stops' })
        player.close(CLOSE_CODES.shutdown, 'shutdown')
      }
      await Promise.all(left)
      others?.stop()
      talk.stop()
      votes.stop()
    },
  }
}

function openSocket(
  { socket, stream, address }: Pick<PlayerSocketOptions, 'socket' | 'stream' | 'address'>,
  admission: Admission,
  parts: SocketParts,
): void {
  const { accountId, shipId, isObserver, tokenHash, expiresAt } = admission
  const { engine, clock, era, publisher, counts, scratch, missed, onError } = parts
  const { binary, clients, others } = parts
  const { worlds } = engine.universe
  const leave = (leaving: PlayerSocket): boolean => {
    binary.remove(leaving)
    const isRemoved = clients.remove(leaving)
    if (!clients.player(accountId)) others?.left(accountId)
    return isRemoved
  }
  const player = createPlayerSocket({
    socket,
    stream,
    address,
    accountId,
    tokenHash,
    shipId,
    watched: isObserver ? worlds[0].state.system.id : undefined,
    engine,
    predictor: parts.predictor,
    era,
    jsonBudget: parts.jsonBudget,
    clock,
    counts,
    scratch,
    binary,
    talk: parts.talk,
    votes: parts.votes,
    modules: parts.modules,
    onFrameRequest: (requesting) => publisher.request(requesting),
    onClosing: (closing, code) => {
      if (leave(closing)) counts.closed[closedBy(code)]++
    },
    onError,
  })
  clients.add(player)?.close(CLOSE_CODES.replaced, 'replaced')
  if (!isObserver) others?.entered(accountId, shipId)
  const cancelExpiry = atUtc(clock, expiresAt * 1000, () => {
    player.close(CLOSE_CODES.expired, 'expired')
  })
  watchHeartbeat(socket, clock, () => {
    if (leave(player)) counts.closed.lost++
  })
  // A broken frame, or one beyond the limits: ws closes the socket with the fitting code.
  socket.on('error', () => undefined)
  socket.on('close', () => {
    cancelExpiry()
    if (leave(player)) counts.closed.client++
  })
  player.send(welcome(player, isObserver, parts))
  parts.votes.welcome(player)
  if (!isObserver) for (const event of missed.take(shipId)) player.send(event)
  if (player.isBinary) binary.add(player)
  else publisher.request(player)
}

function welcome(
  { accountId, shipId, watched, isBinary }: PlayerSocket,
  isObserver: boolean,
  { engine, era, serverName }: SocketParts,
): WelcomeMessage {
  const place = findShip(engine.universe, shipId)
  const status = engine.status()
  return {
    type: 'welcome',
    protocol: isBinary ? BINARY_SUBPROTOCOL : SUBPROTOCOL,
    era: era(),
    player_id: accountId,
    ship_id: shipId,
    system_id: watched ?? place?.world.state.system.id ?? '',
    ...(isObserver && { observer: true }),
    server_name: serverName,
    tick: status.tick,
    game_time: new Date(status.gameTimeMs).toISOString(),
    tick_rate: status.tickRate,
    time_scale: status.timeScale,
    effective_time_scale: status.effectiveTimeScale,
    paused: status.paused,
    age: ageOf(status),
    ...(isBinary && { frames: FRAME_BLOCKS }),
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
