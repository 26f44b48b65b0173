import { type Players, refusal } from '@orrery/game'
import { HttpError, SlidingWindow, clientAddress, jsonBody, rateLimited } from '@orrery/http'
import {
  type AdminLoginResponse,
  type LoginRequest,
  type LoginResponse,
  type RegisterResponse,
  type StatusResponse,
  adminLoginResponse,
  loginRequest,
  loginResponse,
  registerRequest,
  registerResponse,
  statusResponse,
} from '@orrery/protocol'
import { type Context, Hono, type MiddlewareHandler } from 'hono'
import type { AppParts } from '../app-parts.ts'
import { operation } from '../openapi.ts'
import { bodyValues } from './input.ts'

const MINUTE_MS = 60_000
const HOUR_MS = 3_600_000

const registering = operation('register', {
  summary: 'Register a player',
  description: 'Makes an account and its ship. The token is valid for 24 hours.',
  tag: 'public',
  access: 'anybody',
  body: registerRequest,
  success: { status: 201, schema: registerResponse },
  errors: [
    [400, 'E011'],
    [400, 'E012'],
    [403, 'E020'],
    [409, 'E010'],
    [429, 'E004'],
  ],
})

const askingStatus = operation('readStatus', {
  summary: 'Status of the server',
  description: 'Name, tick, game time and players online, for everybody.',
  tag: 'public',
  access: 'anybody',
  success: { status: 200, schema: statusResponse },
})

const playersLogin = operation('login', {
  summary: 'Log in',
  description:
    'Logs in a player or an admin. An admin gets a second token, `admin_token`, for the routes ' +
    'of admins. An address has 5 attempts a minute.',
  tag: 'public',
  access: 'anybody',
  body: loginRequest,
  success: { status: 200, schema: loginResponse },
  errors: [
    [401, 'E005'],
    [403, 'E003'],
    [429, 'E004'],
  ],
})

const admitting = {
  tag: 'accounts',
  access: 'anybody',
  body: loginRequest,
  success: { status: 200, schema: adminLoginResponse },
  errors: [
    [401, 'E005'],
    [429, 'E004'],
  ],
} as const

const adminsLogin = operation('loginAdmin', {
  summary: 'Log in as an admin',
  description: 'Logs in an admin and refuses players. `POST /api/auth/login` serves both.',
  ...admitting,
})

const adminsOlderLogin = operation('loginAdminLegacy', {
  summary: 'Log in as an admin, by the older path',
  description: 'The same as `POST /api/admin/auth/login`, kept for older clients.',
  ...admitting,
})

/** Routes without a token: registration, logins, the server's status. */
export function publicRoutes(parts: AppParts): Hono {
  const { config, players, settings, engine, sockets, logger } = parts
  const routes = new Hono()
  const addressOf = (context: Context): string => clientAddress(context, config.trustProxy)
  const attempts = new SlidingWindow({ limit: config.loginAttemptsPerMinute, windowMs: MINUTE_MS })
  const logins: MiddlewareHandler = async (context, next) => {
    const attempt = attempts.attempt(addressOf(context))
    if (!attempt.allowed) {
      players.loginRefused()
      throw rateLimited(attempt.retryAfterSeconds)
    }
    await next()
  }
  const { registrationsPerHour: limit } = config
  const made = limit === 0 ? undefined : new SlidingWindow({ limit, windowMs: HOUR_MS })

  routes.post('/api/auth/register', registering, async (context) => {
    if (!settings.registrationOpen) throw refusal('E020')
    const body = await bodyValues(context, registerRequest)
    const address = addressOf(context)
    const attempt = made?.attempt(address) ?? { allowed: true }
    if (!attempt.allowed) throw rateLimited(attempt.retryAfterSeconds)
    const { account, token } = await players
      .register(body.username, body.password, address)
      .catch((error: unknown) => {
        // Only accounts count, not names that were taken.
        made?.takeBack(address)
        throw error
      })
    const { playerId, username, shipId } = account
    const answer: RegisterResponse = {
      player_id: playerId,
      username,
      ship_id: shipId ?? '',
      token,
    }
    return context.json(answer, 201)
  })

  addLogins(routes, { players, addressOf, logger }, logins)

  routes.get('/api/status', askingStatus, (context) => {
    const status = engine.status()
    const answer: StatusResponse = {
      status: 'online',
      server_name: config.serverName,
      tick: status.tick,
      game_time: new Date(status.gameTimeMs).toISOString(),
      players_online: sockets.online(),
      paused: status.paused,
      time_sync_enabled: settings.timeSyncEnabled,
      time_drift_seconds: status.timeDriftSeconds,
      effective_time_scale: status.effectiveTimeScale,
      registration_open: settings.registrationOpen,
    }
    return context.json(answer)
  })
  return routes
}

function addLogins(
  routes: Hono,
  {
    players,
    addressOf,
    logger,
  }: Pick<AppParts, 'players' | 'logger'> & { readonly addressOf: (context: Context) => string },
  limit: MiddlewareHandler,
): void {
  const login = async (
    context: Context,
    type: 'player' | 'admin',
  ): ReturnType<Players['login']> => {
    const { username, password } = await loginBody(context)
    const address = addressOf(context)
    const entered = await players.login({ address, username }, password, type)
    const { playerId: admin, isAdmin, username: name } = entered.account
    if (isAdmin) {
      logger.info({ id: context.get('requestId'), admin, username: name, address }, 'admin login')
    }
    return entered
  }
  routes.post('/api/auth/login', playersLogin, limit, async (context) => {
    const { account, token, adminToken } = await login(context, 'player')
    const answer: LoginResponse = {
      player_id: account.playerId,
      username: account.username,
      ship_id: account.shipId ?? '',
      token,
      is_admin: account.isAdmin,
      ...(adminToken !== undefined && { admin_token: adminToken }),
    }
    return context.json(answer)
  })

  const adminLogin = async (context: Context): Promise<Response> => {
    const { account, adminToken } = await login(context, 'admin')
    if (adminToken === undefined) throw refusal('E005', 'Invalid username or password')
    const answer: AdminLoginResponse = {
      success: true,
      admin_id: account.playerId,
      token: adminToken,
      role: 'admin',
      is_admin: true,
    }
    return context.json(answer)
  }
  routes.post('/api/admin/auth/login', adminsLogin, limit, adminLogin)
  routes.post('/api/admin/login', adminsOlderLogin, limit, adminLogin)
}

/** A login that no account can have is answered like a wrong password, at no cost. */
function loginBody(context: Context): Promise<LoginRequest> {
  return jsonBody(context, loginRequest, {
    refusal: () => new HttpError(401, 'E005', 'Invalid username or password'),
  })
}
