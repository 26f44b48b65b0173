import { HOME_ID, SYSTEM_IDS, refusal } from '@orrery/game'
import { VERSION } from '@orrery/http'
import { type api, historyQuery, transferRequest, uuid } from '@orrery/protocol'
import { PHYSICS } from '@orrery/sim'
import type { HostRow } from '@orrery/store'
import { type Context, Hono } from 'hono'
import * as v from 'valibot'
import type { AppParts } from '../app-parts.ts'
import { serve } from '../documents/openapi.ts'
import type { AdminEnv } from './admin.ts'
import { bodyValues, queryValues } from '../requests/input.ts'

/** Beats of a host that lives are never so old [s]. */
const SILENT_SECONDS = 2

type HostParts = Pick<AppParts, 'audit' | 'hosts' | 'wantOn' | 'drainHost'>

/** What the server is, does now, and did in the last day. */
export function loadRoutes(
  parts: HostParts & Pick<AppParts, 'config' | 'load' | 'probeDatabase'>,
): Hono<AdminEnv> {
  const { config, load, probeDatabase } = parts
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
  addHosts(routes, parts)
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

function addHosts(routes: Hono<AdminEnv>, parts: HostParts): void {
  const { audit, hosts, wantOn } = parts
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
    'moveSystem',
    {
      summary: 'Move a star system',
      description:
        'Wants a star system on a host. Its owner gives it there within a second, while all fly ' +
        'on; the owner of the home system leads, and keeps that. One physics flies all systems.',
      tag: 'operations',
      body: transferRequest,
      errors: [
        [400, 'E003'],
        [404, 'E002'],
      ],
    },
    async (context) => {
      const host = context.req.param('host_id').toLowerCase()
      const { system_id: system } = await bodyValues(context, transferRequest)
      if (system === HOME_ID) throw refusal('E003', 'The home system stays with its owner', 400)
      requireSamePhysics(await hosts(), host)
      const isKnown =
        SYSTEM_IDS.includes(system) && v.is(uuid, host) && (await wantOn(system, host))
      if (!isKnown) throw refusal('E002', 'No such star system, or host that may own it', 404)
      await audit(context.get('admin'), 'move_system', { system, host })
      return context.json({ success: true, host_id: host, system_id: system } as const)
    },
  )
  addDraining(routes, parts)
}

/** @throws {Refusal} 400 E003 where a host and the owners are of releases with unlike physics */
function requireSamePhysics(hosts: readonly HostRow[], wanted: string): void {
  const physics = hosts.find(({ incarnation }) => incarnation === wanted)?.physics
  const owner = hosts.find(({ systems }) => systems.length > 0)
  if (!owner || physics === undefined || owner.physics === physics) return
  const message = `The world is flown by physics ${owner.physics}, and this host has ${physics}: it`
  throw refusal('E003', `${message} takes all of it once no host of the other is left`, 400)
}

function addDraining(routes: Hono<AdminEnv>, { audit, drainHost }: HostParts): void {
  const drain = async (
    context: Context<AdminEnv>,
    drained: boolean,
  ): Promise<api.DrainedHostResponse> => {
    const host = (context.req.param('host_id') ?? '').toLowerCase()
    const isKnown = v.is(uuid, host) && (await drainHost(host, drained))
    if (!isKnown) throw refusal('E002', 'There is no such host', 404)
    await audit(context.get('admin'), drained ? 'drain_host' : 'undrain_host', { host })
    return { success: true, host_id: host, drained }
  }
  serve(
    routes,
    'drainHost',
    {
      summary: 'Drain a host',
      description:
        'Lets a host give away what it owns, and get nothing, also when it starts again at its ' +
        'URL. Star systems go while all fly on, the home system last: its owner ends by then. A ' +
        'host that no other one can follow keeps what it has.',
      tag: 'operations',
      errors: [[404, 'E002']],
    },
    async (context) => context.json(await drain(context, true)),
  )
  serve(
    routes,
    'undrainHost',
    {
      summary: 'Drain a host no more',
      description: 'Lets a host own star systems again; it gets none by that.',
      tag: 'operations',
      errors: [[404, 'E002']],
    },
    async (context) => context.json(await drain(context, false)),
  )
}

function hostView(host: HostRow): api.HostsResponse['hosts'][number] {
  const { systems, ageSeconds } = host
  const isSilent = ageSeconds !== null && ageSeconds > SILENT_SECONDS
  return {
    host_id: host.incarnation,
    url: host.address,
    state: systems.length > 0 ? 'owner' : isSilent ? 'silent' : 'standby',
    drained: host.isDrained,
    system_ids: systems,
    beat_age_seconds: ageSeconds,
    lag_seconds: host.lag,
    clock_offset_seconds: host.clockOffset,
    clock_state: host.clockState,
    utilisation: host.load,
    cores: host.cores,
    physics: host.physics,
    release: host.release,
    started_at: host.since.toISOString(),
  }
}
