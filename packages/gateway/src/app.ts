import { systemClock } from '@orrery/engine'
import {
  HttpError,
  clientAddress,
  installErrors,
  isHostAllowed,
  requestIds,
  requestLog,
  securityHeaders,
} from '@orrery/http'
import { type Context, Hono, type MiddlewareHandler } from 'hono'
import { cors } from 'hono/cors'
import type { AppParts } from './app-parts.ts'
import { createClientHeader, forwardedClients } from './forwarding/client-header.ts'
import { asyncApiRoutes } from './documents/asyncapi.ts'
import { errorCode, errorShape, knownError } from './documents/error-shape.ts'
import { openApiRoutes } from './documents/openapi.ts'
import { accountRoutes } from './routes/accounts.ts'
import { type AdminEnv, adminLog, adminOnly } from './routes/admin.ts'
import { backupRoutes } from './routes/backups.ts'
import { eventStreamRoutes } from './routes/services/event-stream.ts'
import { gameControlRoutes, registrationRoutes } from './routes/game-control.ts'
import { loadRoutes } from './routes/load.ts'
import { loginRoutes } from './routes/logins.ts'
import { maneuverRoutes } from './routes/maneuvers.ts'
import { moduleAdminRoutes, moduleRoutes } from './routes/modules.ts'
import type { Metrics } from './operations/metrics.ts'
import { operationsRoutes } from './routes/operations.ts'
import { createRegistrations } from './requests/registrations.ts'
import { ownerCommandRoutes } from './remote/owner-commands.ts'
import { ownPastRoutes, pastRoutes } from './past/past-routes.ts'
import { pageRoutes } from './routes/page.ts'
import { pilotRoutes } from './routes/pilots.ts'
import { playerRoutes } from './routes/player.ts'
import { publicRoutes } from './routes/public.ts'
import { signInRoutes } from './routes/sign-in.ts'
import { resetRoutes, snapshotRoutes } from './routes/snapshots.ts'
import { ruleRoutes } from './routes/rules.ts'
import { serviceCommandRoutes } from './routes/services/service-commands.ts'
import { serviceRoutes, serviceTokenRoutes } from './routes/services/services.ts'
import { starSystemRoutes } from './routes/star-systems.ts'
import { visitRoutes } from './routes/visits.ts'
import { worldObjectRoutes } from './routes/world-objects.ts'

/** What needs no token may be read by the pages of any origin. */
const OPEN_PATHS = [
  '/api/status',
  '/api/systems',
  '/api/systems/*',
  '/api/ship-classes',
  '/api/modules',
  '/api/openapi.json',
  '/api/asyncapi.json',
]

/** The HTTP API of the game. */
export function createApp(parts: AppParts): Hono {
  const app = bareApp(parts)
  app.route('/', ownerCommandRoutes(parts))
  app.route('/', pageRoutes(parts.page))
  app.route('/', operationsRoutes(parts))
  const registrations = createRegistrations(parts)
  app.route('/', publicRoutes(parts, registrations))
  app.route('/', signInRoutes(parts, registrations))
  app.route('/', loginRoutes(parts))
  app.route('/', starSystemRoutes(parts))
  app.route('/', pilotRoutes(parts))
  app.route('/', playerRoutes(parts))
  app.route('/', visitRoutes(parts))
  app.route('/', ruleRoutes(parts))
  app.route('/', ownPastRoutes(parts))
  app.route('/', moduleRoutes(parts))
  app.route('/', serviceRoutes(parts))
  app.route('/', eventStreamRoutes(parts))
  app.route('/', serviceCommandRoutes(parts))
  app.route('/', adminRoutes(parts))
  app.route('/', openApiRoutes(app, parts.engine))
  app.route('/', asyncApiRoutes(parts.engine))
  return app
}

/** What comes before all routes. */
export function bareApp({
  config,
  metrics,
  logger,
}: Pick<AppParts, 'config' | 'logger'> & { readonly metrics: Pick<Metrics, 'requests'> }): Hono {
  const app = new Hono()
  installErrors(app, {
    shape: errorShape,
    logger,
    known: knownError,
    codeOf: errorCode,
  })
  const addressOf = (context: Context): string => clientAddress(context, config.trustProxy)
  app.use(forwardedClients(createClientHeader(config.tokenKey, () => systemClock.utcMs())))
  app.use(requestIds(), requestLog({ logger, addressOf }), metrics.requests)
  app.use(securityHeaders({ tls: config.keyFile !== undefined }))
  if (config.allowedHosts) app.use(refuseForeignHosts(config.allowedHosts))
  if (config.allowedOrigins.length > 0) {
    app.use('/api/*', cors({ origin: [...config.allowedOrigins], exposeHeaders: ['Retry-After'] }))
  }
  const open = cors({ origin: '*' })
  for (const path of OPEN_PATHS) {
    app.use(path, (context, next) => (context.req.method === 'GET' ? open(context, next) : next()))
  }
  return app
}

/** @throws {HttpError} 403 E003 for a name that the DNS of a foreign page may point here */
function refuseForeignHosts(allowed: readonly string[]): MiddlewareHandler {
  return (context, next) => {
    if (isHostAllowed(context.req.header('host'), allowed)) return next()
    throw new HttpError(403, 'E003', 'The header Host is not allowed')
  }
}

/** Routes of operators; every one but the logins needs an admin's token. */
function adminRoutes(parts: AppParts): Hono<AdminEnv> {
  const routes = new Hono<AdminEnv>()
  routes.use('/api/admin/*', adminOnly(parts), adminLog(parts.logger))
  routes.route('/', accountRoutes(parts))
  routes.route('/', serviceTokenRoutes(parts))
  routes.route('/', gameControlRoutes(parts))
  routes.route('/', registrationRoutes(parts))
  routes.route('/', snapshotRoutes(parts))
  routes.route('/', backupRoutes(parts))
  routes.route('/', resetRoutes(parts))
  routes.route('/', loadRoutes(parts))
  routes.route('/', moduleAdminRoutes(parts))
  routes.route('/', pastRoutes(parts))
  routes.route('/', maneuverRoutes(parts))
  routes.route('/', worldObjectRoutes(parts))
  return routes
}
