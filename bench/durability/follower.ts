/**
 * What a second owner costs: a star system that is taken in beside a ticking one, and a follower
 * of a server under commands.
 */
import { type Bus, openBus } from '@orrery/bus'
import { type GameSocket, connectSocket } from '@orrery/client'
import { openDatabase } from '@orrery/database'
import {
  type KeptRow,
  type Universe,
  createGameClock,
  createPool,
  createReplay,
  inside,
  restoreUniverseInSlices,
  systemClock,
  universeImage,
  withWorld,
} from '@orrery/engine/testing'
import { createFollower } from '@orrery/game'
import { CONTROL_QUANTA, QUANTA_PER_SECOND, latticeFromUtc } from '@orrery/sim'
import { startService, statFields } from '@orrery/testkit'
import { NATS_SERVER, startNatsServer } from '@orrery/testkit/nats-server'
import { progress } from '@orrery/testkit/progress'
import { type Metric, type Row, percentile, rowsOf } from '@orrery/testkit/report'
import { growth } from '@orrery/testkit/scrape'
import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { type LoadServer, startLoadServer } from '../load/server.ts'
import { emptyUniverse, engineOf, enterShips } from '../populated-universe.ts'

export interface FollowerBenchOptions {
  /** of each star system */
  readonly ships: number
  /** how long a case is measured [s] */
  readonly seconds: number
}

const WORKERS = availableParallelism()
const RATE_HZ = 10

/** What is journalled behind the image of the system that is taken in. */
const JOURNAL_SECONDS = 60
const JOURNAL_COMMANDS_HZ = 20

const COMMANDS_HZ = 100
const PILOTS = 100

/** Goals. */
const TAKE_IN_MS = 1000
const LAG_MS = 1000 / RATE_HZ + 20
const CPU_SHARE = 1.05

/** Time between two looks at how far both have come [ms]. */
const LOOK_MS = 2

/** The system's own count of processor time, in which Linux reports it [1/s]. */
const TICKS_PER_SECOND = 100

export async function follower(options: FollowerBenchOptions): Promise<Row[]> {
  return [...(await takenIn(options)), ...(await followed(options))]
}

/** A system is taken in from its image and a minute of its journal. */
async function takenIn({ ships, seconds }: FollowerBenchOptions): Promise<Row[]> {
  progress.at(`a system of ${ships} ships beside a ticking one`)
  const nowMs = Date.now()
  const universe = await emptyUniverse(ships, nowMs)
  enterShips(universe, ships)
  const other = await emptyUniverse(ships, nowMs - 1000 * JOURNAL_SECONDS)
  enterShips(other, ships, (i) => `other-${i}`)
  const [{ index, setup }] = other.worlds
  const image = universeImage(other, createGameClock(index), 0)
  const rows = journalOf(other, index)
  const publishedMs: number[] = []
  const engine = engineOf(universe, {
    pool: createPool(universe, WORKERS, fail),
    onPublish: () => publishedMs.push(performance.now()),
  })
  engine.start()
  await sleep(1000 * seconds)
  const calm = apart(publishedMs.splice(0))

  const startMs = performance.now()
  const startCpu = process.cpuUsage()
  const { universe: taken } = await restoreUniverseInSlices(image, {
    ...setup,
    systems: [setup.system],
  })
  const [world] = taken.worlds
  const restoredMs = performance.now() - startMs
  const joined = withWorld(engine.universe, world)
  const pool = createPool(joined, WORKERS, fail)
  // On this thread: those of the new pool load their modules meanwhile.
  const replay = createReplay({ world, pool: undefined })
  for (const row of rows) await replay.apply(row)
  // The world that it joins has gone on meanwhile.
  while (world.index < engine.universe.worlds[0].index - QUANTA_PER_SECOND / RATE_HZ) {
    await replay.flyTo(engine.universe.worlds[0].index, 0)
  }
  await engine.regroup({ universe: joined, pool })
  const tookMs = performance.now() - startMs
  const { user, system } = process.cpuUsage(startCpu)
  const busy = apart(publishedMs.splice(0))
  await sleep(1000 * seconds)
  const after = apart(publishedMs.splice(0))
  await engine.stop()
  return rowsOf(`${ships} ships taken in`, [
    ['took', tookMs, 'ms', { max: TAKE_IN_MS }],
    ['processor_time_with_ticks', (user + system) / 1000, 'ms'],
    ['image_opened', restoredMs, 'ms'],
    ['ticks_apart_p99_before', percentile(calm, 0.99), 'ms'],
    ['ticks_apart_max_meanwhile', Math.max(...busy), 'ms'],
    ['ticks_apart_p99_after', percentile(after, 0.99), 'ms'],
  ])
}

/** Times between publications [ms]. */
function apart(times: readonly number[]): number[] {
  return times.slice(1).map((ms, i) => ms - times[i])
}

/** Commands at a steady rate, for ships in turn. */
function journalOf({ worlds: [world] }: Universe, index: number): KeptRow[] {
  const ships = [...world.roster.byNumber.keys()]
  return Array.from({ length: JOURNAL_SECONDS * JOURNAL_COMMANDS_HZ }, (_, i) => {
    const at = index + 1 + (i * QUANTA_PER_SECOND) / JOURNAL_COMMANDS_HZ
    return {
      sequence: world.intake.sequence + 1 + i,
      index: CONTROL_QUANTA * Math.ceil(at / CONTROL_QUANTA),
      command: {
        kind: 'control',
        ship: ships[i % ships.length],
        control: { thrustLevel: (i % 10) / 1000, pointing: 'prograde' },
      },
    }
  })
}

/** A follower of a server, in a process of its own and in this one. */
async function followed({ ships, seconds }: FollowerBenchOptions): Promise<Row[]> {
  let directory = ''
  const nats = NATS_SERVER ? await startNatsServer() : undefined
  const server = await startLoadServer({
    natsUrl: nats?.url,
    pilots: ships,
    rateHz: RATE_HZ,
    prepare: async (dataDirectory) => void (directory = dataDirectory),
  })
  const sockets = server.pilots
    .slice(0, PILOTS)
    .map(({ token }) => connectSocket({ url: server.url, token, view: { ids: [] } }))
  const auditor = startService({
    main: new URL('../../scripts/replay.ts', import.meta.url).href,
    args: ['--follow', '--json'],
    variables: { DATA_DIR: directory, MAX_SHIPS: String(ships) },
  })
  try {
    await Promise.all(sockets.map((socket) => socket.opened))
    await auditor.announced(/("event":"following")/)
    const ending = new AbortController()
    const commands = command(sockets, ending.signal)
    progress.at('a follower beside 100 commands/s')
    await sleep(1000 * seconds)
    const before = { cpu: cpuSeconds(auditor.pid), scrape: await server.scrape() }
    await sleep(1000 * seconds)
    const span = { before: before.scrape, after: await server.scrape() }
    const cpu = cpuSeconds(auditor.pid) - before.cpu
    const flight = growth('orrery_tick_phase_duration_seconds_sum{phase="flight"}', span)
    await auditor.stop()
    const lags = await lagsOf(server, directory, { ships, seconds })
    const bus =
      nats && (await openBus({ ...nats, onAway: fail, onBack: () => undefined, onError: fail }))
    const ahead = bus ? await lagsOf(server, directory, { ships, seconds }, bus) : []
    await bus?.close()
    ending.abort()
    await commands
    return rowsOf(`${ships} ships followed`, [
      ...lagRows('lag', lags),
      ...(bus ? lagRows('lag_by_bus', ahead) : []),
      ['flight_of_owner', (1000 * flight) / seconds, 'ms/s'],
      ['processor_of_follower', (1000 * cpu) / seconds, 'ms/s'],
      ['against_flight', cpu / flight, '×', { max: CPU_SHARE }],
    ])
  } finally {
    for (const socket of sockets) socket.close()
    await auditor.stop()
    await server.stop()
    await nats?.stop()
  }
}

function lagRows(name: string, lags: readonly number[]): Metric[] {
  return [
    [`${name}_p50`, percentile(lags, 0.5), 'ms'],
    [`${name}_p99`, percentile(lags, 0.99), 'ms', { max: LAG_MS }],
  ]
}

async function command(sockets: readonly GameSocket[], signal: AbortSignal): Promise<void> {
  const startMs = performance.now()
  for (let sent = 0; !signal.aborted; await sleep(1)) {
    const due = ((performance.now() - startMs) / 1000) * COMMANDS_HZ
    for (; sent < due; sent++) {
      const socket = sockets[sent % sockets.length]
      socket.control({ thrust_level: (sent % 10) / 1000 }).catch(() => undefined)
    }
  }
}

/** How far a follower in this process is behind what the server has published [ms]. */
async function lagsOf(
  server: LoadServer,
  directory: string,
  { ships, seconds }: FollowerBenchOptions,
  bus?: Bus,
): Promise<number[]> {
  const published: (readonly [atMs: number, index: number])[] = []
  const observer = connectSocket({ url: server.url, token: server.pilots[0].token })
  observer.on('tick', ({ game_time: time }) => {
    published.push([performance.now(), latticeFromUtc(Date.parse(time))])
  })
  const database = await openDatabase({
    directory: join(directory, 'game'),
    schema: 'game',
    readOnly: 'joined',
  })
  const follower = createFollower({
    sql: database.sql,
    bus,
    shipsMax: ships,
    clock: systemClock,
    logger: { info: () => undefined, error: fail, fatal: fail },
    createPool: (universe) => createPool(inside(universe), 1, fail),
    onOpened: () => undefined,
    onDigest: () => undefined,
    onAway: fail,
    onBack: () => undefined,
  })
  const ending = new AbortController()
  const running = follower.follow(ending.signal)
  const lags: number[] = []
  let seen = 0
  const endMs = performance.now() + 2000 * seconds
  while (performance.now() < endMs) {
    await sleep(LOOK_MS)
    const index = follower.position()?.index ?? 0
    // The second half: it has caught up by then.
    if (index === seen || performance.now() < endMs - 1000 * seconds) continue
    seen = index
    const at = published.find(([, one]) => one >= index)
    if (at) lags.push(performance.now() - at[0])
  }
  ending.abort()
  await running
  await follower.close()
  await database.close()
  observer.close()
  return lags
}

function cpuSeconds(pid: number | undefined): number {
  const [user, system] = statFields(pid ?? 0).slice(11, 13)
  return (Number(user) + Number(system)) / TICKS_PER_SECOND
}

function fail(error: unknown): never {
  throw error instanceof Error ? error : new Error(JSON.stringify(error))
}
