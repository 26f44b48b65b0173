import { type PastResponse, pastRequest, pastSkyQuery } from '@orrery/protocol'
import { type Context, type Env, Hono } from 'hono'
import type { AppParts } from '../app-parts.ts'
import { serve } from '../documents/openapi.ts'
import { type CallerParts, playerOf } from '../requests/caller.ts'
import { bodyValues, queryValues } from '../requests/input.ts'
import type { AdminEnv } from '../routes/admin.ts'
import type { PastFlights, PastViewer } from './past-flights.ts'

const opening = {
  summary: 'Look back',
  description:
    'A past moment of a star system is flown again beside the game, from the stored world before ' +
    'it, in a process of its own; digests on the way are compared with the recorded ones. It ' +
    'ends when it is not asked for two minutes. By default one flight runs at a time.',
  body: pastRequest,
  errors: [
    [404, 'E002'],
    [409, 'E003'],
  ],
} as const

const reading = {
  summary: 'Read how far a look back has come',
  description: 'Whether the moment is reached, between which times it can be, and its digests.',
  errors: [[404, 'E002']],
} as const

const looking = {
  summary: 'Look at a past moment',
  description:
    'Bodies, stations and ships of the star system at the game time `at`, to which the flight ' +
    'goes on, or back. The answer waits for it. A pilot sees what the own ship could: nothing ' +
    'where it was in another star system.',
  query: pastSkyQuery,
  errors: [
    [404, 'E002'],
    [409, 'E003'],
    [429, 'E004'],
  ],
} as const

const ending = {
  summary: 'End a look back',
  description: 'Ends the flight and its process.',
  errors: [[404, 'E002']],
} as const

/** The past for operators, who see all of it. */
export function pastRoutes({ pastFlights }: Pick<AppParts, 'pastFlights'>): Hono<AdminEnv> {
  const routes = new Hono<AdminEnv>()
  const tag = 'game control'
  const look = lookBack<AdminEnv>(pastFlights, async (context) => {
    return { accountId: context.get('admin').playerId, shipId: undefined }
  })
  serve(routes, 'openPast', { ...opening, tag }, look.open)
  serve(routes, 'readPast', { ...reading, tag }, look.read)
  serve(routes, 'readPastSky', { ...looking, tag }, look.sky)
  serve(routes, 'endPast', { ...ending, tag }, look.end)
  return routes
}

/** The past for pilots. */
export function ownPastRoutes(parts: CallerParts & Pick<AppParts, 'pastFlights'>): Hono {
  const routes = new Hono()
  const tag = 'player'
  const look = lookBack(parts.pastFlights, async (context) => {
    const { account, playerId: accountId } = await playerOf(context, parts)
    return { accountId, shipId: account.shipId ?? '' }
  })
  serve(routes, 'openOwnPast', { ...opening, tag }, look.open)
  serve(routes, 'readOwnPast', { ...reading, tag }, look.read)
  serve(routes, 'readOwnPastSky', { ...looking, tag }, look.sky)
  serve(routes, 'endOwnPast', { ...ending, tag }, look.end)
  return routes
}

/** @param viewerOf  who asks; it throws where no one may */
function lookBack<E extends Env = Env>(
  flights: PastFlights,
  viewerOf: (context: Context<E>) => Promise<PastViewer>,
): Readonly<Record<'open' | 'read' | 'sky' | 'end', (context: Context<E>) => Promise<Response>>> {
  const idOf = (context: Context): string => context.req.param('past_id') ?? ''
  return {
    open: async (context) => {
      const viewer = await viewerOf(context)
      const { at, system_id: systemId } = await bodyValues(context, pastRequest)
      const begun = await flights.open({ systemId, at: Date.parse(at) }, viewer)
      return context.json(begun satisfies PastResponse, 201)
    },
    read: async (context) => {
      const viewer = await viewerOf(context)
      return context.json(flights.state(idOf(context), viewer) satisfies PastResponse)
    },
    sky: async (context) => {
      const viewer = await viewerOf(context)
      const { at } = queryValues(context, pastSkyQuery)
      const sky = await flights.sky(idOf(context), Date.parse(at), viewer)
      return context.body(sky, 200, { 'content-type': 'application/json' })
    },
    end: async (context) => {
      flights.end(idOf(context), await viewerOf(context))
      return context.body(null, 204)
    },
  }
}
