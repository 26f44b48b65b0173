import type { Engine } from '@orrery/engine'
import {
  type ShipClassesResponse,
  type SystemsResponse,
  bodiesQuery,
  bodiesResponse as bodiesSchema,
  shipClassesResponse,
  systemResponse as systemSchema,
  systemsResponse,
} from '@orrery/protocol'
import { COURIER } from '@orrery/sim'
import { Hono, type MiddlewareHandler } from 'hono'
import { etag } from 'hono/etag'
import type { AppParts } from '../app-parts.ts'
import { operation } from '../documents/openapi.ts'
import {
  bodiesResponse,
  shipClassEntry,
  systemEntry,
  systemResponse,
} from '../views/system-views.ts'
import { queryValues } from './input.ts'

/** Ships of a running server do not change their class. */
const SHIP_CLASSES: ShipClassesResponse = { ship_classes: [shipClassEntry(COURIER)] }

/** What pilots must know to fly: star systems, where their bodies are, what ships can do. */
export function starSystemRoutes({ engine }: Pick<AppParts, 'engine'>): Hono {
  const routes = new Hono()
  routes.get(
    '/api/systems',
    operation('listSystems', {
      summary: 'List star systems',
      description: 'All star systems, with the number of bodies and of ships in each.',
      tag: 'public',
      access: 'anybody',
      success: { status: 200, schema: systemsResponse },
    }),
    async (context) => {
      const systems = await engine.whenSettled(() => engine.systems())
      return context.json({ systems: systems.map(systemEntry) } satisfies SystemsResponse)
    },
  )
  routes.get(
    '/api/ship-classes',
    operation('listShipClasses', {
      summary: 'List ship classes',
      description: 'Masses, engines, tanks and reaction wheels of the classes of ships.',
      tag: 'public',
      access: 'anybody',
      success: { status: 200, schema: shipClassesResponse },
    }),
    caching('public, max-age=3600'),
    etag(),
    (context) => context.json(SHIP_CLASSES),
  )
  addSystem(routes, engine)
  return routes
}

function addSystem(routes: Hono, engine: Engine): void {
  routes.get(
    '/api/systems/:system_id',
    operation('readSystem', {
      summary: 'Read a star system',
      description:
        'The bodies of a star system with their constants, and the orbits of its stations and ' +
        'jump gates.',
      tag: 'public',
      access: 'anybody',
      success: { status: 200, schema: systemSchema },
      errors: [[404, 'E002']],
    }),
    // Operators make and remove stations and gates.
    caching('public, no-cache'),
    etag(),
    async (context) => {
      const systemId = context.req.param('system_id')
      return context.json(await engine.whenSettled(() => systemResponse(engine, systemId)))
    },
  )
  routes.get(
    '/api/systems/:system_id/bodies',
    operation('readBodies', {
      summary: 'Read positions of bodies',
      description:
        'Positions and velocities of all bodies of a star system, now or at the time `at`, up ' +
        'to 16 days ahead, and how true they are.',
      tag: 'public',
      access: 'anybody',
      query: bodiesQuery,
      success: { status: 200, schema: bodiesSchema },
      errors: [[404, 'E002']],
    }),
    async (context) => {
      const systemId = context.req.param('system_id')
      const { at } = queryValues(context, bodiesQuery)
      const unixMs = at === undefined ? undefined : Date.parse(at)
      return context.json(
        bodiesResponse(await engine.whenSettled(() => engine.bodies(systemId, unixMs))),
      )
    },
  )
}

/** Lets good answers be kept, as the header states. */
function caching(control: string): MiddlewareHandler {
  return async (context, next) => {
    await next()
    if (context.res.status < 400) context.header('Cache-Control', control)
  }
}
