/** What gateways cost: commands over one, how old its frames are, and the owner's ticks. */
import { progress } from '@orrery/testkit/progress'
import { watchGenerator } from '@orrery/testkit/generator'
import { type Metric, type Row, percentile, rowsOf } from '@orrery/testkit/report'
import { growth } from '@orrery/testkit/scrape'
import { setTimeout as sleep } from 'node:timers/promises'
import { FrameAges } from './frame-ages.ts'
import { startLoadCluster } from '../load/cluster.ts'
import { openPilots, startCommands } from '../load/commands.ts'
import type { Pilot } from '../load/pilots.ts'
import type { MeasuredServer } from '../load/server.ts'
import { Swarm } from '../load/swarm.ts'
import { tickMsP99 } from '../load/window.ts'

export interface GatewaysOptions {
  readonly ships: number
  /** at the end; it begins with one */
  readonly gateways: number
  /** of each case [s] */
  readonly seconds: number
}

const RATE_HZ = 10
const COMMANDS_HZ = 50
const PILOTS = 50
const SETTLE_MS = 5000

const COMMAND_MS_MAX = 10
const AGE_MS_MAX = 5
/** Of the owner's ticks, with all gateways against one. */
const TICK_MAX = 1.03

interface Case {
  readonly owner: MeasuredServer
  /** of the gateway that takes commands */
  readonly url: string
  readonly pilots: readonly Pilot[]
  readonly ages: FrameAges
  readonly count: number
  readonly seconds: number
}

/** Each commit waits for a standby of the database. */
export async function gateways({
  ships,
  gateways: most,
  seconds,
}: GatewaysOptions): Promise<Row[]> {
  const cluster = await startLoadCluster({ pilots: ships, rateHz: RATE_HZ, isReplicated: true })
  const { owner, pilots } = cluster
  const ages = new FrameAges()
  const urls: string[] = []
  const swarms: Swarm[] = []
  const look = async (url: string): Promise<void> => {
    const swarm = new Swarm(url, 1000 / RATE_HZ)
    const place = swarms.push(swarm) - 1
    const { shipId, token } = pilots[PILOTS + place]
    const first = [{ type: 'subscribe', ids: [shipId] }]
    await swarm.join(token, { first, onText: (text) => ages.take(text, place) }).joined
  }
  try {
    await look(owner.url)
    const rows: Row[] = []
    let before: number | undefined
    for (const wanted of [1, most]) {
      while (urls.length < wanted) {
        urls.push((await cluster.addGateway({ WORKERS: '1' })).url)
        await look(urls.at(-1) ?? '')
      }
      const [url] = urls
      const one = { owner, url, pilots: pilots.slice(0, PILOTS), ages, count: wanted, seconds }
      const { metrics, tickMs } = await measured(one, before)
      rows.push(...rowsOf(`${wanted} gateways`, metrics))
      before = tickMs
    }
    return rows
  } finally {
    for (const swarm of swarms) swarm.end()
    await cluster.stop()
  }
}

/** @param before  the owner's tick with one gateway [ms] */
async function measured(
  { owner, url, pilots, ages, count, seconds }: Case,
  before: number | undefined,
): Promise<{ readonly metrics: Metric[]; readonly tickMs: number }> {
  const sockets = await openPilots(url, pilots)
  await sleep(SETTLE_MS)
  progress.at(`${count} gateways for ${seconds} s`)
  const generator = watchGenerator()
  const started = await owner.scrape()
  ages.begin()
  const commands = startCommands(sockets, COMMANDS_HZ)
  await sleep(1000 * seconds)
  const seen = ages.ms()
  const span = { before: started, after: await owner.scrape() }
  const own = generator()
  const { failures, ms } = await commands.stop()
  for (const socket of sockets) socket.close()
  const tickMs = tickMsP99(span)
  const cpu = (100 * growth('process_cpu_seconds_total', span)) / seconds
  return {
    tickMs,
    metrics: [
      ['commands', ms.length, ''],
      ['commands_failed', failures.length, '', { max: 0 }],
      ['command_p50', percentile(ms, 0.5), 'ms'],
      ['command_p99', percentile(ms, 0.99), 'ms', { max: COMMAND_MS_MAX }],
      ['frame_age_p50', percentile(seen, 0.5), 'ms'],
      ['frame_age_p99', percentile(seen, 0.99), 'ms', { max: AGE_MS_MAX }],
      ['owner_tick_p99', tickMs, 'ms', before === undefined ? before : { max: before * TICK_MAX }],
      ['owner_cpu', cpu, '% of one core'],
      ['ticks_dropped', growth('orrery_ticks_dropped_total', span), '', { max: 0 }],
      ...own,
    ],
  }
}
