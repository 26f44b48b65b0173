import type { Bus } from '@orrery/bus'
import {
  type Engine,
  type EngineOptions,
  type ManeuverEvent,
  type Pool,
  type Predictor,
  type Universe,
  createEngine,
  createPool,
  createPredictor,
  createPreflight,
  systemClock,
} from '@orrery/engine'
import {
  type CarriedCore,
  type FirstFlights,
  type GameRecords,
  type GivenShips,
  type JournalWriter,
  type ManeuverEventWriter,
  type PromotedUniverse,
  type SerialQueue,
  type WorldStorage,
  createAccountChanges,
  createFirstFlights,
  createForeignIdentities,
  createJournalWriter,
  createManeuverEventWriter,
  createPlayers,
  createRowStream,
  createSerialQueue,
  createSnapshotSchedule,
  createTokens,
  createWorldStorage,
  openUniverse,
} from '@orrery/game'
import { type Logger, WrongTokens } from '@orrery/http'
import { readStorage } from '@orrery/store'
import type { AppParts } from './app-parts.ts'
import { completeUniverse } from './completed-universe.ts'
import { type Config, gameConfig } from './config.ts'
import { type EventHandlers, createEventHandlers } from './event-handlers.ts'
import { watchClock } from './operations/clock-watches.ts'
import { databaseReadings } from './operations/database-readings.ts'
import { createEventStreams } from './operations/event-streams.ts'
import { createLoad } from './operations/load.ts'
import type { Metrics } from './operations/metrics.ts'
import { createOwnPasswords } from './own-passwords.ts'
import type { HostLife } from './hosting/host.ts'
import { type PlacedSystems, placeSystems, servedElsewhere } from './hosting/placed-systems.ts'
import { type StorageWatch, createStorageWatch } from './operations/storage-watch.ts'
import {
  type UnflownAccounts,
  type UnflownAccountsOptions,
  createUnflownAccounts,
} from './operations/unflown-accounts.ts'
import { othersOn } from './others.ts'
import { type Sockets, createSockets } from './sockets/sockets.ts'
import type { SocketsOptions } from './sockets/upgrade.ts'

/** A game that is put together; nothing ticks yet. */
export interface Game extends Omit<AppParts, 'config' | 'page' | 'pastFlights' | 'logger'> {
  readonly sockets: Sockets
  /** ticks, and stores the world now and then */
  start(): void
  /** stops ticking and stores the world */
  stop(): Promise<void>
}

export interface GameOptions {
  readonly records: GameRecords
  /** a universe made while the database was opened, for when none is stored */
  readonly prepared: Universe | undefined
  /** a universe that was followed, to be taken instead of what is stored */
  readonly promoted?: PromotedUniverse | undefined
  /** between servers: what becomes durable, who is connected, commands of gateways */
  readonly bus?: Bus | undefined
  readonly config: Config
  /** this process for others; undefined where there can be none */
  readonly life?: HostLife | undefined
  readonly ships: GivenShips
  /** flies the journal of the release before to its end */
  readonly carried?: CarriedCore | undefined
  readonly logger: Logger
  readonly metrics: Metrics
  /** another server has taken the world: nothing that happens here will be kept */
  readonly onFenced: () => void
}

export async function openGame(options: GameOptions): Promise<Game> {
  const { records, config, ships, logger, metrics } = options
  const { sql, auditTrail, kept } = records
  const onError = (error: unknown): void => logger.error({ err: error }, 'unexpected')
  const poolOf = (universe: Universe): Pool => createPool(universe, config.workers, onError)
  const clock = systemClock
  const opening = { ...options, config: gameConfig(config, ships), createPool: poolOf, clock }
  const { events, digests, caughtUpMs, replay, lacking, ...opened } = await openUniverse(opening)
  const schedule = createSnapshotSchedule(() => systemClock.monotonicMs(), caughtUpMs)
  const handlers = createEventHandlers({ ...options, schedule })
  const journalled = journalledEngine(options, opened, { ...handlers, onError })
  const { journalWriter, firstFlights } = journalled
  const engine = options.life ? servedElsewhere(journalled.engine, options) : journalled.engine
  const accountQueue = createSerialQueue()
  const settled = (): Promise<void> => journalWriter.durable().catch(() => undefined)
  const services = accountServices(options, { engine, accountQueue, settled, onError })
  const predictor = createPredictor(engine, onError)
  const preflight = createPreflight(journalled.engine, onError, { isOn: config.ordersFlownAhead })
  const sockets = gameSockets(options, { engine, predictor, players: services.players, onError })
  const maneuverEventWriter = eventWriter(options, { journalWriter, events, onError })
  const load = createLoad({ engine, sockets, journalWriter, metrics, logger, replay })
  handlers.connect({ engine, journalWriter, maneuverEventWriter, sockets, load })
  for (const digest of digests) handlers.engine.onDigest(digest)
  const placing = { ...handlers.engine, ...journalled, sockets, onError }
  const placed = await placeSystems(options, placing)
  const worldStorage = openStorage(options, {
    engine,
    journal: journalWriter,
    schedule,
    accountQueue,
    createPool: poolOf,
    ...eventsOf(maneuverEventWriter),
    onReplaced: (kind) => {
      placed.worldReplaced()
      firstFlights.forget()
      sockets.worldReplaced(kind)
    },
    onError,
  })
  const storageWatch = watchStorage(options)
  const unflownAccounts = watchUnflown(options, { ...services, sockets, onError })
  const clocks = watchClock({ ...kept, ...placed, engine, sockets, logger, onError })
  const watches = [load, storageWatch, unflownAccounts, preflight, ...clocks.clockWatches]
  journalWriter.start()
  await completeUniverse(engine, lacking, sql)
  return {
    ...records,
    ...services,
    ...kept,
    engine,
    ships,
    predictor,
    preflight,
    journalWriter,
    maneuverEventWriter,
    sockets,
    worldStorage,
    metrics,
    load,
    storageWatch,
    unflownAccounts,
    bus: options.bus,
    hostClock: () => options.life?.hostClock(),
    ...databaseReadings(sql),
    controlQueue: clocks.controlQueue,
    ...countersOf(config),
    audit: (actor, action, detail) => auditTrail.record({ actor, action, detail }),
    ...lifeOf({ engine, predictor, maneuverEventWriter, placed, worldStorage, watches }),
  }
}

/** What counts against limits. */
function countersOf({
  loginAttemptsPerMinute,
}: Config): Pick<AppParts, 'eventStreams' | 'ownPasswords' | 'wrongTokens'> {
  return {
    eventStreams: createEventStreams(),
    ownPasswords: createOwnPasswords(loginAttemptsPerMinute),
    wrongTokens: new WrongTokens(),
  }
}

function openStorage(
  { records, config, ships }: GameOptions,
  parts: Omit<
    Parameters<typeof createWorldStorage>[0],
    Exclude<keyof GameRecords, 'journal'> | 'config' | 'clock'
  >,
): WorldStorage {
  return createWorldStorage({
    ...records,
    ...parts,
    config: gameConfig(config, ships),
    clock: systemClock,
  })
}

function eventWriter(
  { records: { maneuverEvents: records, kept } }: GameOptions,
  parts: {
    readonly journalWriter: JournalWriter
    readonly events: readonly ManeuverEvent[]
    readonly onError: (error: unknown) => void
  },
): ManeuverEventWriter {
  const writer = createManeuverEventWriter({
    records,
    era: () => kept.settings.era,
    durableIndex: (era) => parts.journalWriter.durableIndex(era),
    clock: systemClock,
    onError: parts.onError,
  })
  for (const event of parts.events) writer.add(event, 'replay')
  return writer
}

/** How the storage of worlds ends or awaits what is being written of events. */
function eventsOf(
  writer: ManeuverEventWriter,
): Pick<Parameters<typeof createWorldStorage>[0], 'discardEvents' | 'eventsWritten'> {
  return { discardEvents: () => writer.discard(), eventsWritten: () => writer.written() }
}

function watchStorage({ records: { sql }, config, logger }: GameOptions): StorageWatch {
  return createStorageWatch({
    directory: config.dataDirectory,
    freeBytesMin: config.diskFreeBytesMin,
    readStorage: () => readStorage(sql),
    logger,
  })
}

function watchUnflown(
  { records: { accounts }, config: { unflownKeptMs: keptMs }, logger }: GameOptions,
  parts: Pick<UnflownAccountsOptions, 'accountChanges' | 'sockets' | 'onError'>,
): UnflownAccounts {
  return createUnflownAccounts({ ...parts, accounts, keptMs, logger, clock: systemClock })
}

/** How a game starts, and how it stops: the world is given or stored before the rest ends. */
function lifeOf({
  engine,
  predictor,
  maneuverEventWriter,
  placed,
  worldStorage,
  watches,
}: {
  readonly engine: Engine
  readonly predictor: Predictor
  readonly maneuverEventWriter: ManeuverEventWriter
  readonly placed: PlacedSystems
  readonly worldStorage: WorldStorage
  /** what only looks on */
  readonly watches: readonly { start(): void; stop(): void }[]
}): Pick<Game, 'start' | 'stop' | 'carryOut' | 'sharedClock'> {
  const { carryOut, sharedClock } = placed
  return {
    carryOut,
    sharedClock,
    start: () => {
      engine.start()
      worldStorage.start()
      placed.start()
      for (const watch of watches) watch.start()
    },
    stop: async () => {
      for (const watch of watches) watch.stop()
      await placed.stop()
      try {
        await worldStorage.stop(async () => {
          await maneuverEventWriter.stop()
          return placed.handOver()
        })
      } finally {
        await maneuverEventWriter.stop()
        await predictor.close()
      }
    },
  }
}

/** An engine whose commands are journalled. */
function journalledEngine(
  { bus, records, logger }: GameOptions,
  opened: Pick<EngineOptions, 'universe' | 'gameClock' | 'tick' | 'pool'>,
  { onError, ...handlers }: EventHandlers & { readonly onError: (error: unknown) => void },
): {
  readonly engine: Engine
  readonly journalWriter: JournalWriter
  readonly firstFlights: FirstFlights
} {
  const { settings } = records.kept
  const clock = systemClock
  const firstFlights = createFirstFlights(records.accounts, onError)
  const present = { owner: records.owner, era: () => settings.era, ...handlers.journal }
  const rows = bus && createRowStream({ ...present, bus, clock })
  const journal = createJournalWriter({
    ...present,
    append: async (batch) => {
      const outcome = await records.journal.append(batch)
      rows?.written(batch)
      await firstFlights.written(batch.rows)
      return outcome
    },
    clock,
    onError: (error) => logger.error({ err: error }, 'the journal could not be written; trying on'),
  })
  const onPublish = (): void => {
    rows?.ticked()
    handlers.engine.onPublish()
  }
  const running = { ...handlers.engine, onPublish, clock, journal }
  const engine = createEngine({ ...opened, ...settings, ...running })
  const { clockGoal: goal, era } = settings
  const isAhead = goal !== 'none' && goal.era === era && goal.atMs > engine.status().gameTimeMs
  if (isAhead) engine.hurryTo(goal.atMs)
  return { engine, journalWriter: journal, firstFlights }
}

function gameSockets(
  { bus, records, config, metrics }: GameOptions,
  parts: Pick<SocketsOptions, 'engine' | 'predictor' | 'players' | 'onError'>,
): Sockets {
  const { accounts, kept } = records
  return createSockets({
    ...config,
    ...parts,
    clock: systemClock,
    accountOf: (playerId) => accounts.byId(playerId),
    era: () => kept.settings.era,
    joinOthers: othersOn(bus),
    bus,
    paceBounds: () => kept.settings.paceVote,
    isTalkEnabled: () => kept.isTalkEnabled().catch(() => kept.settings.talkEnabled),
    onFanOut: (ms) => metrics.fanOut(ms),
  })
}

/** Authentication, and changes of accounts. */
function accountServices(
  { records, config, ships }: GameOptions,
  {
    engine,
    accountQueue,
    settled,
    onError,
  }: {
    readonly engine: Engine
    readonly accountQueue: SerialQueue
    readonly settled: () => Promise<void>
    readonly onError: (error: unknown) => void
  },
): Pick<AppParts, 'players' | 'accountChanges' | 'foreignIdentities'> {
  const { accounts, auditTrail, changeAccounts, passwords, kept } = records
  const tokens = createTokens(Buffer.from(config.tokenKey.reveal()), () => systemClock.utcMs())
  const accountChanges = createAccountChanges({
    accounts,
    change: changeAccounts,
    engine,
    settled,
    passwords,
    accountQueue,
    isOpen: () => kept.isRegistrationOpen(),
    ...ships,
    invitedMax: config.invitedPerPlayer,
    shipsPerPlayer: config.shipsPerPlayer,
    clock: systemClock,
  })
  return {
    accountChanges,
    foreignIdentities: config.signIn && createForeignIdentities(config.signIn, systemClock),
    players: createPlayers({
      accounts,
      accountChanges,
      tokens,
      passwords,
      auditTrail,
      onError,
      clock: systemClock,
    }),
  }
}
