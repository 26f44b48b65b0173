import type { Engine } from '@orrery/engine'
import {
  type ErrorShape,
  type Fault,
  type KitErrorCode,
  type Logger,
  healthRoutes,
  installErrors,
  requestIds,
  requestLog,
  securityHeaders,
} from '@orrery/http'
import { type ErrorCode, errorEnvelope } from '@orrery/protocol'
import type { Settings } from '@orrery/store'
import { Hono } from 'hono'
import { cors } from 'hono/cors'
import type { Config } from './config.ts'
import type { Players } from './players.ts'
import { adminRoutes } from './routes/admin.ts'
import { playerRoutes } from './routes/player.ts'
import { publicRoutes } from './routes/public.ts'
import type { Sockets } from './sockets.ts'

/** What the routes stand on. */
export interface AppParts {
  readonly config: Config
  readonly engine: Engine
  readonly players: Players
  readonly sockets: Pick<Sockets, 'online' | 'broadcast'>
  /** as they are now; changed by `changeSettings` only */
  readonly settings: Readonly<Settings>
  readonly changeSettings: (change: Partial<Settings>) => Promise<void>
  readonly audit: (
    actor: string,
    action: string,
    detail: Readonly<Record<string, string | number | boolean>>,
  ) => Promise<void>
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

/** Ticks and seconds without a tick after which the service counts as stuck. */
const STUCK_PERIODS = 2
const STUCK_SECONDS = 5

/** The HTTP side of the game, ready to be served or asked directly in a test. */
export function createApp(parts: AppParts): Hono {
  const { config, engine, logger } = parts
  const app = new Hono()
  installErrors(app, { shape: errorShape, logger })
  app.use(requestIds(), requestLog({ logger }))
  app.use(...securityHeaders({ tls: config.keyFile !== undefined }))
  if (config.allowedOrigins.length > 0) {
    app.use('/api/*', cors({ origin: [...config.allowedOrigins] }))
  }
  app.route('/health', healthRoutes({ ready: () => isTicking(engine), logger }))
  app.route('/', publicRoutes(parts))
  app.route('/', playerRoutes(parts))
  app.route('/', adminRoutes(parts))
  return app
}

function isTicking(engine: Engine): boolean {
  const { paused, faulted, ticksBehind, tickRate } = engine.status()
  if (faulted) return false
  return paused || ticksBehind / tickRate < Math.max(STUCK_SECONDS, STUCK_PERIODS / tickRate)
}
