/**
 * What it costs to lose nothing: how soon a killed world ticks again, and how long a command waits
 * until it is acknowledged.
 */
import { type GameSocket, createGameClient } from '@orrery/client'
import { processesLeft, startService } from '@orrery/testkit'
import { watchGenerator } from '@orrery/testkit/generator'
import { progress } from '@orrery/testkit/progress'
import { type Metric, percentile, type Row, rowsOf } from '@orrery/testkit/report'
import { growth } from '@orrery/testkit/scrape'
import { execFile } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { availableParallelism, tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import type { JournalledWorld } from './journalled-world.ts'
import { openPilots, startCommands } from '../load/commands.ts'
import { type LoadServer, startLoadServer } from '../load/server.ts'
import { shownLate } from './shown-late.ts'

export interface DurabilityOptions {
  /** ships of all worlds here */
  readonly ships: number
  /** how long a case is measured [s] */
  readonly seconds: number
}

const WORKERS = availableParallelism()

/** Ten minutes under commands; and the most that a running server has since its last snapshot. */
const JOURNAL_SECONDS = 600
const KEPT_SECONDS = 60
const JOURNAL_COMMANDS_HZ = 20

/** Ships whose pilots are there; the others coast. */
const STEERED_SHARE = 0.1

const COMMANDS_HZ = 100
const PILOTS = 100

const RATE_HZ = 10

/** Of the world between two snapshots; and so much longer is measured for that. */
const STORING_REST_MS = 300
const STORING_TIMES = 3

/** Goals for the p99 of acknowledgements [ms]. */
const CALM_MS = 8
const STORING_MS = 20

/** The database of a killed server ends by itself in this time [ms]. */
const ENDING_MS_MAX = 60_000

export async function durability(options: DurabilityOptions): Promise<Row[]> {
  return [
    ...(await recovery(options.ships, Math.round(STEERED_SHARE * options.ships), JOURNAL_SECONDS)),
    ...(await recovery(options.ships, options.ships, JOURNAL_SECONDS)),
    ...(await recovery(options.ships, options.ships, KEPT_SECONDS)),
    ...(await acknowledgements(options)),
    ...(await shownLate(options)),
  ]
}

const execute = promisify(execFile)

function script(name: string): string {
  return fileURLToPath(new URL(`${name}.ts`, import.meta.url))
}

/** A killed world comes back. */
async function recovery(ships: number, steered: number, seconds: number): Promise<Row[]> {
  progress.at(`a killed world of ${ships} ships, ${steered} steered, ${seconds} s`)
  const dataDirectory = await mkdtemp(join(tmpdir(), 'orrery-bench-'))
  try {
    const world: JournalledWorld = {
      dataDirectory,
      ships,
      steered,
      seconds,
      commandsPerSecond: JOURNAL_COMMANDS_HZ,
    }
    await execute(process.execPath, [script('journalled-world'), JSON.stringify(world)]).catch(
      (error: unknown) => {
        // It was to be killed.
        if (Object(error).signal !== 'SIGKILL') throw error
      },
    )
    const { listeningMs, tickingMs } = await startTimes(dataDirectory)
    return rowsOf(`${ships} ships, ${steered} steered, ${seconds} s`, [
      ['killed_to_listening', listeningMs, 'ms', { max: 5000 }],
      ['killed_to_next_tick', tickingMs, 'ms'],
    ])
  } finally {
    await processesLeft(join(dataDirectory, 'game'), ENDING_MS_MAX)
    await rm(dataDirectory, { recursive: true, force: true })
  }
}

/** From the process's start until it listens, and until the first tick after the recovered one. */
async function startTimes(
  dataDirectory: string,
): Promise<{ readonly listeningMs: number; readonly tickingMs: number }> {
  const startMs = performance.now()
  const server = startService({
    main: import.meta.resolve('@orrery/gateway/main'),
    variables: {
      PORT: '0',
      LOG_LEVEL: 'error',
      DATA_DIR: dataDirectory,
      WORKERS: String(WORKERS),
      JWT_SECRET_KEY: 'a key for a bench that listens on 127.0.0.1',
      ADMIN_USERNAME: 'bench_admin',
      ADMIN_PASSWORD: 'a password for a bench',
    },
  })
  try {
    const url = await server.ready
    const listeningMs = server.readyMs()
    const game = createGameClient({ url })
    const { tick: first } = await game.status()
    while ((await game.status()).tick === first) await sleep(10)
    return { listeningMs, tickingMs: performance.now() - startMs }
  } finally {
    await server.kill()
  }
}

/** Commands at a steady rate, from being sent until they are acknowledged. */
async function acknowledgements({ ships, seconds }: DurabilityOptions): Promise<Row[]> {
  const server = await startLoadServer({ pilots: ships, rateHz: RATE_HZ })
  const sockets = await openPilots(server.url, server.pilots.slice(0, PILOTS))
  try {
    const name = `${COMMANDS_HZ} commands/s`
    progress.at('acknowledgements')
    const calm = await commanded(server, sockets, seconds)
    const storing = startStoring(server)
    const isStoring = (): boolean => storing.isUnderWay()
    progress.at('acknowledgements beside snapshots')
    const busy = await commanded(server, sockets, STORING_TIMES * seconds, isStoring)
    const stored = await storing.stop()
    return [
      ...rowsOf(name, latencyMetrics(calm, { max: CALM_MS })),
      ...rowsOf(`${name}, storing`, [
        ['snapshots', stored, ''],
        ...latencyMetrics(busy, { max: STORING_MS }),
        ['p99_against_none', busy.msP99 / calm.msP99, '×'],
      ]),
    ]
  } finally {
    for (const socket of sockets) socket.close()
    await server.stop()
  }
}

interface Commanded {
  readonly acknowledged: number
  readonly failed: number
  readonly msP50: number
  readonly msP99: number
  readonly ticksDropped: number
  readonly generator: readonly Metric[]
}

/** @param counts  commands are counted during whose wait it held, at its start or end */
async function commanded(
  server: LoadServer,
  sockets: readonly GameSocket[],
  seconds: number,
  counts: () => boolean = () => true,
): Promise<Commanded> {
  const before = await server.scrape()
  const generator = watchGenerator()
  const commands = startCommands(sockets, COMMANDS_HZ, counts)
  await sleep(1000 * seconds)
  const { failures, ms } = await commands.stop()
  const span = { before, after: await server.scrape() }
  return {
    acknowledged: ms.length,
    failed: failures.length,
    msP50: percentile(ms, 0.5),
    msP99: percentile(ms, 0.99),
    ticksDropped: growth('orrery_ticks_dropped_total', span),
    generator: generator(),
  }
}

function latencyMetrics(seen: Commanded, bound: { readonly max: number }): Metric[] {
  return [
    ['acknowledged', seen.acknowledged, ''],
    ['failures', seen.failed, '', { max: 0 }],
    ['acknowledged_p50', seen.msP50, 'ms'],
    ['acknowledged_p99', seen.msP99, 'ms', bound],
    ['ticks_dropped', seen.ticksDropped, '', { max: 0 }],
    ...seen.generator,
  ]
}

interface Storing {
  isUnderWay(): boolean
  /** resolves with the number of snapshots */
  stop(): Promise<number>
}

/** Takes snapshots, with a rest between two. */
function startStoring({ admin }: LoadServer): Storing {
  const over = new AbortController()
  let isUnderWay = false
  let stored = 0
  const run = async (): Promise<void> => {
    for (; !over.signal.aborted; stored++) {
      isUnderWay = true
      await admin.snapshots.create()
      isUnderWay = false
      await sleep(STORING_REST_MS)
    }
  }
  const running = run()
  return {
    isUnderWay: () => isUnderWay,
    stop: async () => {
      over.abort()
      await running
      return stored
    },
  }
}
