import { historyQuery } from '@orrery/protocol'
import { Hono } from 'hono'
import type { AppParts } from '../app-parts.ts'
import { serve } from '../documents/openapi.ts'
import type { AdminEnv } from './admin.ts'
import { queryValues } from './input.ts'

/** What the server does now, and did in the last day. */
export function loadRoutes({ load }: Pick<AppParts, 'load'>): Hono<AdminEnv> {
  const routes = new Hono<AdminEnv>()
  serve(
    routes,
    'readLoad',
    {
      summary: 'Read the load',
      description:
        'What the server does now: phases of ticks, workers, sockets, journal, database and ' +
        'memory.',
      tag: 'operations',
    },
    (context) => context.json(load.now()),
  )
  serve(
    routes,
    'readHistory',
    {
      summary: 'Read the history',
      description: 'The last hour in steps of 10 s, or the last day in steps of a minute.',
      tag: 'operations',
      query: historyQuery,
    },
    (context) => context.json(load.history(queryValues(context, historyQuery))),
  )
  return routes
}
