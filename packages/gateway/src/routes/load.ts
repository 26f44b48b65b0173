import { VERSION } from '@orrery/http'
import { type api, historyQuery } from '@orrery/protocol'
import { PHYSICS } from '@orrery/sim'
import type { HostRow } from '@orrery/store'
import { Hono } from 'hono'
import type { AppParts } from '../app-parts.ts'
import { serve } from '../documents/openapi.ts'
import type { AdminEnv } from './admin.ts'
import { queryValues } from './input.ts'

/** Beats of a host that lives are never so old [s]. */
const SILENT_SECONDS = 2

/** What the server is, does now, and did in the last day. */
export function loadRoutes({
  config,
  hosts,
  load,
  probeDatabase,
}: Pick<AppParts, 'config' | 'hosts' | 'load' | 'probeDatabase'>): Hono<AdminEnv> {
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
    'listHosts',
    {
      summary: 'List the hosts',
      description:
        'The servers on this database: which one owns the star systems, and which stand by to ' +
        'take them over. One that is long gone is left out.',
      tag: 'operations',
    },
    async (context) => context.json({ hosts: (await hosts()).map(hostView) }),
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

function hostView(host: HostRow): api.HostsResponse['hosts'][number] {
  const { systems, ageSeconds } = host
  const isSilent = ageSeconds !== null && ageSeconds > SILENT_SECONDS
  return {
    host_id: host.incarnation,
    url: host.address,
    state: systems.length > 0 ? 'owner' : isSilent ? 'silent' : 'standby',
    system_ids: systems,
    beat_age_seconds: ageSeconds,
    lag_seconds: host.lag,
    utilisation: host.load,
    cores: host.cores,
    physics: host.physics,
    release: host.release,
    started_at: host.since.toISOString(),
  }
}
