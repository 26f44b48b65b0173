/** What others notice of a gateway that hangs or has a bad path, and of a client with one. */
import { createGameClient } from '@orrery/client'
import { progress } from '@orrery/testkit/progress'
import { type Metric, type Row, percentile, rowsOf } from '@orrery/testkit/report'
import { setTimeout as sleep } from 'node:timers/promises'
import { type Ways, startLink } from '../../scripts/cluster/link.ts'
import { startLoadCluster } from '../load/cluster.ts'
import { openPilots, startCommands } from '../load/commands.ts'
import type { MeasuredServer } from '../load/server.ts'
import { Swarm } from '../load/swarm.ts'
import { FrameAges } from './frame-ages.ts'

export interface DegradedOptions {
  readonly ships: number
  /** a gateway stands so long; the other cases take a third of it [s] */
  readonly seconds: number
}

const RATE_HZ = 10
const COMMANDS_HZ = 50
const PILOTS = 50
const SETTLE_MS = 5000
const LOOK_MS = 5

/** What others may notice [ms], what the owner may need more [MB], until all is in step [ms]. */
const AGE_MS_MAX = 2
const OWNER_MB_MAX = 20
const IN_STEP_MS_MAX = 1000

const SLOW: Ways = { there: { bytesPerSecond: 125_000 }, back: { bytesPerSecond: 125_000 } }
const LOSSY: Ways = { there: { loss: 0.01 }, back: { loss: 0.01 } }

export async function degraded({ ships, seconds }: DegradedOptions): Promise<Row[]> {
  const cluster = await startLoadCluster({ pilots: ships, rateHz: RATE_HZ })
  await using opened = new AsyncDisposableStack()
  opened.defer(() => cluster.stop())
  const { nats, owner, pilots } = cluster
  const bus = await startLink(nats.url)
  opened.defer(() => bus.end())
  const other = await cluster.addGateway({ WORKERS: '1' })
  const hit = await cluster.addGateway({ WORKERS: '1', NATS_URL: bus.url })
  const path = await startLink(other.url)
  opened.defer(() => path.end())
  const ages = new FrameAges()
  const swarm = new Swarm(path.url, 1000 / RATE_HZ)
  for (const [place, url] of [owner.url, other.url].entries()) {
    const watching = new Swarm(url, 1000 / RATE_HZ)
    opened.defer(() => watching.end())
    const { shipId, token } = pilots[PILOTS + place]
    const first = [{ type: 'subscribe', ids: [shipId] }]
    await watching.join(token, { first, onText: (text) => ages.take(text, place) }).joined
  }
  // It sees all.
  await swarm.join(pilots[PILOTS + 2].token).joined
  opened.defer(() => swarm.end())
  const sockets = await openPilots(owner.url, pilots.slice(0, PILOTS))
  const commands = startCommands(sockets, COMMANDS_HZ)
  await sleep(SETTLE_MS)

  let calm: Seen | undefined
  const measured = async (name: string, lasting: number, more: Metric[] = []): Promise<Row[]> => {
    const seen = await seenFor(owner, ages, lasting, name)
    const before = (calm ??= seen)
    const most = before.ageMs + AGE_MS_MAX
    return rowsOf(name, [
      ['others_frame_age_p99', seen.ageMs, 'ms', seen === before ? undefined : { max: most }],
      ['owner_heap_growth', seen.heldMb - before.heldMb, 'MB', { max: OWNER_MB_MAX }],
      ...more,
    ])
  }
  const inStep = async (): Promise<Row[]> =>
    rowsOf('afterwards', [['in_step', await stepMs(owner, hit), 'ms', { max: IN_STEP_MS_MAX }]])
  const third = seconds / 3
  const rows = await measured('all is well', third)
  process.kill(hit.pid ?? NaN, 'SIGSTOP')
  rows.push(...(await measured('a gateway stands', seconds)))
  process.kill(hit.pid ?? NaN, 'SIGCONT')
  rows.push(...(await inStep()))
  for (const [link, whose] of [
    [bus, "a gateway's bus"],
    [path, "a client's path"],
  ] as const) {
    for (const [ways, how] of [
      [SLOW, 'at 1 Mbit/s'],
      [LOSSY, 'with 1 % loss'],
    ] as const) {
      link.change(ways)
      rows.push(...(await measured(`${whose} ${how}`, third)))
      link.change({})
      rows.push(...(await inStep()))
    }
  }
  rows.push(...(await measured('all is well again', third)))
  const { failures } = await commands.stop()
  for (const socket of sockets) socket.close()
  return [...rows, ...rowsOf('all', [['commands_failed', failures.length, '', { max: 0 }]])]
}

interface Seen {
  readonly ageMs: number
  readonly heldMb: number
}

async function seenFor(
  owner: MeasuredServer,
  ages: FrameAges,
  seconds: number,
  what: string,
): Promise<Seen> {
  progress.at(what)
  ages.begin()
  await sleep(1000 * seconds)
  const ageMs = percentile(ages.ms(), 0.99)
  const { held } = await owner.memory()
  return { ageMs, heldMb: held / 1e6 }
}

/** Until a gateway shows the tick that its owner has shown, or the one before [ms]. */
async function stepMs(owner: MeasuredServer, gateway: MeasuredServer): Promise<number> {
  const startMs = performance.now()
  const [there, here] = [owner, gateway].map(({ url }) => createGameClient({ url }))
  for (;;) {
    const wanted = (await there.status()).tick - 1
    if ((await here.status()).tick >= wanted) return performance.now() - startMs
    await sleep(LOOK_MS)
  }
}
