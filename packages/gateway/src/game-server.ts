import { type Database, migrate, openDatabase } from '@orrery/database'
import { Engine, type World, createPool, systemClock } from '@orrery/engine'
import { type Logger, closeServer, createServer, listen } from '@orrery/http'
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
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { createApp, errorShape } from './app.ts'
import type { Config } from './config.ts'
import { ensureAdmin } from './environment-admin.ts'
import { createPasswords } from './passwords.ts'
import { createPlayers } from './players.ts'
import { createSockets } from './sockets.ts'
import { createTokens } from './tokens.ts'
import { newWorld, openWorld, storeWorld } from './world-keeping.ts'

/** Wall time between two automatic snapshots. */
const SNAPSHOT_MS = 60_000

/** Requests that still run at a stop are cut after this time. */
const GRACE_MS = 2000

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
 * Opens the database and the world, listens and ticks.
 *
 * @throws {DatabaseError | EnvironmentAdminError | EngineError | Error} with a reason in one line
 */
export async function startGameServer(config: Config, logger: Logger): Promise<GameServer> {
  const tls = await tlsFiles(config)
  const directory = join(config.dataDirectory, 'game')
  const isFirst = config.databaseUrl === undefined && !existsSync(directory)
  const opening = openDatabase({
    ...(config.databaseUrl && { url: config.databaseUrl.reveal() }),
    directory,
    schema: 'game',
    onNotice: (notice) => logger.debug({ notice }, 'database'),
  })
  // The database is made in a thread of its own; the world meanwhile on this one.
  const preparing = isFirst
    ? newWorld(systemClock, config.worldSeed, config.shipsMax)
    : Promise.resolve(undefined)
  const [database, prepared] = await Promise.all([opening, preparing])
  try {
    return await startOn({ database, config, logger, tls, prepared })
  } catch (error) {
    await database.close()
    throw error
  }
}

async function startOn({
  database,
  config,
  logger,
  tls,
  prepared,
}: {
  readonly database: Database
  readonly config: Config
  readonly logger: Logger
  readonly tls: { key: string; cert: string } | undefined
  readonly prepared: World | undefined
}): Promise<GameServer> {
  const { sql } = database
  await migrate(database, migrations)
  const accounts = accountRecords(sql)
  const passwords = createPasswords()
  await ensureAdmin(accounts, passwords, {
    username: config.adminUsername,
    password: config.adminPassword,
  })
  const { settings, changeSettings } = await keptSettings(settingsRows(sql), config.worldSeed)
  const snapshots = snapshotRecords(sql, ({ id, reason }) =>
    logger.error({ snapshot: id, reason }, 'a stored world is unusable; taking an older one'),
  )
  const clock = systemClock
  const { shipsMax, serverName, allowedOrigins } = config
  const opened = await openWorld({
    snapshots,
    accounts: await accounts.list(),
    settings,
    clock,
    shipsMax,
    prepared,
  })
  const onError = (error: unknown): void => logger.error({ err: error }, 'unexpected')
  const { era, tickRate, timeScale, paused } = settings
  const engine = new Engine({
    ...opened,
    pool: createPool(opened.world, config.workers, onError),
    clock,
    tickRate,
    timeScale,
    paused,
    onPublish: () => sockets.broadcastTick(),
    onFault: (error) => logger.fatal({ err: error }, 'a tick broke; the world is paused'),
  })
  const tokens = createTokens(Buffer.from(config.tokenKey.reveal()), () => clock.utcMs())
  const players = createPlayers({ accounts, engine, tokens, passwords })
  const sockets = createSockets({
    engine,
    players,
    clock,
    serverName,
    era,
    allowedOrigins,
    onError,
  })
  const trail = auditTrail(sql)
  const app = createApp({
    config,
    engine,
    players,
    sockets,
    settings,
    changeSettings,
    audit: (actor, action, detail) => trail.record({ actor, action, detail }),
    logger,
  })
  const server = createServer({ fetch: app.fetch, shape: errorShape, logger, ...(tls && { tls }) })
  sockets.attach(server)
  const port = await listen(server, config)
  engine.start()
  const stopKeeping = keepWorld(engine, snapshots, era, onError)
  return {
    address: new URL(`${tls ? 'https' : 'http'}://${hostInUrl(config.host)}:${port}`),
    stop: async () => {
      await Promise.all([sockets.close(), closeServer(server, GRACE_MS)])
      await stopKeeping()
      await engine.stop()
      await storeWorld(snapshots, await engine.image(), { era, kind: 'stop' })
      await database.close()
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

async function tlsFiles({
  keyFile,
  certificateFile,
}: Config): Promise<{ key: string; cert: string } | undefined> {
  if (keyFile === undefined || certificateFile === undefined) return undefined
  const [key, cert] = await Promise.all([
    readFile(keyFile, 'utf8'),
    readFile(certificateFile, 'utf8'),
  ])
  return { key, cert }
}

function hostInUrl(host: string): string {
  return host.includes(':') ? `[${host}]` : host
}
