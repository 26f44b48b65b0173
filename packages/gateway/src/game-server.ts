import { type Database, openDatabase } from '@orrery/database'
import { type Engine, type Universe, systemClock } from '@orrery/engine'
import { type GivenShips, type TakenOver, hostOf, newUniverse, openRecords } from '@orrery/game'
import { type Logger, type Service, VERSION, serve } from '@orrery/http'
import type { Snapshots } from '@orrery/store'
import type { Hono } from 'hono'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { AppParts } from './app-parts.ts'
import { createApp } from './app.ts'
import { type Config, gameConfig } from './config.ts'
import { carriedCore } from './carried/carried-core.ts'
import { requireLimits } from './limits.ts'
import { openGameBus } from './game-bus.ts'
import { type Game, type GameOptions, openGame } from './game.ts'
import { type HostLife, type StandingBy, hostAddress, hostLife, standBy } from './hosting/host.ts'
import { openGameListener } from './listener.ts'
import { type Metrics, createMetrics } from './operations/metrics.ts'
import { builtPage } from './page-files.ts'
import { given } from './given.ts'
import { type PastFlights, createPastFlights } from './past/past-flights.ts'
import { namingFile } from './ship-classes-file.ts'

/** A server that listens and ticks. */
export interface GameServer extends Service {
  readonly ownershipLost: Promise<string>
}

/**
 * Listens, opens the database and the world, and ticks. One that stands by listens and follows, and
 * ticks once the owner of the world is dead.
 *
 * @throws {StartError | DatabaseError | BusError | StoreError | EnvironmentAdminError |
 *   EngineError} with a reason in one line
 */
export async function startGameServer(config: Config, logger: Logger): Promise<GameServer> {
  requireLimits()
  const ships = await given(config)
  const carried = await carriedCore(config, ships)
  const listener = await openGameListener(config, logger)
  const ownershipLost = Promise.withResolvers<string>()
  const service = await serve(listener, async (opened) => {
    const onLost = ownershipLost.resolve
    const { database, prepared } = await openGameDatabase(config, { ships, logger, onLost })
    opened.defer(() => database.close())
    const bus = await openGameBus(config, logger)
    opened.defer(() => bus?.close())
    const host = hostOf(hostAddress(config, listener.address), VERSION)
    const life = hostLife({ database, host, logger, onLost })
    opened.defer(() => life.stop())
    let game: Game | undefined
    opened.defer(() => game?.stop())
    // What is taken as the server ends can be deferred no more.
    let pastFlights: PastFlights | undefined
    opened.defer(() => pastFlights?.stop())
    const parts = { config, ships, carried, database, prepared, bus, life, logger, onLost }
    const openTaken = async (taken?: TakenOver): Promise<Game> =>
      (game = await openOwned(parts, taken))
    const play = async (taken?: TakenOver): Promise<Hono> => {
      const taking = await openTaken(taken)
      life.owns(taking)
      taking.sockets.attach(listener.server)
      taking.metrics.certificate(() => listener.certificateEndMs())
      pastFlights = createPastFlights({ sql: database.sql, config, clock: systemClock })
      const app = await appOf({ ...taking, pastFlights }, config, logger)
      taking.start()
      return app
    }
    const closeUpgraded = async (): Promise<void> => {
      game?.eventStreams.end()
      await game?.sockets.close()
    }
    if (!config.standby) return { app: await play(), closeUpgraded }
    const shared = { config, database, bus, logger }
    const waiting: StandingBy = await standBy({
      ...shared,
      ships,
      carried,
      life,
      play: async (taken) => listener.open(await play(taken)),
      fly: async (taken, signal) => {
        const { flySystems } = await import('./hosting/flying-host.ts')
        const onFlying = (app: Hono, engine: Engine): void => {
          life.flies(engine)
          listener.open(app.route('/', waiting.app))
        }
        const { host, hostClock, isUnfit } = life
        const flying = { ...shared, host, hostClock, isUnfit, onFlying, ...taken }
        const led = await flySystems(flying, signal)
        listener.open(waiting.app)
        return led
      },
      // Its stop stores it.
      keep: openTaken,
      onFailed: onLost,
    })
    opened.defer(() => waiting.end())
    return { app: waiting.app, closeUpgraded }
  })
  return { ...service, ownershipLost: ownershipLost.promise }
}

/** Opens the world as this process owns it; nothing ticks yet. */
async function openOwned(
  {
    life,
    onLost,
    ...parts
  }: Omit<GameOptions, 'records' | 'metrics' | 'onFenced' | 'life' | 'promoted'> & {
    readonly database: Database
    readonly life: HostLife
    readonly onLost: (reason: string) => void
  },
  taken: TakenOver | undefined,
): Promise<Game> {
  const { config, database, logger, ships } = parts
  const metrics = createMetrics()
  const records = await openRecords({
    database,
    config: gameConfig(config, ships),
    logger,
    clock: systemClock,
    watched: (snapshots) => measuredSnapshots(snapshots, { metrics, logger }),
    host: life.host,
    ...taken,
  })
  const onFenced = (): void => onLost('another server has taken the world')
  const placed = config.databaseUrl && { life }
  placed?.life.start()
  const opening = openGame({ ...parts, records, metrics, onFenced, ...placed, ...taken })
  return opening.catch((error: unknown) => {
    throw namingFile(config.shipClassesFile, error)
  })
}

async function appOf(
  game: Omit<AppParts, 'config' | 'logger' | 'page'>,
  config: Config,
  logger: Logger,
): Promise<Hono> {
  const page = builtPage(join(config.dataDirectory, 'page'))
  if (!(await page())) logger.info('the page is not built yet')
  return createApp({ ...game, page, config, logger })
}

/** A server that was stopped in a transaction keeps others from its star systems so long. */
const TRANSACTION_IDLE_MS = 1000

/** Opens the database; at a first start the new universe is made meanwhile. */
async function openGameDatabase(
  config: Config,
  {
    ships,
    logger,
    onLost,
  }: {
    readonly ships: GivenShips
    readonly logger: Logger
    readonly onLost: (reason: string) => void
  },
): Promise<{ database: Database; prepared: Universe | undefined }> {
  const { databaseUrl, dataDirectory, standby, worldSeed, shipsMax } = config
  const directory = join(dataDirectory, 'game')
  const isFirst = databaseUrl === undefined && !existsSync(directory)
  const opening = openDatabase({
    ...(databaseUrl && { url: databaseUrl.reveal() }),
    directory,
    schema: 'game',
    exclusive: standby ? 'later' : true,
    transactionIdleMs: TRANSACTION_IDLE_MS,
    onLost: (error) => onLost(error.message),
    onNotice: (notice, level) => logger[level]({ notice }, 'database'),
  })
  const preparing = isFirst
    ? newUniverse(systemClock, { ...ships, seed: worldSeed, shipsMax })
    : undefined
  const [database, prepared] = await Promise.all([opening, preparing])
  return { database, prepared }
}

/** The same snapshots; each store is measured and logged. */
function measuredSnapshots(
  snapshots: Snapshots,
  { metrics, logger }: { readonly metrics: Metrics; readonly logger: Logger },
): Snapshots {
  return {
    ...snapshots,
    store: async (snapshot) => {
      const startMs = performance.now()
      const id = await snapshots.store(snapshot)
      const ms = performance.now() - startMs
      const { kind, tick, bytes } = snapshot
      metrics.snapshot({ ms, bytes: bytes.length })
      const fields = { snapshot: id, kind, tick, bytes: bytes.length, duration_ms: Math.round(ms) }
      logger.info(fields, 'world stored')
      return id
    },
  }
}
