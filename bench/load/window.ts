/** A span of time of a server under load, and what is read off it. */
import { watchGenerator } from '@orrery/testkit/generator'
import { progress } from '@orrery/testkit/progress'
import type { Metric } from '@orrery/testkit/report'
import { type Span, growth, quantile } from '@orrery/testkit/scrape'
import { setTimeout as sleep } from 'node:timers/promises'
import type { LoadServer } from './server.ts'
import type { Arrivals, Swarm } from './swarm.ts'

/** What "unchanged" means: at most so much later than while all was quiet [ms]. */
const UNCHANGED_MS = 5

/** What a span of time was like: the server's metrics at its ends, and what came to sockets. */
export interface Window extends Span {
  readonly seconds: number
  readonly arrivals: Arrivals
  readonly generator: readonly Metric[]
}

/** Looks on for a number of seconds, or until something is over. */
export async function window(
  server: LoadServer,
  swarm: Swarm,
  until: number | (() => Promise<unknown>),
): Promise<Window> {
  progress.at(typeof until === 'number' ? `measures for ${until} s` : 'measures')
  const before = await server.scrape()
  const generator = watchGenerator()
  swarm.arrivals()
  const startMs = performance.now()
  await (typeof until === 'number' ? sleep(1000 * until) : until())
  const seconds = (performance.now() - startMs) / 1000
  const arrivals = swarm.arrivals()
  const own = generator()
  return { seconds, arrivals, before, after: await server.scrape(), generator: own }
}

/** From a tick's end to the last of its frames written. */
export function fanOutMsMean(span: Span): number {
  const name = 'orrery_fan_out_duration_seconds'
  return (1000 * growth(`${name}_sum`, span)) / growth(`${name}_count`, span)
}

/** As its mean, to the width of the histogram's buckets. */
export function fanOutMsP99(span: Span): number {
  return 1000 * quantile('orrery_fan_out_duration_seconds', 0.99, span)
}

/** From a tick's start to its last frame queued. */
export function tickMsP99(span: Span): number {
  return 1000 * quantile('orrery_tick_duration_seconds', 0.99, span)
}

/** Share of one core [%]. */
export function serverCpu(span: Window): number {
  return (100 * growth('process_cpu_seconds_total', span)) / span.seconds
}

/** The bound of what load must not change. */
export function unchanged(quiet: number): { readonly max: number } {
  return { max: quiet + UNCHANGED_MS }
}
