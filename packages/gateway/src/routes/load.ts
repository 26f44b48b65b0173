import { historyQuery, historyResponse, loadResponse } from '@orrery/protocol'
import { Hono } from 'hono'
import type { AppParts } from '../app-parts.ts'
import { operation } from '../documents/openapi.ts'
import type { AdminEnv } from './admin.ts'
import { queryValues } from './input.ts'

/** What the server does now, and did in the last day. */
export function loadRoutes({ load }: Pick<AppParts, 'load'>): Hono<AdminEnv> {
  const routes = new Hono<AdminEnv>()
  const described = { tag: 'operations', access: 'admin' } as const
  routes.get(
    '/api/admin/load',
    operation('readLoad', {
      summary: 'Read the load',
      description:
        'What the server does now: phases of ticks, workers, sockets, journal, database and ' +
        'memory.',
      ...described,
      success: { status: 200, schema: loadResponse },
    }),
    (context) => context.json(load.now()),
  )
  routes.get(
    '/api/admin/history',
    operation('readHistory', {
      summary: 'Read the history',
      description: 'The last hour in steps of 10 s, or the last day in steps of a minute.',
      ...described,
      query: historyQuery,
      success: { status: 200, schema: historyResponse },
    }),
    (context) => context.json(load.history(queryValues(context, historyQuery))),
  )
  return routes
}
