import { catalogCheckpoints, newShipsClass, refusal, shipOffer } from '@orrery/game'
import {
  type ShipClassesResponse,
  type SystemsResponse,
  bodiesQuery,
  checkpointsQuery,
  ephemerisQuery,
  shipClassEntry,
  skyQuery,
} from '@orrery/protocol'
import { NODE_SECONDS } from '@orrery/sim'
import { Hono, type MiddlewareHandler } from 'hono'
import { etag } from 'hono/etag'
import type { ReadingParts } from '../app-parts.ts'
import { serve } from '../documents/openapi.ts'
import {
  bodiesResponse,
  ephemerisResponse,
  systemEntry,
  systemResponse,
} from '../views/system-views.ts'
import { type GuestSkies, createGuestSkies } from '../views/followable-sky.ts'
import { checkpointsResponse } from '../views/checkpoints.ts'
import { queryValues } from '../requests/input.ts'
import type { ServedEngine } from '../views/served-engine.ts'

/** What pilots must know to fly: star systems, where their bodies are, what ships can do. */
export function starSystemRoutes({
  engine,
  followConsents,
  ships,
}: Pick<ReadingParts, 'engine' | 'followConsents' | 'ships'>): Hono {
  const routes = new Hono()
  serve(
    routes,
    'listSystems',
    {
      summary: 'List star systems',
      description: 'All star systems, with the number of bodies and of ships in each.',
      tag: 'public',
    },
    async (context) => {
      const systems = await engine.whenSettled(() => engine.systems())
      return context.json({ systems: systems.map(systemEntry) } satisfies SystemsResponse)
    },
  )
  serve(
    routes,
    'listShipClasses',
    {
      summary: 'List ship classes',
      description:
        'Masses, engines, tanks and reaction wheels of the classes of ships, what their operator ' +
        'says of them, and who may take one.',
      tag: 'public',
    },
    (context) => {
      const { classes } = engine.universe.worlds[0].state
      const offered = { ...ships, engine }
      const answer: ShipClassesResponse = {
        new_ships: newShipsClass(offered),
        ship_classes: classes.map((one) => ({
          ...shipClassEntry(one),
          ...shipOffer(offered, one.name),
        })),
      }
      return context.json(answer)
    },
    // A start may add classes.
    [caching('public, no-cache'), etag()],
  )
  addSystem(routes, engine)
  addCheckpoints(routes, engine)
  addSky(routes, createGuestSkies({ engine, followConsents, nowMs: () => performance.now() }))
  return routes
}

function addSystem(routes: Hono, engine: ServedEngine): void {
  serve(
    routes,
    'readSystem',
    {
      summary: 'Read a star system',
      description:
        'The bodies of a star system with their constants, and the orbits of its stations and ' +
        'jump gates.',
      tag: 'public',
      errors: [[404, 'E002']],
    },
    async (context) => {
      const systemId = context.req.param('system_id')
      return context.json(await engine.whenSettled(() => systemResponse(engine, systemId)))
    },
    // Operators make and remove stations and gates.
    [caching('public, no-cache'), etag()],
  )
  serve(
    routes,
    'readBodies',
    {
      summary: 'Read positions of bodies',
      description:
        'Positions and velocities of all bodies of a star system, now or at the time `at`, up ' +
        'to 16 days ahead, and how true they are.',
      tag: 'public',
      query: bodiesQuery,
      errors: [[404, 'E002']],
    },
    async (context) => {
      const systemId = context.req.param('system_id')
      const { at } = queryValues(context, bodiesQuery)
      const unixMs = at === undefined ? undefined : Date.parse(at)
      return context.json(
        bodiesResponse(await engine.whenSettled(() => engine.bodies(systemId, unixMs))),
      )
    },
  )
  serve(
    routes,
    'readEphemeris',
    {
      summary: 'Read the way of bodies',
      description:
        'Positions, velocities and accelerations of all bodies of a star system at instants ' +
        'around the `seconds`, 256 by default, from lattice index `index` on, or from now: with ' +
        'a quintic in between, where the server has them, for clients without an integrator.',
      tag: 'public',
      query: ephemerisQuery,
      errors: [[404, 'E002']],
    },
    async (context) => {
      const systemId = context.req.param('system_id')
      const { index, seconds = NODE_SECONDS } = queryValues(context, ephemerisQuery)
      return context.json(
        ephemerisResponse(
          await engine.whenSettled(() => engine.ephemeris(systemId, seconds, index)),
        ),
      )
    },
  )
}

function addSky(routes: Hono, skies: GuestSkies): void {
  serve(
    routes,
    'readSky',
    {
      summary: 'Read what guests see',
      description:
        'Stations, jump gates and ships of a star system as they were at most two seconds ago, ' +
        'without a token: the 64 ships nearest to `near`, of those whose players let guests ' +
        'follow them, the 1,000 who allowed it last. `near` is the name of a body, or the id of ' +
        'a ship, station or jump gate; the home body by default.',
      tag: 'public',
      query: skyQuery,
      errors: [
        [404, 'E002'],
        [404, 'E006'],
      ],
    },
    async (context) => {
      const { near } = queryValues(context, skyQuery)
      const text = await skies.read(context.req.param('system_id'), near)
      return context.body(text, 200, { 'content-type': 'application/json' })
    },
    [caching('public, max-age=1')],
  )
}

function addCheckpoints(routes: Hono, engine: ServedEngine): void {
  serve(
    routes,
    'readCheckpoints',
    {
      summary: 'Read checkpoints of bodies',
      description:
        'The states that the bodies of a star system are integrated from, decades of them: the ' +
        'last one at or before the time `at`, or game time now, and the following ones, `count` ' +
        'in all, 1 by default. For clients with an integrator.',
      tag: 'public',
      query: checkpointsQuery,
      errors: [[404, 'E002']],
    },
    async (context) => {
      const known = await catalogCheckpoints(context.req.param('system_id'))
      if (!known) throw refusal('E002')
      const { at, count = 1 } = queryValues(context, checkpointsQuery)
      const unixMs = at === undefined ? engine.status().gameTimeMs : Date.parse(at)
      const answer = checkpointsResponse(known, unixMs, count)
      // They change with the server's program alone.
      context.header('Cache-Control', `public, ${at === undefined ? 'no-cache' : 'max-age=3600'}`)
      return context.json(answer)
    },
    [etag()],
  )
}

/** Lets good answers be kept, as the header states. */
function caching(control: string): MiddlewareHandler {
  return async (context, next) => {
    await next()
    if (context.res.status < 400) context.header('Cache-Control', control)
  }
}
