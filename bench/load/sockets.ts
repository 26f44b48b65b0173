/**
 * The cost of a thousand players and some hostile ones for the real server. This process is all
 * of the players; each case also reports how busy that keeps it.
 */
import { CLOSE_CODES } from '@orrery/protocol'
import { watchGenerator } from '@orrery/testkit/generator'
import { progress } from '@orrery/testkit/progress'
import { type Metric, percentile, type Row, rowsOf } from '@orrery/testkit/report'
import { growth } from '@orrery/testkit/scrape'
import autocannon from 'autocannon'
import { setTimeout as sleep } from 'node:timers/promises'
import { joinAll } from './join-all.ts'
import { type Pilot, viewOf } from './pilots.ts'
import { ADMIN, type LoadServer, startLoadServer } from './server.ts'
import { type JoinOptions, Swarm, type SwarmSocket } from './swarm.ts'
import {
  type Window,
  fanOutMsMean,
  fanOutMsP99,
  serverCpu,
  tickMsP99,
  unchanged,
  window,
} from './window.ts'

export interface SocketsOptions {
  /** players of the cases with a thousand */
  readonly clients: number
  /** length of the long cases [s] */
  readonly seconds: number
  /** ticks per second, save in the case of logins */
  readonly rateHz: number
}

const IN_VIEW = 50
const STORM = 500
const STORM_MS = 1000
/** Of 10,000 players. */
const JOIN_S_MAX = 60
const STALLED_SHARE = 0.1
/** The system's buffers alone take 3 MB of each. */
const STALLED_MAX = 100
/** The system's own buffers take some 3 MB of a loopback socket before the server holds any. */
const FILLING_MS_MAX = 60_000
/** Measured before the server closes, after 10 s of holding. */
const HOLDING_MS = 7000
const FLOOD_PER_SECOND = 10_000
const FLOOD_MS_MAX = 5000
const LOGINS_HZ = 10

/** Time for what a change set off to die down. */
const PAUSE_MS = 3000

/** Runs all cases on one server, from gentle to rude. */
export async function sockets(options: SocketsOptions): Promise<Row[]> {
  const { clients, rateHz } = options
  const server = await startLoadServer({ pilots: Math.max(clients, STORM) + 1, rateHz })
  const players = server.pilots.slice(0, clients)
  const swarm = new Swarm(server.url, 1000 / rateHz)
  try {
    const rows = await joinStorm(server, swarm)
    const { joined, seconds } = await joinPlayers(server, swarm, players)
    rows.push(...rowsOf(`${clients} join`, [['joined_within', seconds, 's', { max: JOIN_S_MAX }]]))
    const calm = await window(server, swarm, options.seconds)
    rows.push(...served(options, calm))
    rows.push(...(await stalled(server, swarm, { joined, calm })))
    rows.push(...(await flood(server, swarm, calm)))
    swarm.end()
    rows.push(...(await logins(server, options)))
    return rows
  } finally {
    swarm.end()
    await server.stop()
  }
}

/** As many ships in view as the others, but different ones. */
function view(players: readonly Pilot[], i: number): JoinOptions {
  return { first: [viewOf(players, i, IN_VIEW)] }
}

/** Everybody at once, evenly over a second. */
async function joinStorm(server: LoadServer, swarm: Swarm): Promise<Row[]> {
  const name = `${STORM} sockets in 1 s`
  progress.at(name)
  const generator = watchGenerator()
  const joined: Promise<number | undefined>[] = []
  const startMs = performance.now()
  while (joined.length < STORM) {
    const due = Math.min(STORM, ((performance.now() - startMs) / STORM_MS) * STORM)
    for (let i = joined.length; i < due; i++) {
      joined.push(swarm.join(server.pilots[i].token, view(server.pilots, i)).joined)
    }
    await sleep(1)
  }
  const times = await Promise.all(joined)
  const welcomed = times.filter((ms) => ms !== undefined)
  const own = generator()
  swarm.end()
  await sleep(PAUSE_MS)
  return rowsOf(name, [
    ['failures', STORM - welcomed.length, '', { max: 0 }],
    ['welcome_p50', percentile(welcomed, 0.5), 'ms'],
    ['welcome_p99', percentile(welcomed, 0.99), 'ms'],
    ...own,
  ])
}

/** Everybody, each with as many ships in view. */
async function joinPlayers(
  server: LoadServer,
  swarm: Swarm,
  players: readonly Pilot[],
): Promise<{ readonly joined: SwarmSocket[]; readonly seconds: number }> {
  const views = players.map((pilot, i) => [pilot, view(players, i)] as const)
  const startMs = performance.now()
  const joined = await joinAll(server, swarm, views)
  const seconds = (performance.now() - startMs) / 1000
  await sleep(PAUSE_MS)
  return { joined, seconds }
}

function served({ clients, rateHz }: SocketsOptions, calm: Window): Row[] {
  const { arrivals, seconds } = calm
  return rowsOf(`${clients} at ${rateHz} Hz, ${IN_VIEW} in view`, [
    ['ticks_dropped', growth('orrery_ticks_dropped_total', calm), '', { max: 0 }],
    ['frames_missed', arrivals.missedTicks, '', { max: 0 }],
    ['fan_out_mean', fanOutMsMean(calm), 'ms'],
    ['fan_out_p99', fanOutMsP99(calm), 'ms', { max: 50 }],
    ['arrival_spread_p99', arrivals.spreadMsP99, 'ms'],
    ['arrival_jitter_p99', arrivals.jitterMsP99, 'ms'],
    ['frames', arrivals.frames / seconds, '1/s'],
    ['traffic', arrivals.bytes / seconds / 1e6, 'MB/s'],
    ['server_cpu', serverCpu(calm), '% of one core'],
    ...calm.generator,
  ])
}

/** A tenth of all, a hundred at most, stop reading; a view of all ships fills buffers sooner. */
async function stalled(
  server: LoadServer,
  swarm: Swarm,
  { joined, calm }: { readonly joined: readonly SwarmSocket[]; readonly calm: Window },
): Promise<Row[]> {
  progress.at('some stall')
  const idle = joined.slice(0, Math.min(STALLED_MAX, Math.round(STALLED_SHARE * joined.length)))
  const before = await server.memory()
  await sleep(PAUSE_MS)
  for (const socket of idle) {
    socket.send('{"type":"subscribe"}')
    socket.stall()
  }
  await filled(server)
  const seen = await window(server, swarm, HOLDING_MS / 1000)
  const { rss, held: bytes } = await server.memory()
  await sleep(2 * HOLDING_MS)
  const slow = growth('orrery_sockets_closed_total{reason="slow"}', {
    before: seen.before,
    after: await server.scrape(),
  })
  const others = joined.length - idle.length
  return rowsOf(`${idle.length} of them stalled`, [
    ['server_rss_growth', (rss - before.rss) / 1e6, 'MB', { max: 20 }],
    ['server_heap_growth', (bytes - before.held) / 1e6, 'MB', { max: 20 }],
    ['bytes_queued', (seen.after.get('orrery_socket_queued_bytes') ?? NaN) / 1e6, 'MB'],
    ['closed_as_slow', slow, '', { min: idle.length }],
    ['others_frames', seen.arrivals.frames / seen.seconds / others, '1/s each'],
    ...undisturbed(seen, calm),
  ])
}

/** Waits until the server has to hold bytes for sockets that do not drain. */
async function filled(server: LoadServer): Promise<void> {
  const endMs = performance.now() + FILLING_MS_MAX
  while (performance.now() < endMs) {
    const scrape = await server.scrape()
    if ((scrape.get('orrery_socket_queued_bytes') ?? 0) > 0) break
    await sleep(1000)
  }
}

/** What one hostile client must not change for the others. */
function undisturbed(seen: Window, calm: Window): Metric[] {
  const { missedTicks, jitterMsP99 } = seen.arrivals
  return [
    ['others_frames_missed', missedTicks, '', { max: 0 }],
    ['fan_out_p99', fanOutMsP99(seen), 'ms', unchanged(fanOutMsP99(calm))],
    ['others_arrival_jitter_p99', jitterMsP99, 'ms', unchanged(calm.arrivals.jitterMsP99)],
    ...seen.generator,
  ]
}

/** One more player sends the same message repeatedly. */
async function flood(server: LoadServer, swarm: Swarm, calm: Window): Promise<Row[]> {
  progress.at('one floods')
  const flooder = new Swarm(server.url, 1000)
  const socket = flooder.join(server.pilots.at(-1)?.token ?? '', { first: [viewOf([], 0, 0)] })
  await socket.joined
  const looking = window(server, swarm, 10)
  await sleep(1000)
  const startMs = performance.now()
  let sent = 0
  while (socket.isOpen && performance.now() - startMs < FLOOD_MS_MAX) {
    const due = ((performance.now() - startMs) / 1000) * FLOOD_PER_SECOND
    for (; sent < due; sent++) socket.send('{"type":"ping"}')
    await sleep(1)
  }
  const closedMs = performance.now() - startMs
  const seen = await looking
  flooder.end()
  return rowsOf(`one sends ${FLOOD_PER_SECOND} a second`, [
    ['closed_after', closedMs, 'ms', { max: 1000 }],
    ['closed_for_flooding', Number(socket.closeCode === CLOSE_CODES.flooding), '', { min: 1 }],
    ['messages_sent', sent, ''],
    ...undisturbed(seen, calm),
  ])
}

/** As many logins as the server can hash passwords, while it ticks fast. */
async function logins(server: LoadServer, { seconds }: SocketsOptions): Promise<Row[]> {
  progress.at('logins')
  await server.admin.game.changeTickRate(LOGINS_HZ)
  const spectators = new Swarm(server.url, 1000 / LOGINS_HZ)
  for (const { token } of server.pilots.slice(0, 10)) await spectators.join(token).joined
  await sleep(PAUSE_MS)
  const duration = Math.min(20, seconds)
  const quiet = await window(server, spectators, duration)
  const [busy, { requests, errors, non2xx }] = await Promise.all([
    window(server, spectators, duration),
    autocannon({
      url: new URL('/api/auth/login', server.url).href,
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(ADMIN),
      connections: 8,
      workers: 1,
      duration,
    }),
  ])
  spectators.end()
  return rowsOf(`logins at ${LOGINS_HZ} Hz`, [
    ['logins_per_second', requests.average, '1/s', { min: 20 }],
    ['failures', errors + non2xx, '', { max: 0 }],
    ['tick_p99', tickMsP99(busy), 'ms', unchanged(tickMsP99(quiet))],
    ['arrival_jitter_p99', busy.arrivals.jitterMsP99, 'ms', unchanged(quiet.arrivals.jitterMsP99)],
    ['server_cpu', serverCpu(busy), '% of one core'],
    ...busy.generator,
  ])
}
