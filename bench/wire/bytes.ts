/** What a ship in view costs per tick: one client on each wire, on one server. */
import { BUDGET_MAX } from '@orrery/protocol'
import { progress } from '@orrery/testkit/progress'
import { type Metric, type Row, rowsOf } from '@orrery/testkit/report'
import { growth } from '@orrery/testkit/scrape'
import { setTimeout as sleep } from 'node:timers/promises'
import { type LoadServer, startLoadServer } from '../load/server.ts'
import { Swarm, type SwarmSocket } from '../load/swarm.ts'
import { type Window, window } from '../load/window.ts'
import { ReceivedShips } from './received-ships.ts'

const RATE_HZ = 10
const IN_VIEW = 1000
const WIDE_VIEW = 10_000
/** The most that a JSON frame holds. */
const JSON_VIEW = 256
/** Steps in low orbit begin together, chunk by chunk: all do within so long [s]. */
const STEP_SECONDS = 64
const FAST_SCALE = 100
const SHORT_SECONDS = 20
/** 1 to 1.5 m/s² [share of full thrust] */
const THRUST = 0.1
/** Pilots that give an order at once. */
const LANES = 50
const COMPLETE_MS_MAX = 120_000
const SETTLE_MS = 3000

interface Watchers {
  readonly server: LoadServer
  readonly json: Swarm
  readonly binary: Swarm
  readonly sockets: readonly SwarmSocket[]
}

/** A thousand ships that coast, at two scales, then burn steadily. */
export async function bytes(): Promise<Row[]> {
  const watchers = await watch(IN_VIEW)
  const { admin } = watchers.server
  try {
    const rows = await perShip(watchers, 'coasting, scale 1', { seconds: STEP_SECONDS, max: 0.3 })
    await admin.game.changeTimeScale(FAST_SCALE)
    const fast = { seconds: SHORT_SECONDS, max: 26 }
    rows.push(...(await perShip(watchers, `coasting, scale ${FAST_SCALE}`, fast)))
    await admin.game.changeTimeScale(1)
    await thrustAll(watchers)
    const burning = { seconds: SHORT_SECONDS, max: 5 }
    rows.push(...(await perShip(watchers, 'thrusting steadily, scale 1', burning)))
    return rows
  } finally {
    await end(watchers)
  }
}

/** Ten thousand ships that coast. */
export async function wideView(): Promise<Row[]> {
  const watchers = await watch(WIDE_VIEW)
  try {
    const { server, binary } = watchers
    const { arrivals, seconds } = await window(server, binary, STEP_SECONDS)
    return rowsOf(`${WIDE_VIEW} coasting in view`, [
      ['binary_traffic', (8 * arrivals.bytes) / seconds / 1000, 'kbit/s', { max: 256 }],
      ['binary_frames', arrivals.frames / seconds, '1/s'],
    ])
  } finally {
    await end(watchers)
  }
}

/** Starts a server, with the last two pilots watching. */
async function watch(ships: number): Promise<Watchers> {
  const server = await startLoadServer({ pilots: ships, rateHz: RATE_HZ })
  const json = new Swarm(server.url, 1000 / RATE_HZ)
  const binary = new Swarm(server.url, 1000 / RATE_HZ, 'binary')
  const [first, second] = server.pilots.slice(-2)
  const received = new ReceivedShips()
  const sockets = [
    json.join(first.token),
    binary.join(second.token, {
      first: [{ type: 'subscribe', budget: BUDGET_MAX }],
      onFrame: (frame) => received.take(frame),
    }),
  ]
  const endMs = performance.now() + COMPLETE_MS_MAX
  while (!received.isComplete(ships)) {
    progress.at('ships come into view', received.inView, ships)
    if (performance.now() > endMs) throw new Error(`${received.inView} ships came into view.`)
    await sleep(100)
  }
  return { server, json, binary, sockets }
}

async function perShip(
  { server, json, binary }: Watchers,
  name: string,
  { seconds, max }: { readonly seconds: number; readonly max: number },
): Promise<Row[]> {
  progress.at(name)
  await sleep(SETTLE_MS)
  const [texts, frames] = await Promise.all([
    window(server, json, seconds),
    window(server, binary, seconds),
  ])
  const metrics: Metric[] = [
    ['json', texts.arrivals.bytes / texts.arrivals.frames / JSON_VIEW, 'B per ship and tick'],
    ['binary', frames.arrivals.bytes / ticks(frames) / IN_VIEW, 'B per ship and tick', { max }],
    ['binary_frames', frames.arrivals.frames / frames.seconds, '1/s'],
  ]
  return rowsOf(name, metrics)
}

function ticks(span: Window): number {
  return growth('orrery_tick_duration_seconds_count', span)
}

/** Every ship burns from now on, the watchers' last. */
async function thrustAll({ server, sockets }: Watchers): Promise<void> {
  const order = JSON.stringify({ type: 'control', id: 1, thrust_level: THRUST })
  const swarm = new Swarm(server.url, 1000 / RATE_HZ)
  const left = server.pilots.slice(0, -2)
  const lane = async (): Promise<void> => {
    for (let pilot = left.pop(); pilot; pilot = left.pop()) {
      const accepted = Promise.withResolvers<void>()
      const socket = swarm.join(pilot.token, {
        first: [{ type: 'subscribe', ids: [] }],
        onText: (text) => text.startsWith('{"type":"accepted"') && accepted.resolve(),
      })
      await socket.joined
      progress.at('ships begin to burn', server.pilots.length - left.length, server.pilots.length)
      socket.send(order)
      await accepted.promise
      socket.end()
    }
  }
  await Promise.all(Array.from({ length: LANES }, lane))
  for (const socket of sockets) socket.send(order)
}

async function end({ server, json, binary }: Watchers): Promise<void> {
  json.end()
  binary.end()
  await server.stop()
}
