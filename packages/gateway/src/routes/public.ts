import { clientAddress } from '@orrery/http'
import { type RegisterResponse, type StatusResponse, registerRequest } from '@orrery/protocol'
import { Hono } from 'hono'
import type { AppParts, ReadingParts } from '../app-parts.ts'
import { serve } from '../documents/openapi.ts'
import { bodyValues } from '../requests/input.ts'
import type { Registrations } from '../requests/registrations.ts'

const registering = {
  summary: 'Register a player',
  description:
    'Makes an account and its ship, which begins in the plane of the station, or with an ' +
    'invitation 1 to 5 km behind the ship of who made it, at rest relative to it. It is of the ' +
    'class `ship_class`, or else of `new_ships`. The token is valid for 24 hours.',
  tag: 'public',
  body: registerRequest,
  errors: [
    [400, 'E011'],
    [400, 'E012'],
    [403, 'E003'],
    [403, 'E020'],
    [403, 'E031'],
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
export function publicRoutes(parts: AppParts, registrations: Registrations): Hono {
  const { config, players } = parts
  const routes = new Hono()

  serve(routes, 'register', registering, async (context) => {
    await registrations.ensureOpen()
    const body = await bodyValues(context, registerRequest)
    const address = clientAddress(context, config.trustProxy)
    const { account, token } = await registrations.counted(address, () =>
      players.register(body.username, body.password, {
        address,
        ...(body.invitation !== undefined && { invitation: body.invitation }),
        ...(body.ship_class !== undefined && { shipClass: body.ship_class }),
      }),
    )
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
      talk_enabled: settings.talkEnabled,
    }
    return context.json(answer)
  })
  return routes
}
