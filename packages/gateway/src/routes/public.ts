import { refusal } from '@orrery/game'
import { SlidingWindow, clientAddress, rateLimited } from '@orrery/http'
import { type RegisterResponse, type StatusResponse, registerRequest } from '@orrery/protocol'
import { Hono } from 'hono'
import type { AppParts, ReadingParts } from '../app-parts.ts'
import { serve } from '../documents/openapi.ts'
import { bodyValues } from '../requests/input.ts'

const HOUR_MS = 3_600_000

const registering = {
  summary: 'Register a player',
  description:
    'Makes an account and its ship, which begins in the plane of the station, or with an ' +
    'invitation 1 to 5 km behind the ship of who made it, at rest relative to it. The token is ' +
    'valid for 24 hours.',
  tag: 'public',
  body: registerRequest,
  errors: [
    [400, 'E011'],
    [400, 'E012'],
    [403, 'E003'],
    [403, 'E020'],
    [404, 'E002'],
    [404, 'E006'],
    [409, 'E003'],
    [409, 'E010'],
    [429, 'E004'],
  ],
} as const

const askingStatus = {
  summary: 'Status of the server',
  description: 'Name, tick, game time and players online, for everybody.',
  tag: 'public',
} as const

/** Routes without a token: registration, and the server's status. */
export function publicRoutes(parts: AppParts): Hono {
  const { config, players, settings, isRegistrationOpen } = parts
  const routes = new Hono()
  const { registrationsPerHour: limit } = config
  const made = limit === 0 ? undefined : new SlidingWindow({ limit, windowMs: HOUR_MS })

  serve(routes, 'register', registering, async (context) => {
    // Closed since by another process: the change itself looks again.
    if (!settings.registrationOpen && !(await isRegistrationOpen())) throw refusal('E020')
    const body = await bodyValues(context, registerRequest)
    const address = clientAddress(context, config.trustProxy)
    const attempt = made?.attempt(address) ?? { allowed: true }
    if (!attempt.allowed) throw rateLimited(attempt.retryAfterSeconds)
    const { account, token } = await players
      .register(body.username, body.password, {
        address,
        ...(body.invitation !== undefined && { invitation: body.invitation }),
      })
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

  routes.route('/', statusRoutes(parts))
  return routes
}

/** The route of the server's status. */
export function statusRoutes({ config, engine, settings, sockets }: ReadingParts): Hono {
  const routes = new Hono()
  serve(routes, 'readStatus', askingStatus, (context) => {
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
