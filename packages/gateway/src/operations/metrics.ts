import type { MiddlewareHandler } from 'hono'
import { matchedRoutes } from 'hono/route'
import type { RouterRoute } from 'hono/types'
import { Counter, Gauge, Histogram, Registry, collectDefaultMetrics } from 'prom-client'
import { READERS, type Reader, type Reading } from './readings.ts'
import type { TickLoad } from './slow-ticks.ts'

/** Upper ends of the buckets that ticks, fan-out and requests fall into [s]. */
const BUCKETS = [
  0.0005, 0.001, 0.002, 0.005, 0.01, 0.02, 0.03, 0.04, 0.05, 0.06, 0.08, 0.1, 0.2, 0.5, 1, 2, 5, 10,
]

/** A snapshot of a million ships takes seconds [s]. */
const SNAPSHOT_BUCKETS = [0.01, 0.05, 0.1, 0.5, 1, 2, 5, 10, 30, 60]

const MISNAMED = ['handles', 'requests', 'resources'].map((what) => `nodejs_active_${what}_total`)

/** Measures of one stored world. */
export interface SnapshotCost {
  readonly ms: number
  /** of the state, before compression */
  readonly bytes: number
}

/** The metrics of one server, in the format of Prometheus. */
export interface Metrics {
  tick(load: Pick<TickLoad, 'durationMs' | 'phases'>): void
  /** @param ms  from the end of a tick to the last of its frames written */
  fanOut(ms: number): void
  snapshot(cost: SnapshotCost): void
  /** @param endMs  until when the certificate is valid [Unix ms]; undefined without TLS */
  certificate(endMs: () => number | undefined): void
  /** counts the requests that pass it, by route and status class */
  readonly requests: MiddlewareHandler
  /** since the world was last stored, or since the start */
  snapshotAgeSeconds(): number
  /** of the text */
  readonly contentType: string
  /** all recorded metrics and those read now, in Prometheus' text format */
  text(reading: Reading): Promise<string>
}

/** @param nowMs  a monotonic clock [ms] */
export function createMetrics(nowMs: () => number = () => performance.now()): Metrics {
  const registry = new Registry()
  const registers = [registry]
  collectDefaultMetrics({ register: registry })
  // Gauges by the names of counters; the ones by `type` add up to them.
  for (const name of MISNAMED) registry.removeSingleMetric(name)
  const ticks = new Histogram({
    name: 'orrery_tick_duration_seconds',
    help: 'Wall time of a tick, from its start to its last frame queued',
    buckets: BUCKETS,
    registers,
  })
  const phases = new Histogram({
    name: 'orrery_tick_phase_duration_seconds',
    help: 'Wall time of each phase of a tick',
    labelNames: ['phase'],
    buckets: BUCKETS,
    registers,
  })
  const fanOuts = fanOutHistogram(registry)
  const readers = READERS.map((reader) => filled(reader, registry))
  const snapshots = snapshotMetrics(registry, nowMs)
  return {
    tick: ({ durationMs, phases: times }) => {
      ticks.observe(durationMs / 1000)
      for (const [phase, ms] of Object.entries(times)) phases.observe({ phase }, ms / 1000)
    },
    fanOut: (ms) => fanOuts.observe(ms / 1000),
    snapshot: (cost) => snapshots.record(cost),
    certificate: (endMs) => {
      if (endMs() === undefined) return
      const name = 'orrery_tls_certificate_expiry_timestamp_seconds'
      const help = 'Until when the certificate is valid, in Unix time'
      // The class registers itself.
      void new Gauge({
        name,
        help,
        registers,
        collect() {
          this.set((endMs() ?? 0) / 1000)
        },
      })
    },
    requests: requestMeter(registry, nowMs),
    snapshotAgeSeconds: () => snapshots.ageSeconds(),
    contentType: registry.contentType,
    text: (reading) => {
      for (const fill of readers) fill(reading)
      snapshots.read()
      return registry.metrics()
    },
  }
}

/** Of an owner and of a gateway. */
export function fanOutHistogram(registry: Registry): Histogram {
  return new Histogram({
    name: 'orrery_fan_out_duration_seconds',
    help: 'Wall time from the end of a tick to the last of its frames written',
    buckets: BUCKETS,
    registers: [registry],
  })
}

/** A metric of a registry, and how a reading gets into it. */
function filled(
  { name, help, kind, label, read }: Reader,
  registry: Registry,
): (reading: Reading) => void {
  const options = { name: `orrery_${name}`, help, registers: [registry] }
  const labelNames = label === undefined ? [] : [label]
  const metric =
    kind === 'gauge'
      ? new Gauge({ ...options, labelNames })
      : new Counter({ ...options, labelNames })
  return (reading) => {
    const values = read(reading)
    // Counters are kept elsewhere and only copied here.
    metric.reset()
    if (typeof values === 'number') metric.inc(values)
    else for (const [value, count] of values) metric.inc({ [label ?? 'value']: value }, count)
  }
}

function snapshotMetrics(
  registry: Registry,
  nowMs: () => number,
): { record(cost: SnapshotCost): void; read(): void; ageSeconds(): number } {
  const registers = [registry]
  const durations = new Histogram({
    name: 'orrery_snapshot_duration_seconds',
    help: 'Wall time of storing the world, beside ticks',
    buckets: SNAPSHOT_BUCKETS,
    registers,
  })
  const size = new Gauge({
    name: 'orrery_snapshot_bytes',
    help: 'Size of the last stored world, before compression',
    registers,
  })
  const age = new Gauge({
    name: 'orrery_snapshot_age_seconds',
    help: 'Time since the world was last stored, or since the start',
    registers,
  })
  let lastMs = nowMs()
  const ageSeconds = (): number => (nowMs() - lastMs) / 1000
  return {
    record: ({ ms, bytes }) => {
      lastMs = nowMs()
      durations.observe(ms / 1000)
      size.set(bytes)
    },
    read: () => age.set(ageSeconds()),
    ageSeconds,
  }
}

/** Labels of requests without a route. */
const UNMATCHED = { method: 'any', path: 'unmatched' }

function requestMeter(registry: Registry, nowMs: () => number): MiddlewareHandler {
  const labelNames = ['method', 'route'] as const
  const registers = [registry]
  const counts = new Counter({
    name: 'orrery_http_requests_total',
    help: 'Requests answered, by route and status class',
    labelNames: [...labelNames, 'status'],
    registers,
  })
  const durations = new Histogram({
    name: 'orrery_http_request_duration_seconds',
    help: 'Wall time of a request up to its answer, by route',
    labelNames: [...labelNames],
    buckets: BUCKETS,
    registers,
  })
  return async (context, next) => {
    const startMs = nowMs()
    await next()
    const { method, path: route } = routeOf(matchedRoutes(context))
    durations.observe({ method, route }, (nowMs() - startMs) / 1000)
    counts.inc({ method, route, status: `${Math.floor(context.res.status / 100)}xx` })
  }
}

/** The route, such as `/api/admin/players/:id`; ALL is middleware. */
function routeOf(routes: readonly RouterRoute[]): { method: string; path: string } {
  return routes.findLast(({ method }) => method !== 'ALL') ?? UNMATCHED
}
