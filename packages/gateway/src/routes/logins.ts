import type { Players } from '@orrery/game'
import { HttpError, SlidingWindow, clientAddress, jsonBody, rateLimited } from '@orrery/http'
import { type AdminLoginResponse, type LoginResponse, loginRequest } from '@orrery/protocol'
import { type Context, Hono, type MiddlewareHandler } from 'hono'
import * as v from 'valibot'
import type { AppParts } from '../app-parts.ts'
import { serve } from '../documents/openapi.ts'

const MINUTE_MS = 60_000

const playersLogin = {
  summary: 'Log in',
  description:
    'Logs in a player or an admin. An admin gets a second token, `admin_token`, for the routes ' +
    'of admins. An address has 5 attempts a minute; a body that is no login counts as none.',
  tag: 'public',
  body: loginRequest,
  errors: [
    [401, 'E005'],
    [403, 'E003'],
    [429, 'E004'],
  ],
} as const

const admitting = {
  tag: 'accounts',
  body: loginRequest,
  errors: [
    [401, 'E005'],
    [429, 'E004'],
  ],
} as const

const adminsLogin = {
  summary: 'Log in as an admin',
  description: 'Logs in an admin and refuses players. `POST /api/auth/login` serves both.',
  ...admitting,
} as const

const adminsOlderLogin = {
  summary: 'Log in as an admin, by the older path',
  description: 'The same as `POST /api/admin/auth/login`, kept for older clients.',
  ...admitting,
} as const

/** Logins of players and admins; all routes of an address share its limit. */
export function loginRoutes(parts: AppParts): Hono {
  const routes = new Hono()
  const { limited, login } = limitedLogin(parts)
  const playerLogin = async (context: Context): Promise<Response> => {
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
  }
  serve(routes, 'login', playersLogin, playerLogin, [limited])

  const adminLogin = async (context: Context): Promise<Response> => {
    const { account, adminToken } = await login(context, 'admin')
    if (adminToken === undefined) throw wrongLogin()
    const answer: AdminLoginResponse = {
      success: true,
      admin_id: account.playerId,
      token: adminToken,
      role: 'admin',
      is_admin: true,
    }
    return context.json(answer)
  }
  serve(routes, 'loginAdmin', adminsLogin, adminLogin, [limited])
  serve(routes, 'loginAdminLegacy', adminsOlderLogin, adminLogin, [limited])
  return routes
}

interface LimitedLogin {
  /** refuses an address beyond its limit, before its body is read */
  readonly limited: MiddlewareHandler
  readonly login: (context: Context, type: 'player' | 'admin') => ReturnType<Players['login']>
}

function limitedLogin({ config, players, logger }: AppParts): LimitedLogin {
  const addressOf = (context: Context): string => clientAddress(context, config.trustProxy)
  const attempts = new SlidingWindow({ limit: config.loginAttemptsPerMinute, windowMs: MINUTE_MS })
  const ensure = (attempt: ReturnType<SlidingWindow['attempt']>): void => {
    if (attempt.allowed) return
    players.loginRefused()
    throw rateLimited(attempt.retryAfterSeconds)
  }
  return {
    limited: (context, next) => {
      ensure(attempts.look(addressOf(context)))
      return next()
    },
    login: async (context, type) => {
      const body = await jsonBody(context, names, { refusal: wrongLogin })
      const address = addressOf(context)
      // Only now: a body that never comes, or is no login, must not keep others of the address out.
      ensure(attempts.attempt(address))
      // What no account can have is answered like a wrong password, at no cost.
      if (!v.is(loginRequest, body)) throw wrongLogin()
      const entered = await players.login({ address, username: body.username }, body.password, type)
      const { playerId: admin, isAdmin, username } = entered.account
      if (isAdmin) {
        logger.info({ id: context.get('requestId'), admin, username, address }, 'admin login')
      }
      return entered
    },
  }
}

/** What counts as an attempt. */
const names = v.object({ username: v.string(), password: v.string() })

function wrongLogin(): HttpError {
  return new HttpError(401, 'E005', 'Invalid username or password')
}
