import {
  Engine,
  type Pool,
  type TickedWorld,
  type World,
  createPool,
  systemClock,
} from '@orrery/engine'
import {
  type AccountChanges,
  type GameRecords,
  type InTurn,
  type ManeuverKeeping,
  type Players,
  type SnapshotSchedule,
  createAccountChanges,
  createJournalWriter,
  createManeuverKeeping,
  createPlayers,
  createSnapshotSchedule,
  createTokens,
  createTurns,
  createWorldKeeper,
  openWorld,
  reconciliation,
} from '@orrery/game'
import type { Logger } from '@orrery/http'
import { pruneJournal } from '@orrery/store'
import type { AppParts } from './app-parts.ts'
import { type Config, gameConfig } from './config.ts'
import { type NewsReaders, createNews } from './game-news.ts'
import type { Metrics } from './operations/metrics.ts'
import { type Sockets, createSockets } from './sockets/sockets.ts'
import type { SocketsOptions } from './sockets/sockets-options.ts'

/** A game that is put together; nothing ticks yet. */
export interface Game extends Omit<AppParts, 'config' | 'logger'> {
  readonly sockets: Sockets
  /** ticks, and stores the world now and then */
  start(): void
  /** stops ticking and stores the world */
  stop(): Promise<void>
}

export interface GameOptions {
  readonly records: GameRecords
  /** a world made while the database was, to be taken when none is stored */
  readonly prepared: World | undefined
  readonly config: Config
  readonly logger: Logger
  readonly metrics: Metrics
  /** another server has taken the world: nothing that happens here will be kept */
  readonly onFenced: () => void
}

export async function openGame(options: GameOptions): Promise<Game> {
  const { records, config, logger, metrics } = options
  const { sql, accounts, auditTrail, maneuverEvents, kept } = records
  const clock = systemClock
  const onError = (error: unknown): void => logger.error({ err: error }, 'unexpected')
  const poolOf = (world: World): Pool => createPool(world, config.workers, onError)
  const { events, caughtUpMs, ...opened } = await openWorld({ ...options, createPool: poolOf })
  const schedule = createSnapshotSchedule(() => clock.monotonicMs(), caughtUpMs)
  const { engine, journalWriter } = journalledEngine(options, opened, schedule, () => ({
    engine,
    journalWriter,
    maneuverKeeping,
    sockets,
  }))
  const accountTurn = createTurns()
  const settled = (): Promise<void> => journalWriter.durable().catch(() => undefined)
  const desk = accountDesk(options, engine, accountTurn, settled)
  const sockets = gameSockets(options, { engine, players: desk.players, onError })
  const maneuverKeeping: ManeuverKeeping = createManeuverKeeping({
    records: maneuverEvents,
    era: () => kept.settings.era,
    durableIndex: (era) => journalWriter.durableIndex(era),
    clock,
    onError,
  })
  for (const event of events) maneuverKeeping.add(event)
  const worldKeeper = createWorldKeeper({
    ...records,
    engine,
    config: gameConfig(config),
    clock,
    journal: journalWriter,
    schedule,
    pruneJournal: (keep) => pruneJournal(sql, records.snapshots, { keep }),
    accountTurn,
    createPool: poolOf,
    forgetEvents: () => maneuverKeeping.forget(),
    onReplaced: (kind) => sockets.worldReplaced(kind),
    onError,
  })
  journalWriter.start()
  const commands = reconciliation(engine.world, await accounts.list())
  await Promise.all(commands.map((command) => engine.execute(command)))
  return {
    ...records,
    ...desk,
    ...kept,
    engine,
    journalWriter,
    maneuverKeeping,
    sockets,
    worldKeeper,
    metrics,
    probeDatabase: async () => sql`select 1`,
    controlTurn: createTurns(),
    audit: (actor, action, detail) => auditTrail.record({ actor, action, detail }),
    start: () => {
      engine.start()
      worldKeeper.start()
    },
    stop: async () => {
      try {
        await worldKeeper.stop()
      } finally {
        await maneuverKeeping.stop()
      }
    },
  }
}

/** An engine whose commands are journalled, and who is told what of both. */
function journalledEngine(
  options: GameOptions,
  opened: TickedWorld,
  schedule: SnapshotSchedule,
  readers: () => NewsReaders,
): Pick<NewsReaders, 'engine' | 'journalWriter'> {
  const { records, logger } = options
  const { settings } = records.kept
  const clock = systemClock
  const news = createNews(options, schedule, readers)
  const journalWriter = createJournalWriter({
    append: (batch) => records.journal.append(batch),
    fence: records.fence,
    clock,
    era: () => settings.era,
    moment: () => readers().engine.clock(),
    ...news.ofJournal,
    onError: (error) => logger.error({ err: error }, 'the journal could not be written; trying on'),
  })
  const journal = journalWriter
  const engine = new Engine({ ...opened, ...settings, clock, journal, ...news.ofEngine })
  return { engine, journalWriter }
}

function gameSockets(
  { records, config, metrics }: GameOptions,
  { engine, players, onError }: Pick<SocketsOptions, 'engine' | 'players' | 'onError'>,
): Sockets {
  const { accounts, kept } = records
  return createSockets({
    ...config,
    engine,
    players,
    clock: systemClock,
    accountOf: (playerId) => accounts.byId(playerId),
    era: () => kept.settings.era,
    onFanOut: (ms) => metrics.fanOut(ms),
    onError,
  })
}

/** Who may come in, and how accounts change. */
function accountDesk(
  { records, config }: GameOptions,
  engine: Engine,
  accountTurn: InTurn,
  settled: () => Promise<void>,
): { readonly players: Players; readonly accountChanges: AccountChanges } {
  const { accounts, changeAccounts, passwords, kept } = records
  const tokens = createTokens(Buffer.from(config.tokenKey.reveal()), () => systemClock.utcMs())
  const accountChanges = createAccountChanges({
    accounts,
    change: changeAccounts,
    engine,
    settled,
    passwords,
    accountTurn,
    isOpen: () => kept.settings.registrationOpen,
  })
  return {
    accountChanges,
    players: createPlayers({ accounts, accountChanges, tokens, passwords }),
  }
}
