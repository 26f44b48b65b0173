/** How fast the real server answers GET /api/status while it ticks at 10 Hz. */
import { type Row, rowsOf } from '@orrery/testkit/report'
import autocannon from 'autocannon'
import { startLoadServer } from './server.ts'
import { Swarm } from './swarm.ts'
import { serverCpu, tickMsP99, unchanged, window } from './window.ts'

const RATE_HZ = 10
const CONNECTIONS = 4

/** Sockets that show whether ticks still come in time. */
const SPECTATORS = 10

export async function status(seconds: number): Promise<Row[]> {
  const server = await startLoadServer({ pilots: SPECTATORS, rateHz: RATE_HZ })
  const spectators = new Swarm(server.url, 1000 / RATE_HZ)
  try {
    for (const { token } of server.pilots) await spectators.join(token).joined
    const quiet = await window(server, spectators, seconds)
    const [busy, { requests, latency, errors, non2xx }] = await Promise.all([
      window(server, spectators, seconds),
      autocannon({
        url: new URL('/api/status', server.url).href,
        // In a separate thread, so that requests do not wait for it.
        workers: 1,
        connections: CONNECTIONS,
        duration: seconds,
      }),
    ])
    return rowsOf(`GET /api/status, ${CONNECTIONS} connections`, [
      ['requests_per_second', requests.average, '1/s', { min: 4000 }],
      ['latency_median', latency.p50, 'ms'],
      ['latency_p99', latency.p99, 'ms', { max: 5 }],
      ['failures', errors + non2xx, '', { max: 0 }],
      ['tick_p99', tickMsP99(busy), 'ms', unchanged(tickMsP99(quiet))],
      [
        'arrival_jitter_p99',
        busy.arrivals.jitterMsP99,
        'ms',
        unchanged(quiet.arrivals.jitterMsP99),
      ],
      ['server_cpu', serverCpu(busy), '% of one core'],
      ...busy.generator,
    ])
  } finally {
    spectators.end()
    await server.stop()
  }
}
