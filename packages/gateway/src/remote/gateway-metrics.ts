import type { Bus } from '@orrery/bus'
import type { MirroredWorld } from '@orrery/game'
import { Counter, Gauge, Registry, collectDefaultMetrics } from 'prom-client'
import type { Sockets } from '../sockets/sockets.ts'
import type { Forwarding } from '../forwarding/forwarding.ts'
import { fanOutHistogram } from '../operations/metrics.ts'

export interface GatewayMetricsOptions {
  readonly world: Pick<MirroredWorld, 'position'>
  /** undefined until the world is shown */
  readonly sockets: () => Pick<Sockets, 'metrics'> | undefined
  readonly forwarding: Pick<Forwarding, 'counters'>
  readonly bus: Pick<Bus, 'metrics'> | undefined
  /** of sockets, sent to the owner since the start */
  readonly commands: () => number
}

/** The metrics of a gateway, in Prometheus' text format. */
export interface GatewayMetrics {
  readonly contentType: string
  /** @param ms  from the end of a tick to the last of its frames written */
  fanOut(this: void, ms: number): void
  text(): Promise<string>
}

export function createGatewayMetrics(options: GatewayMetricsOptions): GatewayMetrics {
  const { bus, sockets, forwarding, commands, world } = options
  const registry = new Registry()
  const registers = [registry]
  collectDefaultMetrics({ register: registry })
  const gauge = (name: string, help: string, read: () => number): void => {
    const metric: Gauge = new Gauge({
      name: `orrery_${name}`,
      help,
      registers,
      collect: () => metric.set(read()),
    })
  }
  const counter = (name: string, help: string, read: () => number): void => {
    const metric: Counter = new Counter({
      name: `orrery_${name}_total`,
      help,
      registers,
      collect: () => {
        metric.reset()
        metric.inc(read())
      },
    })
  }
  gauge('follower_lag_rows', 'Durable commands not flown', () => world.position()?.lagRows ?? NaN)
  gauge(
    'follower_lag_seconds',
    'Game time from what is flown to the last durable clock',
    () => world.position()?.lagSeconds ?? NaN,
  )
  gauge(
    'follower_silent_seconds',
    'Time since the owner of the world wrote a clock',
    () => world.position()?.silentSeconds ?? NaN,
  )
  gauge('players_online', 'Players with a socket here', () => sockets()?.metrics().players ?? 0)
  gauge(
    'observers_online',
    'Observers with a socket here',
    () => sockets()?.metrics().observers ?? 0,
  )
  gauge(
    'socket_queued_bytes',
    'Bytes that wait for clients',
    () => sockets()?.metrics().bytesQueued ?? 0,
  )
  counter('forwarded_requests', 'Requests handed on', () => forwarding.counters().forwarded)
  counter('repeated_requests', 'Requests sent to two owners', () => forwarding.counters().repeated)
  counter('unanswered_requests', 'Requests no owner answered', () => forwarding.counters().failed)
  counter('forwarded_commands', 'Commands of sockets sent to the owner', commands)
  if (bus) {
    gauge('bus_connected', '1 while the bus is there', () => Number(bus.metrics().connected))
    gauge('bus_round_trip_seconds', 'Of the last flush', () => bus.metrics().roundTripMs / 1000)
    counter('bus_dropped_messages', 'Messages not sent', () => bus.metrics().dropped)
    counter('bus_reconnects', 'Connections after the first', () => bus.metrics().reconnects)
  }
  const fanOuts = fanOutHistogram(registry)
  return {
    contentType: registry.contentType,
    fanOut: (ms) => fanOuts.observe(ms / 1000),
    text: () => registry.metrics(),
  }
}
