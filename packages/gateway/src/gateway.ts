import type { Bus } from '@orrery/bus'
import type { Database } from '@orrery/database'
import {
  type Mirror,
  type Predictor,
  createMirror,
  createPool,
  createPredictor,
  systemClock,
} from '@orrery/engine'
import {
  type GivenShips,
  HOME_ID,
  type MirroredWorld,
  type Players,
  createBearers,
  createMirroredWorld,
  createTokens,
} from '@orrery/game'
import { type Logger, WrongTokens } from '@orrery/http'
import { accounts as accountRecords, accountsByIds, followConsents } from '@orrery/store'
import type { Hono } from 'hono'
import { join } from 'node:path'
import { bareApp } from './app.ts'
import type { Config } from './config.ts'
import { type Forwarding, createForwarding } from './forwarding/forwarding.ts'
import { createOwnerAddresses } from './forwarding/owner-address.ts'
import { createMetrics } from './operations/metrics.ts'
import { builtPage } from './page-files.ts'
import { createAccountWatch } from './remote/account-watch.ts'
import { addGatewayRoutes } from './remote/gateway-app.ts'
import { createGatewayMetrics } from './remote/gateway-metrics.ts'
import { type MirroredClients, createMirroredClients } from './remote/mirrored-clients.ts'
import { createOwnerLink } from './remote/owner-link.ts'
import { ownersIn } from './remote/owners.ts'
import { othersOn } from './others.ts'
import { type SettingsWatch, watchSettings } from './remote/settings-watch.ts'
import { gatewayToken } from './remote/owner-commands.ts'
import { type Sockets, createSockets } from './sockets/sockets.ts'
import type { SocketsOptions } from './sockets/upgrade.ts'

/** An owner that writes nothing for so long counts as gone [s]. */
const SILENT_SECONDS = 5

export interface GatewayOptions {
  readonly database: Pick<Database, 'sql'>
  /** between servers: what became durable, who is connected, and commands to the owner */
  readonly bus: Bus | undefined
  readonly config: Config
  readonly ships: GivenShips
  readonly logger: Logger
  /** the world is there: its clients can be served */
  readonly onShown: (app: Hono, sockets: Sockets) => void
}

/** Clients of a mirror of a world that another server owns. */
export interface Gateway {
  /** undefined until the world is shown */
  sockets(): Sockets | undefined
  /** why the world is not followed now */
  failure(): string | undefined
  stop(): Promise<void>
}

export function openGateway(options: GatewayOptions): Gateway {
  const { bus, config, database, logger, onShown } = options
  const onError = (error: unknown): void => logger.error({ err: error }, 'unexpected')
  const ending = new AbortController()
  const kept = watchSettings(database.sql, onError)
  let served: ServedClients | undefined
  // Clients find a gateway of the release that shows the world from now on.
  const onOtherPhysics = (): void => void served?.sockets.close()
  const remote = remoteWorld(options, kept, { onError, onOtherPhysics })
  const { clients, mirror, world } = remote
  const serve = async (): Promise<void> => {
    await clients.shown
    // It is read again each second.
    await kept.read().catch(onError)
    if (ending.signal.aborted) return
    const gatewayMetrics = createGatewayMetrics({ ...remote, bus, sockets: () => served?.sockets })
    const { settings } = kept
    served = serveClients(options, { mirror, settings, onError, onFanOut: gatewayMetrics.fanOut })
    const { sockets } = served
    clients.connect(sockets)
    const app = bareApp({ config, logger, metrics: createMetrics() })
    addGatewayRoutes(app, {
      ...served,
      config,
      engine: mirror,
      followConsents: followConsents(database.sql),
      ships: options.ships,
      settings: kept.settings,
      wrongTokens: new WrongTokens(),
      page: builtPage(join(config.dataDirectory, 'page')),
      gatewayMetrics,
      ready: () => whyUnready(world),
      proxy: remote.forwarding.toOwner,
      logger,
    })
    kept.start()
    onShown(app, sockets)
  }
  const following = world.follow(ending.signal)
  serve().catch(onError)
  return {
    sockets: () => served?.sockets,
    failure: () => world.failure(),
    stop: async () => {
      ending.abort()
      kept.stop()
      await following
      mirror.stop()
      await served?.stop()
      remote.forwarding.close()
    },
  }
}

/** A mirror of the world, and ways to its owner. */
function remoteWorld(
  { database: { sql }, bus, config, logger, ships }: GatewayOptions,
  kept: SettingsWatch,
  {
    onError,
    onOtherPhysics,
  }: { readonly onError: (error: unknown) => void; readonly onOtherPhysics: () => void },
): {
  readonly mirror: Mirror
  readonly world: MirroredWorld
  readonly clients: MirroredClients
  readonly forwarding: Forwarding
  readonly commands: () => number
} {
  const clock = systemClock
  const { fences, readOwner } = ownersIn(sql)
  let commands = 0
  const clients = createMirroredClients(() => mirror)
  const mirror: Mirror = createMirror({
    clock,
    shipsMax: config.shipsMax,
    settings: () => kept.mirrored(mirror.moment?.era),
    commands: createOwnerLink({
      bus,
      fences,
      ownerAddress: createOwnerAddresses(readOwner, () => clock.monotonicMs()),
      token: gatewayToken(config.tokenKey),
      clock,
      mirror: () => mirror,
      onCommand: () => commands++,
    }),
    ...clients.handlers,
  })
  const world = createMirroredWorld({
    sql,
    bus,
    shipsMax: config.shipsMax,
    modules: ships.modules,
    mirror,
    clock,
    logger,
    createPool: (universe) => createPool(universe, config.workers, onError),
    onOpened: (place) => clients.opened(place),
    onOtherPhysics,
    onAway: (reason) => logger.error({ reason }, 'the database is away'),
    onBack: () => logger.warn('the database is back'),
  })
  const forwarding = createForwarding({ config, readOwner: () => readOwner(HOME_ID), clock })
  return { mirror, world, clients, forwarding, commands: () => commands }
}

function whyUnready(world: Pick<MirroredWorld, 'failure' | 'position'>): string | undefined {
  const failure = world.failure()
  if (failure !== undefined) return failure
  const seconds = world.position()?.silentSeconds ?? 0
  return seconds < SILENT_SECONDS
    ? undefined
    : `the owner of the world has written nothing for ${Math.floor(seconds)} s`
}

/** Sockets, and what they need. */
interface ServedClients {
  readonly sockets: Sockets
  readonly players: Pick<Players, 'bearer'>
  readonly predictor: Pick<Predictor, 'predict'>
  stop(): Promise<void>
}

interface ServingParts extends Pick<SocketsOptions, 'onFanOut' | 'onError'> {
  readonly mirror: Mirror
  readonly settings: SettingsWatch['settings']
}

function serveClients(
  { database: { sql }, bus, config }: GatewayOptions,
  { mirror, settings, onError, onFanOut }: ServingParts,
): ServedClients {
  const accounts = accountRecords(sql)
  const clock = systemClock
  const tokens = createTokens(Buffer.from(config.tokenKey.reveal()), () => clock.utcMs())
  const players = createBearers({ accounts, tokens, onError, clock })
  const predictor = createPredictor(mirror, onError)
  const sockets = createSockets({
    ...config,
    engine: mirror,
    predictor,
    players: {
      bearer: async (token, type) => {
        const bearer = await players.bearer(token, type)
        if (typeof bearer !== 'string') watch.admitted(bearer.account)
        return bearer
      },
    },
    clock,
    accountOf: (playerId) => accounts.byId(playerId),
    era: () => mirror.moment?.era ?? 0,
    joinOthers: othersOn(bus),
    bus,
    isTalkEnabled: async () => settings.talkEnabled,
    paceBounds: () => settings.paceVote,
    onFanOut,
    onError,
  })
  const watch = createAccountWatch({
    sockets,
    accounts: (ids) => accountsByIds(sql, ids),
    clock,
    onError,
  })
  watch.start()
  return {
    sockets,
    players,
    predictor,
    stop: async () => {
      watch.stop()
      await predictor.close()
    },
  }
}
