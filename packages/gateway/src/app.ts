import type { Engine } from '@orrery/engine'
import {
  type ErrorShape,
  type Fault,
  HttpError,
  type KitErrorCode,
  type Logger,
  clientAddress,
  installErrors,
  requestIds,
  requestLog,
  securityHeaders,
} from '@orrery/http'
import { type ErrorCode, errorEnvelope } from '@orrery/protocol'
import type { Accounts, AuditTrail, ManeuverEvents, Settings } from '@orrery/store'
import { type Context, Hono } from 'hono'
import { cors } from 'hono/cors'
import type { AccountChanges } from './accounts/account-changes.ts'
import type { Config } from './config.ts'
import type { JournalWriter } from './journal/journal-writer.ts'
import type { ManeuverKeeping } from './world/maneuver-keeping.ts'
import type { Metrics } from './operations/metrics.ts'
import type { Passwords } from './accounts/passwords.ts'
import type { Players } from './accounts/players.ts'
import { accountRoutes } from './routes/accounts.ts'
import { adminLog } from './routes/admin-log.ts'
import { type AdminEnv, adminOnly } from './routes/admin-only.ts'
import { gameControlRoutes } from './routes/game-control.ts'
import { maneuverRoutes } from './routes/maneuvers.ts'
import { openApiRoutes } from './routes/openapi.ts'
import { operationsRoutes } from './routes/operations.ts'
import { playerRoutes } from './routes/player.ts'
import { publicRoutes } from './routes/public.ts'
import { asRefusal } from './refusal.ts'
import { registrationRoutes } from './routes/registrations.ts'
import { resetRoutes } from './routes/reset.ts'
import { snapshotRoutes } from './routes/snapshots.ts'
import { worldObjectRoutes } from './routes/world-objects.ts'
import type { Sockets } from './sockets/sockets.ts'
import type { InTurn } from './turns.ts'
import type { WorldKeeper } from './world/world-keeper.ts'

/** What the routes stand on. */
export interface AppParts {
  readonly config: Config
  readonly engine: Engine
  readonly players: Players
  readonly accounts: Pick<Accounts, 'list' | 'admins'>
  readonly accountChanges: AccountChanges
  readonly auditTrail: Pick<AuditTrail, 'list'>
  readonly maneuverEvents: Pick<ManeuverEvents, 'list'>
  readonly maneuverKeeping: Pick<ManeuverKeeping, 'waiting' | 'dropped'>
  readonly sockets: Pick<
    Sockets,
    'online' | 'isOnline' | 'broadcast' | 'disconnect' | 'shipChanged' | 'metrics'
  >
  /** as they are now; changed by `changeSettings` only */
  readonly settings: Readonly<Settings>
  readonly changeSettings: (change: Partial<Settings>) => Promise<void>
  readonly journalWriter: Pick<JournalWriter, 'durable' | 'metrics'>
  readonly worldKeeper: Pick<WorldKeeper, 'snapshot' | 'list' | 'restore' | 'reset'>
  /** in which operators' changes of the clock and the world wait for each other */
  readonly controlTurn: InTurn
  readonly audit: (
    actor: string,
    action: string,
    detail: Readonly<Record<string, string | number | boolean>>,
  ) => Promise<void>
  readonly passwords: Pick<Passwords, 'waiting'>
  readonly metrics: Metrics
  /** rejects when the database does not answer */
  readonly probeDatabase: () => Promise<unknown>
  readonly logger: Logger
}

const KIT_CODES: Readonly<Record<KitErrorCode, ErrorCode>> = {
  malformed: 'E001',
  invalid: 'E001',
  body_too_large: 'E001',
  unsupported_media_type: 'E001',
  unknown_route: 'E002',
  wrong_method: 'E002',
  refused: 'E003',
  rate_limited: 'E004',
  server_error: 'E008',
}

/** The game's error envelope, whoever raised the error. */
export const errorShape: ErrorShape = ({ code, message }: Fault) =>
  errorEnvelope(KIT_CODES[code as KitErrorCode] ?? (code as ErrorCode), message)

/** The HTTP side of the game, ready to be served or asked directly in a test. */
export function createApp(parts: AppParts): Hono {
  const { config, metrics, logger } = parts
  const app = new Hono()
  installErrors(app, {
    shape: errorShape,
    logger,
    known: (error) => {
      const refused = asRefusal(error)
      return refused instanceof HttpError ? refused : undefined
    },
  })
  const addressOf = (context: Context): string => clientAddress(context, config.trustProxy)
  app.use(requestIds(), requestLog({ logger, addressOf }), metrics.requests)
  app.use(securityHeaders({ tls: config.keyFile !== undefined }))
  if (config.allowedOrigins.length > 0) {
    app.use('/api/*', cors({ origin: [...config.allowedOrigins], exposeHeaders: ['Retry-After'] }))
  }
  app.route('/', operationsRoutes(parts))
  app.route('/', publicRoutes(parts))
  app.route('/', playerRoutes(parts))
  app.route('/', adminRoutes(parts))
  app.route('/', openApiRoutes(app))
  return app
}

/** What an operator may do; every route but the logins needs an admin's token. */
function adminRoutes(parts: AppParts): Hono<AdminEnv> {
  const routes = new Hono<AdminEnv>()
  routes.use('/api/admin/*', adminOnly(parts.players), adminLog(parts.logger))
  routes.route('/', accountRoutes(parts))
  routes.route('/', gameControlRoutes(parts))
  routes.route('/', registrationRoutes(parts))
  routes.route('/', snapshotRoutes(parts))
  routes.route('/', resetRoutes(parts))
  routes.route('/', maneuverRoutes(parts))
  routes.route('/', worldObjectRoutes(parts))
  return routes
}
