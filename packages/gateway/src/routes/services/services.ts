import { systemClock } from '@orrery/engine'
import { makeServiceToken, revokeServiceToken } from '@orrery/game'
import {
  type ServiceTokenEntry,
  type ServiceTokenResponse,
  type ServiceTokensResponse,
  eventsQuery,
  maneuverEventsQuery,
  playersQuery,
  serviceTokenRequest,
} from '@orrery/protocol'
import type { ServiceToken } from '@orrery/store'
import { Hono } from 'hono'
import type { AppParts } from '../../app-parts.ts'
import { serve } from '../../documents/openapi.ts'
import { pageOfPlayers } from '../accounts.ts'
import type { AdminEnv } from '../admin.ts'
import { bodyValues, queryValues } from '../../requests/input.ts'
import { eventPage } from './events.ts'
import { maneuverEvents } from '../maneuvers.ts'
import { bearerOf } from './service-bearer.ts'

/** What admins do with service tokens. */
export function serviceTokenRoutes(parts: AppParts): Hono<AdminEnv> {
  const { changeAccounts, serviceTokens } = parts
  const routes = new Hono<AdminEnv>()
  serve(
    routes,
    'createServiceToken',
    {
      summary: 'Create a service token',
      description:
        'Makes a token for a program beside the server: it opens the routes of its scopes, and ' +
        'none of a player or an admin. Only this answer has it. There may be 100.',
      tag: 'services',
      body: serviceTokenRequest,
      errors: [[409, 'E003']],
    },
    async (context) => {
      const { name, scopes, valid_days: days } = await bodyValues(context, serviceTokenRequest)
      const wanted = { name, scopes: [...new Set(scopes)], days }
      const { token, ...made } = await changeAccounts((records) =>
        makeServiceToken(records, context.get('admin'), wanted, systemClock.utcMs()),
      )
      return context.json({ ...entryOf(made), token } satisfies ServiceTokenResponse, 201)
    },
  )
  serve(
    routes,
    'listServiceTokens',
    {
      summary: 'List service tokens',
      description: 'All service tokens without their secrets, oldest first, expired ones too.',
      tag: 'services',
    },
    async (context) => {
      const all = (await serviceTokens.list()).map(entryOf)
      return context.json({ service_tokens: all } satisfies ServiceTokensResponse)
    },
  )
  serve(
    routes,
    'revokeServiceToken',
    {
      summary: 'Revoke a service token',
      description: 'Ends a service token from the next request on.',
      tag: 'services',
      errors: [[404, 'E002']],
    },
    async (context) => {
      const id = context.req.param('token_id')
      await changeAccounts((records) => revokeServiceToken(records, context.get('admin'), id))
      return context.body(null, 204)
    },
  )
  return routes
}

/** What service tokens open. */
export function serviceRoutes(parts: AppParts): Hono {
  const routes = new Hono()
  serve(
    routes,
    'readServiceToken',
    {
      summary: 'Read the own service token',
      description: 'The name, the scopes and the end of the token of the request.',
      tag: 'services',
    },
    async (context) => context.json(entryOf(await bearerOf(context, parts))),
  )
  serve(
    routes,
    'readManeuverEvents',
    {
      summary: 'Read maneuver events',
      description: 'What `GET /api/admin/maneuver-events` answers. Needs the scope `maneuvers`.',
      tag: 'services',
      query: maneuverEventsQuery,
      errors: [[403, 'E003']],
    },
    async (context) => {
      await bearerOf(context, parts, 'maneuvers')
      return context.json(await maneuverEvents(context, parts))
    },
  )
  serve(
    routes,
    'readEvents',
    {
      summary: 'Read events in their order',
      description:
        'What happened to ships and in their maneuvers behind a cursor, oldest first, of one ' +
        'star system or of all; without a cursor, from the oldest that is kept. Each is durable, ' +
        'and comes once, also after a restart or on another server; the level of the maneuver ' +
        'log says which there are of maneuvers, and of a ship there are 60 at once and two a ' +
        'second at most. Needs the scope `events`.',
      tag: 'services',
      query: eventsQuery,
      errors: [
        [403, 'E003'],
        [409, 'E003'],
      ],
    },
    async (context) => {
      await bearerOf(context, parts, 'events')
      return context.json(await eventPage(context, parts))
    },
  )
  serve(
    routes,
    'readPlayers',
    {
      summary: 'Read accounts',
      description:
        'A page of what `GET /api/admin/players` answers: whose ship is whose. Needs the scope ' +
        '`accounts`.',
      tag: 'services',
      query: playersQuery,
      errors: [[403, 'E003']],
    },
    async (context) => {
      await bearerOf(context, parts, 'accounts')
      return context.json(await pageOfPlayers(parts, queryValues(context, playersQuery)))
    },
  )
  return routes
}

function entryOf({ tokenId, createdAt, expiresAt, ...token }: ServiceToken): ServiceTokenEntry {
  return {
    token_id: tokenId,
    name: token.name,
    scopes: token.scopes,
    created_at: createdAt.toISOString(),
    expires_at: expiresAt.toISOString(),
  }
}
