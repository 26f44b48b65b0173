import { type Database, migrate, openDatabase } from '@orrery/database'
import { Engine, type World, createPool, systemClock } from '@orrery/engine'
import type { Logger } from '@orrery/http'
import {
  type Settings,
  type SettingsRows,
  type Snapshots,
  accounts as accountRecords,
  audit as auditTrail,
  migrations,
  settings as settingsRows,
  snapshots as snapshotRecords,
} from '@orrery/store'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { type AppParts, createApp } from './app.ts'
import type { Config } from './config.ts'
import { ensureAdmin } from './environment-admin.ts'
import { eventMessage } from './frames.ts'
import { openFrontDoor } from './front-door.ts'
import { createPasswords } from './passwords.ts'
import { createPlayers } from './players.ts'
import { type Sockets, createSockets } from './sockets.ts'
import { createTokens } from './tokens.ts'
import { newWorld, openWorld, storeWorld } from './world-keeping.ts'

/** Wall time between two automatic snapshots. */
const SNAPSHOT_MS = 60_000

/** What a world without stored settings starts with. */
const DEFAULTS: Omit<Settings, 'worldSeed'> = {
  tickRate: 1,
  timeScale: 1,
  paused: false,
  timeSyncEnabled: false,
  adaptiveTickRate: false,
  registrationOpen: true,
  era: 1,
}

/** A server that listens and ticks. */
export interface GameServer {
  /** where clients find it */
  readonly address: URL
  /** lets requests and the running tick end, stores the world, closes everything */
  stop(): Promise<void>
}

/**
 * Listens, opens the database and the world, and ticks.
 *
 * @throws {FrontDoorError | DatabaseError | StoreError | EnvironmentAdminError | EngineError}
 *   with a reason in one line
 */
export async function startGameServer(config: Config, logger: Logger): Promise<GameServer> {
  const door = await openFrontDoor(config, logger)
  const { database, prepared } = await openRecords(config, logger)
  try {
    const game = await openGame({ database, prepared, config, logger })
    game.sockets.attach(door.server)
    door.open(createApp({ ...game, config, logger }))
    game.engine.start()
    return {
      address: door.address,
      stop: async () => {
        await Promise.all([game.sockets.close(), door.close()])
        await game.stop()
        await database.close()
      },
    }
  } catch (error) {
    await database.close()
    throw error
  }
}

/**
 * Opens the database. A new one takes seconds to make, in a thread of its own; the new world it
 * will need is made on this one meanwhile.
 */
async function openRecords(
  config: Config,
  logger: Logger,
): Promise<{ database: Database; prepared: World | undefined }> {
  const { databaseUrl, dataDirectory, worldSeed, shipsMax } = config
  const directory = join(dataDirectory, 'game')
  const isFirst = databaseUrl === undefined && !existsSync(directory)
  const opening = openDatabase({
    ...(databaseUrl && { url: databaseUrl.reveal() }),
    directory,
    schema: 'game',
    onNotice: (notice) => logger.debug({ notice }, 'database'),
  })
  const preparing = isFirst ? newWorld(systemClock, worldSeed, shipsMax) : undefined
  const [database, prepared] = await Promise.all([opening, preparing])
  return { database, prepared }
}

interface Game extends Omit<AppParts, 'config' | 'logger'> {
  readonly sockets: Sockets
  /** stops ticking and stores the world */
  stop(): Promise<void>
}

/** Puts the game together on an open database; nothing ticks yet. */
async function openGame(options: {
  readonly database: Database
  readonly prepared: World | undefined
  readonly config: Config
  readonly logger: Logger
}): Promise<Game> {
  const { database, prepared, config, logger } = options
  const { sql } = database
  await migrate(database, migrations)
  const accounts = accountRecords(sql)
  const passwords = createPasswords()
  await ensureAdmin(accounts, passwords, config)
  const { settings, changeSettings } = await keptSettings(settingsRows(sql), config.worldSeed)
  const snapshots = snapshotRecords(sql, ({ id, reason }) =>
    logger.error({ snapshot: id, reason }, 'a stored world is unusable; taking an older one'),
  )
  const clock = systemClock
  const { shipsMax } = config
  const everybody = await accounts.list()
  const opened = await openWorld({
    snapshots,
    accounts: everybody,
    settings,
    clock,
    shipsMax,
    prepared,
  })
  const onError = (error: unknown): void => logger.error({ err: error }, 'unexpected')
  const engine = new Engine({
    ...opened,
    ...settings,
    pool: createPool(opened.world, config.workers, onError),
    clock,
    onPublish: () => sockets.broadcastTick(),
    onEvent: (notice) => {
      if (notice.kind === 'frozen') logger.error(notice, 'a ship broke and stands still')
      sockets.tell(notice.shipId, eventMessage(notice))
    },
    onMismatch: (mismatch) => logger.fatal(mismatch, 'two kernels disagree on the same ships'),
    onFault: (error) => logger.fatal({ err: error }, 'a tick broke; the world is paused'),
  })
  const tokens = createTokens(Buffer.from(config.tokenKey.reveal()), () => clock.utcMs())
  const players = createPlayers({ accounts, engine, tokens, passwords })
  const sockets = createSockets({
    engine,
    players,
    clock,
    serverName: config.serverName,
    allowedOrigins: config.allowedOrigins,
    era: settings.era,
    onError,
  })
  const trail = auditTrail(sql)
  const stopKeeping = keepWorld(engine, snapshots, settings.era, onError)
  return {
    engine,
    players,
    sockets,
    settings,
    changeSettings,
    audit: (actor, action, detail) => trail.record({ actor, action, detail }),
    stop: async () => {
      await stopKeeping()
      await engine.stop()
      const image = await engine.image()
      await storeWorld(snapshots, image, { era: settings.era, kind: 'stop' })
    },
  }
}

/** Settings as stored, completed by defaults; the world's seed is stored once and for all. */
async function keptSettings(
  rows: SettingsRows,
  worldSeed: string,
): Promise<{
  settings: Readonly<Settings>
  changeSettings: (change: Partial<Settings>) => Promise<void>
}> {
  const settings: Settings = { ...DEFAULTS, worldSeed, ...(await rows.load()) }
  await rows.save({ worldSeed: settings.worldSeed, era: settings.era })
  return {
    settings,
    changeSettings: async (change) => {
      await rows.save(change)
      Object.assign(settings, change)
    },
  }
}

/** Stores the world now and then; returns how to stop, which waits for a copy being stored. */
function keepWorld(
  engine: Engine,
  snapshots: Snapshots,
  era: number,
  onError: (error: unknown) => void,
): () => Promise<void> {
  let running: Promise<void> = Promise.resolve()
  const keep = async (): Promise<void> => {
    await storeWorld(snapshots, await engine.image(), { era, kind: 'automatic' })
  }
  const timer = setInterval(() => {
    running = running.then(keep).catch(onError)
  }, SNAPSHOT_MS)
  return async () => {
    clearInterval(timer)
    await running
  }
}
