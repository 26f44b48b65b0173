/** What players notice while a star system with many ships goes from host to host. */
import { api } from '@orrery/client/routes'
import { SYSTEM_IDS } from '@orrery/game'
import { progress } from '@orrery/testkit/progress'
import { type Metric, type Row, percentile, rowsOf } from '@orrery/testkit/report'
import { growth } from '@orrery/testkit/scrape'
import { setTimeout as sleep } from 'node:timers/promises'
import { type Watcher, startWatcher } from '../../scripts/cluster/watchers.ts'
import { type LoadCluster, inStep, startLoadCluster } from '../load/cluster.ts'
import { openPilots, startCommands } from '../load/commands.ts'

export interface MovesOptions {
  /** in the system that is moved */
  readonly ships: number
  readonly moves: number
}

const RATE_HZ = 10
const COMMANDS_HZ = 50
const PILOTS = 50

/** Requests at once that take ships to the system. */
const LANES = 512

const LOOK_MS = 20

/** Of a move, once the system has its new owner [ms]. */
const AFTERWARDS_MS = 500

/** Without moves, before them [ms]. */
const CALM_MS = 10_000

const GAP_MS_MAX = 150
const COMMAND_MS_MAX = 60

export async function moves({ ships, moves: count }: MovesOptions): Promise<Row[]> {
  const [, systemId] = SYSTEM_IDS
  const cluster = await startLoadCluster({ pilots: ships, rateHz: RATE_HZ })
  try {
    const { owner, pilots } = cluster
    const lane = async (place: number): Promise<void> => {
      for (let i = place; i < ships; i += LANES) {
        progress.at('ships jump', i, ships)
        await owner.admin.ships.transfer(pilots[i].shipId, systemId)
      }
    }
    await Promise.all(Array.from({ length: LANES }, (_, place) => lane(place)))
    const hosts = [owner.url, await cluster.addHost()]
    const gateway = await cluster.addGateway()
    const watchers = [owner, gateway].map(({ url }, place) => {
      return startWatcher(pilots[place], { url, gateway: place, systemId })
    })
    const sockets = await openPilots(gateway.url, pilots.slice(2, 2 + PILOTS))
    progress.at('nothing moves')
    const quiet = startCommands(sockets, COMMANDS_HZ)
    for (const one of watchers) one.begin()
    await sleep(CALM_MS)
    const calmGapMs = longestOf(watchers)
    const calm = await quiet.stop()
    const before = await owner.scrape()
    const commands = startCommands(sockets, COMMANDS_HZ)
    const gaps: [there: number[], back: number[]] = [[], []]
    for (let move = 0; move < count; move++) {
      progress.at('moves', move, count)
      const url = hosts[1 - (move % 2)]
      gaps[move % 2].push(await moved(cluster, { url, systemId, watchers }))
    }
    const { failures, ms } = await commands.stop()
    const dropped = growth('orrery_ticks_dropped_total', { before, after: await owner.scrape() })
    for (const one of [...sockets, ...watchers]) one.close()
    for (const failure of failures.slice(0, 3)) progress.at(String(failure))
    const name = `${count} moves of ${ships} ships`
    return rowsOf(name, [
      ['frame_gap_max_before', calmGapMs, 'ms'],
      ['command_p99_before', percentile(calm.ms, 0.99), 'ms'],
      ['ticks_dropped_by_leader', dropped, '', { max: 0 }],
      // To a host that stands by, and to one that flies.
      ...(['there', 'back'] as const).flatMap((way, place): Metric[] => [
        [`frame_gap_p50_${way}`, percentile(gaps[place], 0.5), 'ms'],
        [`frame_gap_max_${way}`, Math.max(...gaps[place]), 'ms', { max: GAP_MS_MAX }],
      ]),
      ['commands', ms.length, ''],
      ['commands_failed', failures.length, '', { max: 0 }],
      ['command_p99', percentile(ms, 0.99), 'ms', { max: COMMAND_MS_MAX }],
    ])
  } finally {
    await cluster.stop()
  }
}

/** Moves the system; returns the longest time that its ships stood still for a client [ms]. */
async function moved(
  { owner }: LoadCluster,
  {
    url,
    systemId,
    watchers,
  }: {
    readonly url: string
    readonly systemId: string
    readonly watchers: readonly Watcher[]
  },
): Promise<number> {
  // What a host has given away last it follows again.
  if (url !== owner.url) await inStep(owner.admin, url)
  const { admin } = owner
  for (const one of watchers) one.begin()
  const find = async () => {
    const { hosts } = await admin.call(api.listHosts)
    return hosts.find((one) => one.url === url)
  }
  const host = await find()
  if (!host) throw new Error(`${url} is not listed`)
  await admin.call(api.moveSystem, { host_id: host.host_id, system_id: systemId })
  const isThere = async (): Promise<boolean> =>
    (await find())?.system_ids.includes(systemId) ?? false
  while (!(await isThere())) await sleep(LOOK_MS)
  await sleep(AFTERWARDS_MS)
  return longestOf(watchers)
}

function longestOf(watchers: readonly Watcher[]): number {
  return Math.max(...watchers.map((one) => one.longestMs()))
}
