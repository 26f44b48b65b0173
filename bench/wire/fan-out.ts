/** Clients by the thousand of a server on one core, beside sockets alone. */
import { progress } from '@orrery/testkit/progress'
import { type Metric, type Row, rowsOf } from '@orrery/testkit/report'
import { setTimeout as sleep } from 'node:timers/promises'
import { viewOf } from '../load/pilots.ts'
import { type BareOptions, bareSockets } from './bare-sockets.ts'
import { startLoadGateway } from '../load/cluster.ts'
import { joinAll } from '../load/join-all.ts'
import { type LoadServer, pin, startLoadServer } from '../load/server.ts'
import { Swarm, type SwarmSocket, type Wire } from '../load/swarm.ts'
import {
  type Window,
  fanOutMsMean,
  fanOutMsP99,
  serverCpu,
  tickMsP99,
  window,
} from '../load/window.ts'

export interface FanOutOptions {
  readonly clients: number
  /** length of a case [s] */
  readonly seconds: number
  /** whether the server is a gateway, and its world another process' */
  readonly isGateway: boolean
}

const FAST_HZ = 10
const SLOW_HZ = 2
const IN_VIEW = 200
const FEW_IN_VIEW = 50
const FEW_CLIENTS = 100
const SETTLE_MS = 5000
/** What is promised of binary frames: the 99th percentile, and the mean of the fast case [ms]. */
const FAN_OUT_MS_MAX = 20
const FAN_OUT_MEAN_MS_MAX = 8
const CPU_MAX = 80
const HEAP_KB_MAX = 20

interface Measured {
  readonly rows: Row[]
  /** the calm frames of many clients, as sockets alone would carry them */
  readonly bare: BareOptions
}

/** The server has a core of its own, where the system can say so; so has this process. */
export async function fanOut(options: FanOutOptions): Promise<Row[]> {
  return onOneCore(options, SLOW_HZ, async (server) => {
    const rows: Row[] = []
    for (const wire of ['json', 'binary'] as const) {
      const swarm = new Swarm(server.url, 1000 / SLOW_HZ, wire)
      rows.push(...(await slow(server, swarm, { ...options, wire }).catch(overloaded)))
      swarm.end()
      await sleep(SETTLE_MS)
    }
    await server.admin.game.changeTickRate(FAST_HZ)
    const { rows: fast, bare } = await many(server, options)
    return { rows: [...rows, ...fast], bare }
  })
}

/** Binary frames alone, at the greater rate. */
export function fastFanOut(options: FanOutOptions): Promise<Row[]> {
  return onOneCore(options, FAST_HZ, (server) => many(server, options))
}

async function onOneCore(
  { clients, isGateway }: FanOutOptions,
  rateHz: number,
  measure: (server: LoadServer) => Promise<Measured>,
): Promise<Row[]> {
  const server = await (isGateway ? startLoadGateway : startLoadServer)({ pilots: clients, rateHz })
  const cores = await Promise.all([pin(server.pid, 0), pin(process.pid, 1)])
  const rows = rowsOf('cores', [['pinned', cores.filter(Boolean).length, 'processes']])
  let measured: Measured
  try {
    measured = await measure(server)
  } finally {
    await server.stop()
  }
  progress.at('bare sockets')
  return [...rows, ...measured.rows, ...(await bareSockets(measured.bare))]
}

async function slow(
  server: LoadServer,
  swarm: Swarm,
  { clients, seconds, wire }: FanOutOptions & { readonly wire: Wire },
): Promise<Row[]> {
  await joinSome(server, swarm, { from: 0, to: clients, inView: FEW_IN_VIEW })
  const seen = await window(server, swarm, seconds)
  return served({ clients, inView: FEW_IN_VIEW, rateHz: SLOW_HZ, wire }, seen)
}

/** A server that is kept too busy to answer goes on with the next case. */
function overloaded(error: unknown): Row[] {
  if (Object(error).code !== 'timeout') throw error
  return rowsOf(`overloaded: ${Object(error).message}`, [['answers', 0, '']])
}

/** More ships and more ticks than JSON could carry; then all ships burn. */
async function many(server: LoadServer, { clients, seconds }: FanOutOptions): Promise<Measured> {
  const swarm = new Swarm(server.url, 1000 / FAST_HZ, 'binary')
  const few = await joinSome(server, swarm, { from: 0, to: FEW_CLIENTS, inView: IN_VIEW })
  const before = await server.memory()
  const rest = { from: FEW_CLIENTS, to: clients, inView: IN_VIEW }
  const sockets = [...few, ...(await joinSome(server, swarm, rest))]
  const view = { clients, inView: IN_VIEW, rateHz: FAST_HZ, wire: 'binary' as const }
  const calm = await window(server, swarm, seconds)
  const rows = served(view, calm, FAN_OUT_MEAN_MS_MAX)
  const { held } = await server.memory()
  const added = held - before.held
  rows.push(
    ...rowsOf(`${clients} against ${FEW_CLIENTS} clients`, [
      ['server_heap_growth', added / 1e6, 'MB'],
      ['heap_per_client', added / (clients - FEW_CLIENTS) / 1000, 'kB', { max: HEAP_KB_MAX }],
    ]),
  )
  for (const socket of sockets) socket.send('{"type":"control","thrust_level":0.1}')
  const thrusting = async (): Promise<Row[]> => {
    await sleep(SETTLE_MS)
    return served({ ...view, note: ', all thrusting' }, await window(server, swarm, seconds))
  }
  rows.push(...(await thrusting().catch(overloaded)))
  swarm.end()
  const { bytes, frames } = calm.arrivals
  const ticks = calm.seconds * FAST_HZ
  const size = { frames: Math.round(frames / ticks), bytes: Math.round(bytes / frames) }
  return { rows, bare: { sockets: clients, rateHz: FAST_HZ, seconds, ...size } }
}

async function joinSome(
  server: LoadServer,
  swarm: Swarm,
  { from, to, inView }: { readonly from: number; readonly to: number; readonly inView: number },
): Promise<SwarmSocket[]> {
  const views = server.pilots.map((pilot, i) => {
    return [pilot, { first: [viewOf(server.pilots, i, inView)] }] as const
  })
  const sockets = await joinAll(server, swarm, views.slice(from, to))
  await sleep(SETTLE_MS)
  return sockets
}

interface View {
  readonly clients: number
  readonly inView: number
  readonly rateHz: number
  readonly wire: Wire
  readonly note?: string
}

function served(
  { clients, inView, rateHz, wire, note = '' }: View,
  seen: Window,
  mean?: number,
): Row[] {
  const { arrivals, seconds } = seen
  const isBinary = wire === 'binary'
  const isFast = rateHz === FAST_HZ
  const metrics: Metric[] = [
    ['fan_out_mean', fanOutMsMean(seen), 'ms', mean === undefined ? mean : { max: mean }],
    ['fan_out_p99', fanOutMsP99(seen), 'ms', isBinary ? { max: FAN_OUT_MS_MAX } : undefined],
    ['arrival_spread_p99', arrivals.spreadMsP99, 'ms'],
    ['tick_p99', tickMsP99(seen), 'ms'],
    ['frames', arrivals.frames / seconds, '1/s'],
    ['traffic', arrivals.bytes / seconds / 1e6, 'MB/s'],
    ['server_cpu', serverCpu(seen), '% of one core', isFast ? { max: CPU_MAX } : undefined],
    ...seen.generator,
  ]
  return rowsOf(`${clients} × ${inView} ships, ${rateHz} Hz, ${wire}${note}`, metrics)
}
