import type { Bus } from '@orrery/bus'
import { reasonOf } from '@orrery/database'
import type { Engine, EngineStatus, Preflight } from '@orrery/engine'
import {
  type JournalWriter,
  type ManeuverEventWriter,
  type Passwords,
  type Players,
  refusal,
} from '@orrery/game'
import {
  HEALTH,
  type Logger,
  type WrongTokens,
  clientAddress,
  healthRoutes,
  unavailable,
} from '@orrery/http'
import { bearerToken } from '@orrery/protocol'
import type { HostClock } from '@orrery/store'
import { Hono } from 'hono'
import { hash, timingSafeEqual } from 'node:crypto'
import type { Config } from '../config.ts'
import type { Metrics } from '../operations/metrics.ts'
import { operation, serve } from '../documents/openapi.ts'
import { clockWords } from '../operations/host-clock.ts'
import type { Reading } from '../operations/readings.ts'
import type { StorageWatch } from '../operations/storage-watch.ts'
import type { UnflownAccounts } from '../operations/unflown-accounts.ts'

/** Periods and time without a tick after which the service counts as stuck. */
const STUCK_PERIODS = 2
const STUCK_MS = 5000

/** The parts that these routes read. */
export interface OperationsParts {
  readonly config: Pick<Config, 'metricsToken' | 'trustProxy'>
  readonly engine: Pick<Engine, 'status' | 'metrics'>
  readonly players: Pick<Players, 'bearer' | 'counters'>
  readonly sockets: { metrics(): Reading['sockets'] }
  readonly passwords: Pick<Passwords, 'waiting'>
  readonly wrongTokens: Pick<WrongTokens, 'count'>
  readonly journalWriter: Pick<JournalWriter, 'metrics'>
  readonly maneuverEventWriter: Pick<ManeuverEventWriter, 'waiting' | 'dropped'>
  readonly storageWatch: Pick<StorageWatch, 'reading'>
  readonly unflownAccounts: Pick<UnflownAccounts, 'removed'>
  readonly preflight: Pick<Preflight, 'counts'>
  readonly bus: Pick<Bus, 'metrics'> | undefined
  readonly metrics: Pick<Metrics, 'text' | 'contentType'>
  readonly hostClock: () => HostClock | undefined
  /** rejects when the database does not answer */
  readonly probeDatabase: () => Promise<unknown>
  readonly logger: Logger
}

/** Health for all clients, metrics for operators. */
export function operationsRoutes(parts: OperationsParts): Hono {
  const { engine, players, sockets, passwords, journalWriter, maneuverEventWriter, metrics } = parts
  const { probeDatabase, storageWatch, unflownAccounts, preflight, logger, config } = parts
  const routes = new Hono()
  const ready = async (): Promise<string | undefined> => {
    const { away } = journalWriter.metrics()
    const stuck = whyStuck(engine.status())
    if (stuck !== undefined) return stuck
    if (away !== undefined) return `commands do not become durable: ${away}`
    try {
      await probeDatabase()
      return undefined
    } catch (error) {
      return `the database is away: ${reasonOf(error)}`
    }
  }
  addHealthDescriptions(routes)
  const warning = (): string | undefined => clockWords(parts.hostClock())
  routes.route('/health', healthRoutes({ ready, warning, logger }))

  const mayRead = metricsReaders(parts)
  const reading = {
    summary: 'Metrics',
    description:
      "All metrics in Prometheus' text format. The token of an admin opens it, and so does " +
      'METRICS_TOKEN.',
    tag: 'operations',
  } as const
  serve(routes, 'readMetrics', reading, async (context) => {
    const token = bearerToken(context.req.header('authorization')) ?? ''
    if (!(await mayRead(token))) {
      if (token !== '') parts.wrongTokens.count(clientAddress(context, config.trustProxy))
      throw refusal('E005')
    }
    const text = await metrics.text({
      status: engine.status(),
      engine: engine.metrics(),
      sockets: sockets.metrics(),
      players: players.counters(),
      passwordsWaiting: passwords.waiting(),
      accountsRemoved: unflownAccounts.removed(),
      preflight: preflight.counts,
      journal: journalWriter.metrics(),
      storage: storageWatch.reading(),
      maneuverEvents: {
        waiting: maneuverEventWriter.waiting(),
        dropped: maneuverEventWriter.dropped(),
      },
      bus: parts.bus?.metrics(),
      hostClock: parts.hostClock(),
    })
    return context.body(text, 200, { 'content-type': metrics.contentType })
  })
  return routes
}

/** Describes the routes of health; those of the kit, mounted next, answer them. */
function addHealthDescriptions(routes: Hono): void {
  const { live, ready } = HEALTH
  const probe = { tag: 'operations', access: 'anybody' } as const
  routes.get('/health/live', operation(live.id, { ...live, ...probe }))
  const others = [[503, unavailable]] as const
  routes.get('/health/ready', operation(ready.id, { ...ready, ...probe, others }))
}

/** Why no tick comes; a paused world is healthy, one that broke is not. */
function whyStuck({ paused, faulted, sinceTickMs, tickRate }: EngineStatus): string | undefined {
  if (faulted) return 'a tick broke; an operator has to resume or restore'
  const longestMs = Math.max(STUCK_MS, (STUCK_PERIODS * 1000) / tickRate)
  if (paused || sinceTickMs < longestMs) return undefined
  return `no tick for ${longestMs / 1000} s`
}

/** Accepts `METRICS_TOKEN`, compared in constant time, or an admin's token. */
export function metricsReaders({
  config: { metricsToken },
  players,
}: {
  readonly config: Pick<Config, 'metricsToken'>
  readonly players: Pick<Players, 'bearer'>
}): (token: string) => Promise<boolean> {
  const wanted = metricsToken && digest(metricsToken.reveal())
  return async (token) => {
    if (wanted && timingSafeEqual(digest(token), wanted)) return true
    return typeof (await players.bearer(token, 'admin')) !== 'string'
  }
}

function digest(text: string): Buffer {
  return hash('sha256', text, 'buffer')
}
