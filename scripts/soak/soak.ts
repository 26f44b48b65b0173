/** One server that bots and operators use for a long time, and what it was like. */
import { type AdminClient, createGameClient } from '@orrery/client'
import { type ServiceEnvironment, createChance } from '@orrery/testkit'
import { progress } from '@orrery/testkit/progress'
import type { Row } from '@orrery/testkit/report'
import { setTimeout as sleep } from 'node:timers/promises'
import { keepConsoleOpen } from './console.ts'
import { Disturbances } from './disturbances.ts'
import { type Fleet, startFleet } from './fleet.ts'
import type { Pace } from './frame-gaps.ts'
import { keptWorld } from './kept-world.ts'
import { Resources } from './resources.ts'
import { ADMIN, ServedGame } from './served-game.ts'
import { countStolenTime } from './stolen-time.ts'
import { Tally, total } from './tally.ts'
import { verdict } from './verdict.ts'

export interface SoakOptions extends Pace {
  readonly minutes: number
  readonly bots: number
  readonly seed: number
  /** further variables of the server's environment */
  readonly variables: ServiceEnvironment
  readonly print: (line: string) => void
}

export interface SoakResult {
  readonly rows: readonly Row[]
  /** what the counts of faults are made of */
  readonly faults: readonly string[]
}

/** Parts of a run after which the world is restored, the server restarted, and all is warm. */
const RESTORE = 0.25
const RESTART = 0.35
const WARM = 0.5

const SNAPSHOT_MS_MAX = 60_000
/** Snapshots of a short run, at least. */
const SNAPSHOTS_MIN = 6

const VISIT_MS_MAX = 60_000
/** Visits of a bot in a short run, nearly. */
const VISITS_MIN = 5

/** The parts of a run. */
interface Soak {
  readonly options: SoakOptions
  readonly game: ServedGame
  readonly admin: AdminClient
  readonly tally: Tally
  readonly disturbances: Disturbances
  readonly resources: Resources
  readonly fleet: Fleet
  /** of the last snapshot that was made */
  snapshotId: number | undefined
}

export async function soak(options: SoakOptions): Promise<SoakResult> {
  progress.at('the server starts')
  const game = await ServedGame.start(options.variables)
  try {
    return await soaked(options, game)
  } finally {
    await game.remove()
  }
}

async function soaked(options: SoakOptions, game: ServedGame): Promise<SoakResult> {
  const { bots, rateHz, scale, seed } = options
  const lengthMs = options.minutes * 60_000
  const disturbances = new Disturbances()
  const tally = new Tally(disturbances)
  const client = createGameClient({ url: game.url })
  const { token } = await client.adminLogin(ADMIN.username, ADMIN.password)
  const admin = client.admin(token)
  await admin.game.changeTickRate(rateHz)
  await admin.game.changeTimeScale(scale)
  const over = new AbortController()
  const stolenShare = countStolenTime()
  const startMs = performance.now()
  const common = { url: game.url, game: client, admin, tally }
  const resources = new Resources({ game, admin, tally, disturbances, lengthMs })
  const fleet = startFleet({
    ...common,
    bots,
    pace: { rateHz, scale },
    visitMs: Math.min(VISIT_MS_MAX, lengthMs / VISITS_MIN),
    random: createChance(seed),
  })
  const watching = [
    keepConsoleOpen({ ...common, token }, over.signal),
    resources.follow(over.signal),
  ]
  const run = { options, game, admin, tally, disturbances, resources, fleet, snapshotId: undefined }
  progress.at('players')
  await followAgenda(run, startMs)
  over.abort()
  await Promise.all([fleet.end(), ...watching])
  await resources.sample()
  const stolen = stolenShare()
  await game.stop()
  progress.at('the server has stopped; its journal is replayed')
  const kept = await keptWorld(game.directory)
  const { faults } = game
  const warmMs = startMs + WARM * lengthMs
  const journalHours = Number(options.variables['JOURNAL_HOURS'] ?? 0)
  const times = { warmMs, journalHours, stolen }
  const observed = { tally, disturbances, resources, kept, faults, ...times }
  return {
    rows: verdict({ ...observed, pace: { rateHz, scale } }),
    faults: [
      ...faults,
      ...Array.from(tally.faults, ([what, times]) => `${times} × ${what}`),
      ...kept.replays.flatMap(({ differences }) => differences),
    ],
  }
}

/** Snapshots all the time, one restore, one restart, in the order of their times. */
async function followAgenda(run: Soak, startMs: number): Promise<void> {
  const lengthMs = run.options.minutes * 60_000
  const periodMs = Math.min(SNAPSHOT_MS_MAX, lengthMs / SNAPSHOTS_MIN)
  const agenda: [afterMs: number, act: (run: Soak) => Promise<void>][] = [
    [RESTORE * lengthMs, restore],
    [RESTART * lengthMs, restart],
  ]
  for (let afterMs = periodMs; afterMs < lengthMs; afterMs += periodMs) {
    agenda.push([afterMs, snapshot])
  }
  for (const [afterMs, act] of agenda.toSorted(([a], [b]) => a - b)) {
    await sleepUntil(startMs + afterMs)
    await act(run)
  }
  await sleepUntil(startMs + lengthMs)
  noteState(run)
}

async function sleepUntil(ms: number): Promise<void> {
  await sleep(Math.max(0, ms - performance.now()))
}

async function snapshot(run: Soak): Promise<void> {
  const { admin, tally } = run
  const stored = await tally.request('snapshot', () => admin.snapshots.create())
  run.snapshotId = stored?.snapshot_id ?? run.snapshotId
  noteState(run)
}

async function restore(run: Soak): Promise<void> {
  const { admin, snapshotId } = run
  await disturb(run, 'restore', () => admin.snapshots.restore(snapshotId ?? 0))
}

function restart(run: Soak): Promise<void> {
  return disturb(run, 'restart', async () => {
    await run.resources.sample()
    await run.game.restart()
  })
}

/** The disturbance is over when all clients have frames again. */
async function disturb(run: Soak, name: string, work: () => Promise<unknown>): Promise<void> {
  const { game, fleet, disturbances } = run
  progress.at(name)
  let isBack = false
  await disturbances.during(name, async () => {
    try {
      await work()
    } catch (error) {
      game.faults.push(`${name}: ${Object(error).message}`)
    }
    isBack = await fleet.hasFrames(performance.now())
  })
  progress.at('players')
  if (!isBack) game.faults.push(`${name}: not all sockets have frames again`)
}

function noteState({ options, resources, fleet, tally }: Soak): void {
  const last = resources.samples.at(-1)
  const megabytes = (bytes = NaN): string => `${(bytes / 1e6).toFixed(0)} MB`
  const gap = (tally.gaps.json.percentile(99) / 1000).toFixed(0)
  options.print(
    `  ${fleet.size} sockets, server ${megabytes(last?.server)}, heap ${megabytes(last?.heap)}, ` +
      `database ${megabytes(last?.database)}, frame gap p99 ${gap} ms, ` +
      `${total(tally.faults)} faults`,
  )
}
