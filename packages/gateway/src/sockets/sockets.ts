import { type SystemCommand, findShip } from '@orrery/engine'
import type { ReplacementKind } from '@orrery/game'
import {
  CLOSE_CODES,
  type ErrorCode,
  ERRORS,
  type EventMessage,
  type PaceVoteResponse,
  type SaidMessage,
  type ServerMessage,
  encodeServerMessage,
} from '@orrery/protocol'
import type { Server } from 'node:http'
import { BinaryPublisher } from '../binary/binary-publisher.ts'
import { type ConnectedClients, createConnectedClients } from './connected-clients.ts'
import { createFramePublisher } from './frame-publisher.ts'
import { createMissedEvents } from './missed-events.ts'
import { createScratchBuffer } from '../connection/socket-writer.ts'
import type { CloseCode, PlayerSocket } from '../connection/player-socket.ts'
import { type SocketMetrics, createSocketCounts } from '../connection/socket-metrics.ts'
import { type SocketParts, type SocketsOptions, createUpgrades } from './upgrade.ts'
import { Talk } from '../talk/talk.ts'
import { type GivenModuleCommand, ModuleCommands } from '../connection/module-commands.ts'
import { PaceVotes } from '../votes/pace-votes.ts'
import { clockMessage } from '../views/wire-views.ts'
import type { ServedEngine } from '../views/served-engine.ts'

/** Why sockets are closed: an error sent before, the close code, its reason. */
export interface Dismissal {
  readonly error?: ErrorCode
  readonly close: CloseCode
  readonly reason: string
  /** an admin's observers only, as after a lost role; all sockets of the account otherwise */
  readonly only?: 'observers'
  /** hash of a token whose sockets stay open */
  readonly except?: string
}

export const ACCOUNT_DELETED: Dismissal = {
  error: 'E014',
  close: CLOSE_CODES.accountDeleted,
  reason: 'account deleted',
}

/** All connected players and observers. */
export interface Sockets {
  /** connected players, also those of other processes; observers are not counted */
  online(): number
  isOnline(playerId: string): boolean
  /** ships of connected players, also those of other processes */
  pilots(): Iterable<string>
  /** whose sockets are open, observers included */
  accounts(): Set<string>
  metrics(): SocketMetrics
  /** what connected pilots vote for, also those of other processes */
  paceVotes(): PaceVoteResponse
  /** Carries out a pilot's command of a module, as `ModuleCommands.run`. */
  commandModule(given: GivenModuleCommand): Promise<number>
  broadcast(message: ServerMessage): void
  /** sends a line to the pilots of some ships, also those of other processes */
  announce(said: SaidMessage, ships: readonly string[]): void
  /** sends an event to the pilot of its ship, or keeps it until the pilot connects */
  sendToPilot(event: EventMessage): void
  /** closes the sockets of an account, also those being opened */
  disconnect(accountId: string, dismissal: Dismissal): void
  /**
   * announces another world and its clock; looks up the ships that are gone with the old one, and
   * the observers when accounts were replaced, too
   */
  worldReplaced(kind: ReplacementKind): void
  /** an order of a ship was accepted that its pilot's socket did not send */
  ordered(shipId: string): void
  /** a structural command has acted in a star system */
  commanded(systemId: string, command: SystemCommand): void
  /** looks up a player's ship again, as when one was assigned */
  shipChanged(playerId: string): void
  /** sends frames of the world as published */
  broadcastTick(): void
  /** takes the WebSocket upgrades of a server */
  attach(server: Server): void
  /** closes all sockets and refuses new ones; resolves when all are gone */
  close(): Promise<void>
}

/** Messages of changes in how time runs. */
const CLOCK_MESSAGES: ReadonlySet<ServerMessage['type']> = new Set(['clock', 'paused', 'resumed'])

export function createSockets(options: SocketsOptions): Sockets {
  const { engine } = options
  const parts = partsOf(options)
  const { binary, clients, missed, others, publisher } = parts
  const upgrades = createUpgrades(parts)
  const clockChanges = createClockChanges(engine)

  const broadcast = (message: ServerMessage): void => {
    if (CLOCK_MESSAGES.has(message.type)) binary.clockChanged()
    if (message.type === 'clock') clockChanges.sent(message.tick_rate, message.time_scale)
    const text = encodeServerMessage(message)
    for (const player of clients.all()) player.outbox.send(text)
  }

  const disconnect: Sockets['disconnect'] = (accountId, dismissal) => {
    if (dismissal.except === undefined) upgrades.refuseAccount(accountId)
    else upgrades.recheck()
    dismiss(clients, accountId, dismissal)
  }

  return {
    online: () => clients.playerCount() + (others?.online() ?? 0),
    isOnline: (playerId) => Boolean(clients.player(playerId) ?? others?.isOnline(playerId)),
    pilots: () => new Set([...clients.pilots(), ...(others?.pilots() ?? [])]),
    accounts: () => new Set(Array.from(clients.all(), ({ accountId }) => accountId)),
    metrics: () => metrics(parts, upgrades.seats()),
    paceVotes: () => parts.votes.now(),
    commandModule: (given) => parts.modules.run(given),
    broadcast,
    announce: (said, ships) => parts.talk.announce(said, ships),
    sendToPilot: (event) => {
      const pilot = clients.pilot(event.ship_id)
      if (pilot) pilot.send(event)
      else if (!others?.isPilotOnline(event.ship_id)) missed.note(event)
    },
    disconnect,
    ordered: (shipId) => {
      binary.ordered(shipId)
      const pilot = clients.pilot(shipId)
      if (pilot) binary.requestSeed(pilot)
    },
    commanded: (systemId, command) => binary.commanded(systemId, command),
    worldReplaced: (kind) => {
      const status = engine.status()
      const clock = clockMessage(status)
      const type = kind === 'reset' ? 'reset' : 'restored'
      missed.clear()
      broadcast({ type, era: options.era(), tick: status.tick, game_time: clock.game_time })
      binary.worldReplaced()
      broadcast(clock)
      if (kind !== 'restored') {
        upgrades.recheck()
        dismissGone(parts, disconnect)
      }
      lookUpLostShips(parts)
    },
    shipChanged: (playerId) => lookUpShip(parts, playerId),
    broadcastTick: () => {
      const change = clockChanges.take()
      if (change) broadcast(change)
      publisher.publish()
    },
    attach: (server) => server.on('upgrade', upgrades.accept),
    close: () => upgrades.close(),
  }
}

function partsOf(options: SocketsOptions): SocketParts {
  const clients = createConnectedClients()
  const counts = createSocketCounts()
  const binary = new BinaryPublisher(options)
  const publisher = createFramePublisher({ ...options, binary, clients: () => clients.all() })
  const scratch = createScratchBuffer()
  const missed = createMissedEvents()
  const others = joined(options, { binary, clients, missed })
  const talk = new Talk({ ...options, bus: options.bus, clients, others, counts: counts.talk })
  const votes = new PaceVotes({ ...options, clients, others })
  const modules = new ModuleCommands(options.engine)
  const shared = { binary, clients, others, publisher, counts, scratch, missed, talk, votes }
  return { ...options, ...shared, modules }
}

/** Joins the other processes whose clients see the same universe. */
function joined(
  { joinOthers }: SocketsOptions,
  { binary, clients, missed }: Pick<SocketParts, 'binary' | 'clients' | 'missed'>,
): SocketParts['others'] {
  return joinOthers?.({
    onReplaced: (playerId) => clients.player(playerId)?.close(CLOSE_CODES.replaced, 'replaced'),
    onElsewhere: ({ playerId, shipId }) => {
      missed.take(shipId)
      binary.forget(playerId)
    },
  })
}

/** Closes the sockets of an account that a dismissal concerns. */
function dismiss(
  clients: ConnectedClients,
  accountId: string,
  { error, close, reason, only, except }: Dismissal,
): void {
  for (const player of clients.all()) {
    if (player.accountId !== accountId || (only && !player.isObserver)) continue
    if (player.tokenHash === except) continue
    if (error) player.send({ type: 'error', code: error, message: ERRORS[error].meaning })
    player.close(close, reason)
  }
}

/** Looks up the ships that are not in the world any more; all clients get a frame. */
function lookUpLostShips(parts: SocketParts): void {
  const { clients, engine, publisher } = parts
  for (const player of clients.all()) {
    if (!findShip(engine.universe, player.shipId)) {
      // Until the account is read it has no ship.
      assignShip(parts, player, '')
      lookUpShip(parts, player.accountId)
    }
    publisher.request(player)
  }
}

/** Reads the ship of an account again, for its socket. */
function lookUpShip(parts: SocketParts, accountId: string): void {
  const { clients, accountOf, onError } = parts
  if (!clients.player(accountId)) return
  accountOf(accountId)
    .then((account) => {
      const player = clients.player(accountId)
      if (player) assignShip(parts, player, account?.shipId ?? '')
    })
    .catch(onError)
}

/** Closes the observers whose accounts are gone. */
function dismissGone(
  { clients, accountOf, onError }: SocketParts,
  disconnect: Sockets['disconnect'],
): void {
  const close = CLOSE_CODES.expired
  for (const accountId of clients.observers()) {
    accountOf(accountId)
      .catch((error: unknown) => {
        // An account that cannot be read is closed as well: an admin can connect again.
        onError(error)
        return undefined
      })
      .then((account) => {
        if (account?.isAdmin) return
        disconnect(accountId, { error: 'E005', close, reason: 'expired', only: 'observers' })
      })
      .catch(onError)
  }
}

function assignShip(
  { binary, clients, others, publisher }: SocketParts,
  player: PlayerSocket,
  shipId: string,
): void {
  if (player.shipId === shipId) return
  clients.changeShip(player, shipId)
  if (!player.isObserver) others?.shipChanged(player.accountId, shipId)
  player.send({ type: 'ship_assigned', ship_id: shipId })
  binary.requestSeed(player)
  publisher.request(player)
}

function metrics({ clients, counts, publisher }: SocketParts, seats: number): SocketMetrics {
  let bytesQueued = 0
  for (const { outbox } of clients.all()) bytesQueued += outbox.bytesQueued()
  return {
    ...structuredClone(counts),
    players: clients.playerCount(),
    observers: clients.observerCount(),
    seats,
    bytesQueued,
    fanOutMs: publisher.fanOutMs(),
  }
}

/** How game time ran when players were last sent it. */
interface ClockChanges {
  /** the change since then, which is being sent now */
  take(): ServerMessage | undefined
  sent(tickRate: number, timeScale: number): void
}

/** Notices changes that no request made, such as the rate by the adaptive controller. */
function createClockChanges(engine: ServedEngine): ClockChanges {
  const key = (tickRate: number, timeScale: number): string => `${tickRate} ${timeScale}`
  const { tickRate, timeScale } = engine.status()
  let last = key(tickRate, timeScale)
  return {
    take: () => {
      const status = engine.status()
      const now = key(status.tickRate, status.timeScale)
      if (now === last) return undefined
      last = now
      return clockMessage(status)
    },
    sent: (rate, scale) => {
      last = key(rate, scale)
    },
  }
}
