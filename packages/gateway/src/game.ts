import {
  Engine,
  type EngineOptions,
  type Pool,
  type World,
  createPool,
  systemClock,
} from '@orrery/engine'
import type { Logger } from '@orrery/http'
import { type AccountChanges, createAccountChanges } from './accounts/account-changes.ts'
import type { AppParts } from './app.ts'
import type { Config } from './config.ts'
import type { GameRecords } from './game-records.ts'
import { type ManeuverKeeping, createManeuverKeeping } from './world/maneuver-keeping.ts'
import type { Metrics } from './operations/metrics.ts'
import { type Players, createPlayers } from './accounts/players.ts'
import { createSlowTickLog } from './operations/slow-ticks.ts'
import { type Sockets, type SocketsOptions, createSockets } from './sockets/sockets.ts'
import { createTokens } from './accounts/tokens.ts'
import { eventMessage } from './wire-views.ts'
import { type InTurn, createTurns } from './turns.ts'
import { createWorldKeeper } from './world/world-keeper.ts'
import { type OpenedWorld, begun, newWorld, openStored, reconcile } from './world/world-keeping.ts'

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
}

export async function openGame(options: GameOptions): Promise<Game> {
  const { records, config, logger, metrics } = options
  const { sql, auditTrail, maneuverEvents, kept } = records
  const { settings } = kept
  const clock = systemClock
  const onError = (error: unknown): void => logger.error({ err: error }, 'unexpected')
  const poolOf = (world: World): Pool => createPool(world, config.workers, onError)
  const opened = await openWorld(options)
  const engine = new Engine({
    ...opened,
    ...settings,
    pool: poolOf(opened.world),
    clock,
    ...engineLog(logger, metrics),
    onPublish: () => sockets.broadcastTick(),
    onEvent: (notice) => {
      if (notice.kind === 'frozen') logger.error(notice, 'a ship broke and stands still')
      sockets.tell(notice.shipId, eventMessage(notice))
    },
    onManeuver: (event) => maneuverKeeping.add(event),
    onFault: (error) => {
      logger.fatal({ err: error }, 'a tick broke; the world is paused')
      const { tick, gameTimeMs } = engine.status()
      sockets.broadcast({ type: 'paused', tick, game_time: new Date(gameTimeMs).toISOString() })
    },
  })
  const era = (): number => settings.era
  const accountTurn = createTurns()
  const desk = accountDesk(options, engine, accountTurn)
  const sockets = gameSockets(options, { engine, players: desk.players, onError })
  const maneuverKeeping: ManeuverKeeping = createManeuverKeeping({
    records: maneuverEvents,
    era,
    clock,
    onError,
  })
  const worldKeeper = createWorldKeeper({
    ...records,
    engine,
    config,
    clock,
    accountTurn,
    createPool: poolOf,
    forgetEvents: () => maneuverKeeping.forget(),
    onReplaced: (kind) => sockets.worldReplaced(kind),
    onError,
  })
  return {
    ...records,
    ...desk,
    ...kept,
    engine,
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
      await worldKeeper.stop()
      await maneuverKeeping.stop()
    },
  }
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

/** What operators hear of the engine. */
function engineLog(
  logger: Logger,
  metrics: Metrics,
): Required<Pick<EngineOptions, 'onTick' | 'onDigest' | 'onMismatch'>> {
  const slowTicks = createSlowTickLog(logger)
  return {
    onTick: (timing) => {
      metrics.tick(timing)
      slowTicks(timing)
    },
    onDigest: (digest) => logger.debug(digest, 'digest'),
    onMismatch: (mismatch) => logger.fatal(mismatch, 'two kernels disagree on the same ships'),
  }
}

/** Who may come in, and how accounts change. */
function accountDesk(
  { records, config }: GameOptions,
  engine: Engine,
  accountTurn: InTurn,
): { readonly players: Players; readonly accountChanges: AccountChanges } {
  const { accounts, changeAccounts, passwords, kept } = records
  const tokens = createTokens(Buffer.from(config.tokenKey.reveal()), () => systemClock.utcMs())
  const accountChanges = createAccountChanges({
    accounts,
    change: changeAccounts,
    engine,
    passwords,
    accountTurn,
    isOpen: () => kept.settings.registrationOpen,
  })
  return {
    accountChanges,
    players: createPlayers({ accounts, accountChanges, tokens, passwords }),
  }
}

/** The newest stored world, or a new one; then accounts and ships belong together. */
async function openWorld({ records, config, prepared }: GameOptions): Promise<OpenedWorld> {
  const { snapshots, accounts, kept } = records
  const { era, worldSeed: seed } = kept.settings
  const { shipsMax } = config
  const stored = await snapshots.newest(era)
  const opened = stored
    ? await openStored(stored, config)
    : begun(prepared ?? (await newWorld(systemClock, { seed, shipsMax })), systemClock)
  reconcile(opened.world, await accounts.list())
  return opened
}
