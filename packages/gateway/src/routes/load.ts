import { VERSION } from '@orrery/http'
import { type api, historyQuery } from '@orrery/protocol'
import { PHYSICS } from '@orrery/sim'
import { Hono } from 'hono'
import type { AppParts } from '../app-parts.ts'
import { serve } from '../documents/openapi.ts'
import type { AdminEnv } from './admin.ts'
import { queryValues } from './input.ts'

/** What the server is, does now, and did in the last day. */
export function loadRoutes({
  config,
  load,
  probeDatabase,
}: Pick<AppParts, 'config' | 'load' | 'probeDatabase'>): Hono<AdminEnv> {
  const routes = new Hono<AdminEnv>()
  serve(
    routes,
    'readVersion',
    {
      summary: 'Read the version',
      description: 'What runs: the release and its commit, the integrator, Node and PostgreSQL.',
      tag: 'operations',
    },
    async (context) =>
      context.json({
        release: VERSION,
        commit: config.commit,
        physics: PHYSICS,
        node: process.version,
        database: await probeDatabase(),
      } satisfies api.VersionResponse),
  )
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
