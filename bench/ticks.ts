/**
 * What a tick costs: the real engine and pool on the real solar system. Each case in a fresh
 * process, at the pace of its rate; then how many ships the same work flies per second with one
 * worker, with two, and in two processes apart, unpaced; then how far ticks can be shared, what
 * share of the force kernel's speed a step has, and what it allocates.
 */
import { solSystem } from '@orrery/catalog'
import type { Engine, Pool, World } from '@orrery/engine/testing'
import { PLANE, POINTINGS, SRKN11B, STAGE, advanceChunk, segmentAttitude } from '@orrery/sim'
import { createChance } from '@orrery/testkit/chance'
import { type Row, percentile, rowsOf } from '@orrery/testkit/report'
import { Session } from 'node:inspector/promises'
import { fileURLToPath } from 'node:url'
import { getHeapStatistics } from 'node:v8'
import { parallelism } from './parallelism.ts'
import {
  emptyUniverse,
  engineOf,
  enterShips,
  poolOf,
  populatedUniverse,
} from './populated-universe.ts'
import { inFreshProcess, measureRounds } from './rounds.ts'
import { giveRules } from './rules.ts'

/** Code is being compiled in this time, and a half of the ephemeris made. */
const SETTLE_MS = 5000

export interface TicksOptions {
  readonly ships: number
  readonly rateHz: number
  readonly scale: number
  readonly workers: number
  readonly seconds: number
  /** share of ships under steady thrust, holding their attitude */
  readonly thrusting: number
  /** share of ships locked in pointing modes */
  readonly pointing: number
  /** share of ships under full thrust, turning once a second */
  readonly turning: number
  /** rules of each ship, 4 at most */
  readonly rules: number
}

const QUIET = { scale: 1, workers: 2, seconds: 8, thrusting: 0, pointing: 0, turning: 0, rules: 0 }

/** What `scripts/orrery bench ticks` runs when no case is named. */
const CASES: readonly TicksOptions[] = [
  { ...QUIET, ships: 1_000, rateHz: 10, turning: 0.1 },
  { ...QUIET, ships: 1_000, rateHz: 10, scale: 100 },
  { ...QUIET, ships: 100_000, rateHz: 10, thrusting: 0.1, turning: 0.1 },
  { ...QUIET, ships: 100_000, rateHz: 10, rules: 4 },
  { ...QUIET, ships: 100_000, rateHz: 10, scale: 100 },
  { ...QUIET, ships: 1_000_000, rateHz: 10, thrusting: 0.01, pointing: 0.1 },
  { ...QUIET, ships: 3_000_000, rateHz: 10, thrusting: 0.01 },
]

/** In this time all ships that turn to their pointing frame have locked. */
const LOCKING_SECONDS = 256

/** Rounds of one worker against two; the ratio is the median of those within a round. */
const SCALING_ROUNDS = 5
const SCALING_SHIPS = 100_000
const SCALING_SECONDS = 1024

/** Each thread compiles the step for itself, and two of them compile twice as much meanwhile. */
const COMPILING_SECONDS = 1280

const WARM_ROUNDS = 8
const EFFICIENCY_ROUNDS = 24
const KERNEL_CALLS = 5000

type Task =
  | { readonly kind: 'paced'; readonly options: TicksOptions }
  | { readonly kind: 'unpaced'; readonly workers: number }
  | { readonly kind: 'apart' }
  | { readonly kind: 'parallelism' }
  | { readonly kind: 'efficiency' }
  | { readonly kind: 'allocation' }

/** Runs the cases, or one of them. */
export async function ticks(only: Partial<TicksOptions> | undefined): Promise<Row[]> {
  const cases = only ? [{ ...CASES[0], ...only }] : CASES
  const rows: Row[] = []
  for (const options of cases) rows.push(...(await alone({ kind: 'paced', options })))
  if (only) return rows
  rows.push(...(await workerScaling()))
  rows.push(...(await alone({ kind: 'parallelism' })))
  rows.push(...(await alone({ kind: 'efficiency' })))
  return [...rows, ...(await alone({ kind: 'allocation' }))]
}

function measured(task: Task): Promise<Row[]> {
  if (task.kind === 'paced') return paced(task.options)
  if (task.kind === 'unpaced') return unpaced(task.workers)
  return { apart, parallelism, efficiency, allocation }[task.kind]()
}

function alone(task: Task): Promise<Row[]> {
  const name = task.kind === 'paced' ? `${task.options.ships} ships` : task.kind
  return inFreshProcess<Row[]>(import.meta.url, name, task)
}

async function workerScaling(): Promise<Row[]> {
  const self = fileURLToPath(import.meta.url)
  const tasks: Readonly<Record<string, Task>> = {
    1: { kind: 'unpaced', workers: 1 },
    2: { kind: 'unpaced', workers: 2 },
    apart: { kind: 'apart' },
  }
  const commands = new Map(
    Object.entries(tasks).map(
      ([name, task]) => [name, [process.execPath, self, JSON.stringify(task)]] as const,
    ),
  )
  const rounds = await measureRounds<Row[]>(commands, SCALING_ROUNDS)
  const rate = (round: (typeof rounds)[number], workers: string): number =>
    round.get(workers)?.[0].value ?? NaN
  const middle = (values: number[]): number => percentile(values, 0.5)
  const name = `${SCALING_SHIPS} coasting ships, unpaced`
  const over = (above: string, below: string): number =>
    middle(rounds.map((round) => rate(round, above) / rate(round, below)))
  return [
    ...['1', '2'].flatMap((workers) => {
      const steps = middle(rounds.map((round) => rate(round, workers)))
      return rowsOf(`${name}, ${workers} workers`, [['ship_steps_per_second', steps, '1/s']])
    }),
    ...rowsOf(name, [
      ['worker_scaling_1_to_2', over('2', '1'), '×'],
      ['machine_scaling_1_to_2', over('apart', '1'), '× by two processes that share nothing'],
      ['scaling_share', over('2', 'apart'), 'of what the machine allows'],
    ]),
  ]
}

/** Of this process once its garbage is collected [B]: how much it was given by then is chance. */
async function heldMemory(): Promise<number> {
  const session = new Session()
  session.connect()
  await session.post('HeapProfiler.collectGarbage')
  session.disconnect()
  return process.memoryUsage.rss()
}

async function paced(options: TicksOptions): Promise<Row[]> {
  const { ships, rateHz, scale, workers, seconds } = options
  let sampled: Phases[] = []
  const { engine, added } = await flyingEngine(options, () => sampled.push({ ...engine.phases() }))
  await new Promise((resolve) => setTimeout(resolve, SETTLE_MS))
  const before = { cpu: process.cpuUsage(), at: performance.now(), ...engine.status() }
  sampled = []
  await new Promise((resolve) => setTimeout(resolve, seconds * 1000))
  const { user, system } = process.cpuUsage(before.cpu)
  const elapsedMs = performance.now() - before.at
  const after = engine.status()
  await engine.stop()
  const name = [
    `${ships} ships`,
    `${rateHz} Hz`,
    ...(scale === 1 ? [] : [`scale ${scale}`]),
    ...shares(options),
    ...(options.rules > 0 ? [`${options.rules} rules each`] : []),
    `${workers} workers`,
  ].join(', ')
  const periodMs = 1000 / rateHz
  const share = (phase: keyof Phases | 'all', quantile: number): number =>
    (100 * percentile(sampled.map(timeOf(phase)), quantile)) / periodMs
  return rowsOf(name, [
    ['added', added, 's until new ships have their first steps'],
    ['utilisation_median', share('all', 0.5), '% of the period'],
    ['utilisation_p99', share('all', 0.99), '% of the period'],
    ['utilisation_max', share('all', 1), '% of the period'],
    ['ephemeris_median', share('ephemeris', 0.5), '% of the period'],
    ['orders_median', share('orders', 0.5), '% of the period'],
    ['flight_median', share('flight', 0.5), '% of the period'],
    ['views_median', share('views', 0.5), '% of the period'],
    ['cpu', (user + system) / 10 / elapsedMs, '% of one core'],
    ['tick_rate', ((after.tick - before.tick) * 1000) / elapsedMs, 'Hz'],
    ['ticks_dropped', after.ticksDropped - before.ticksDropped, ''],
    ['memory', (await heldMemory()) / 1e6, 'MB'],
  ])
}

function shares({ thrusting, pointing, turning }: TicksOptions): string[] {
  return Object.entries({ thrusting, pointing, turning })
    .filter(([, share]) => share > 0)
    .map(([word, share]) => `${100 * share} % ${word}`)
}

type Phases = ReturnType<Engine['phases']>

function timeOf(phase: keyof Phases | 'all'): (times: Phases) => number {
  return (times) =>
    phase === 'all' ? times.ephemeris + times.orders + times.flight + times.views : times[phase]
}

async function flyingEngine(
  options: TicksOptions,
  onPublish: () => void,
): Promise<{ engine: Engine; added: number }> {
  const { ships, rateHz, scale, workers, turning } = options
  const universe = await emptyUniverse(ships)
  const before = performance.now()
  enterShips(universe, ships)
  const added = (performance.now() - before) / 1000
  const [world] = universe.worlds
  const slots = Array.from(world.roster.byId.values(), ({ slot }) => slot)
  for (let i = 0; i < ships * options.pointing; i++) {
    point(world, slots[Math.floor(i / options.pointing)], 1 + (i % POINTINGS.indexOf('radial_in')))
  }
  for (let i = 0; i < ships * options.thrusting; i++) {
    world.state.ships.thrustLevel[slots[Math.floor((i + 0.5) / options.thrusting)]] = 0.01
  }
  if (options.rules > 0) giveRules(world, options.rules)
  const pool = poolOf(universe, workers)
  if (options.pointing > 0) await flyUnpaced(world, pool, LOCKING_SECONDS)
  const engine = engineOf(universe, { pool, tickRate: rateHz, timeScale: scale, onPublish })
  steer(engine, Math.round(ships * turning))
  engine.start()
  return { engine, added }
}

const q = new Float64Array(4)

/** Turns a ship to its pointing; its hull has to take up the rate of its frame, then locks. */
function point(world: World, slot: number, pointing: number): void {
  const { ships } = world.state
  ships.pointing[slot] = pointing
  const triple = [3 * slot, 3 * slot + 3] as const
  const at = { r: ships.position.slice(...triple), v: ships.velocity.slice(...triple) }
  segmentAttitude(q, world, slot, at, ships.stepStart[slot], 0)
  ships.attitude.set(q, 4 * slot)
}

/** Ships that burn and are given another attitude once a second, a tenth of them at a time. */
function steer(engine: Engine, pilots: number): void {
  const ids = [...engine.universe.worlds[0].roster.byId.keys()].slice(0, pilots)
  const chance = createChance(1)
  let turn = 0
  const timer = setInterval(() => {
    for (let i = turn % 10; i < ids.length; i += 10) {
      const attitude = [1, chance.share(), chance.share(), chance.share()] as const
      engine.control(ids[i], { thrustLevel: 1, attitude })
    }
    turn++
  }, 100)
  timer.unref()
}

/** Flies a span as fast as the workers can, in ticks of 6.4 s. */
async function flyUnpaced(world: World, pool: Pool, seconds: number): Promise<void> {
  for (let n = 0; n < 64 * seconds; n += 410) {
    world.index += 410
    await pool.advance([{ target: world.index, meetingOnly: false }])
  }
}

async function unpaced(workers: number): Promise<Row[]> {
  const universe = await populatedUniverse(SCALING_SHIPS)
  const [world] = universe.worlds
  const pool = poolOf(universe, workers)
  await flyUnpaced(world, pool, COMPILING_SECONDS)
  const before = performance.now()
  await flyUnpaced(world, pool, SCALING_SECONDS)
  const seconds = (performance.now() - before) / 1000
  await pool.close()
  // In their orbits near 420 km all take steps of 32 s.
  const value = (SCALING_SHIPS * (SCALING_SECONDS / 32)) / seconds
  return rowsOf('', [['ship_steps_per_second', value, '1/s']])
}

/** Two processes at once, one worker each: what two cores of this machine do at best. */
async function apart(): Promise<Row[]> {
  const task: Task = { kind: 'unpaced', workers: 1 }
  const both = await Promise.all(
    ['one', 'other'].map((name) => inFreshProcess<Row[]>(import.meta.url, name, task)),
  )
  const value = both.reduce((sum, [row]) => sum + row.value, 0)
  return rowsOf('', [['ship_steps_per_second', value, '1/s']])
}

/**
 * Coasting steps of one thread, and their share of what the force kernel alone would allow: both
 * are measured in turn, round by round.
 */
async function efficiency(): Promise<Row[]> {
  const [world] = (await populatedUniverse(SCALING_SHIPS)).worlds
  const { kernel, stepper } = world.flight
  const { gravity, position, stages } = stepper.scratch
  const { chunks } = world.state
  // Half of these are moons that the field merges with their planets.
  const bodies = solSystem.bodies.length
  const stepsPerSecond = (): number => {
    const before = performance.now()
    // In their orbits near 420 km all take steps of 32 s.
    for (let tick = 0; tick < 5; tick++) {
      world.index += (64 * 32) / 5
      for (let chunk = 0; chunk < chunks; chunk++) advanceChunk(world.flight, chunk, world.index)
    }
    return (1000 * SCALING_SHIPS) / (performance.now() - before)
  }
  const interactionsPerSecond = (): number => {
    const before = performance.now()
    for (let i = 0; i < KERNEL_CALLS; i++) {
      kernel.pull(gravity, position, PLANE, PLANE, stages[1].table, bodies)
    }
    return (1000 * KERNEL_CALLS * PLANE * bodies) / (performance.now() - before)
  }
  const rounds = Array.from({ length: WARM_ROUNDS + EFFICIENCY_ROUNDS }, () => {
    const steps = stepsPerSecond()
    const interactions = interactionsPerSecond()
    const pulls = (SRKN11B.evaluations * steps) / interactions
    const rows = stages[1].numbers[STAGE.bodies]
    return { steps, interactions, share: bodies * pulls, ownShare: rows * pulls }
  }).slice(WARM_ROUNDS)
  const name = `${SCALING_SHIPS} coasting ships, one thread`
  const middle = (values: number[]): number => percentile(values, 0.5)
  const steps = middle(rounds.map((round) => round.steps))
  return rowsOf(name, [
    ['ship_steps_per_second', steps, '1/s'],
    ['interactions_per_second', middle(rounds.map(({ interactions }) => interactions)), '1/s'],
    [
      'ship_evaluations_per_second',
      steps * SRKN11B.evaluations,
      'forces of all bodies on a ship per second',
    ],
    ['step_efficiency', middle(rounds.map(({ share }) => share)), 'of the force kernel alone'],
    [
      'pull_share',
      middle(rounds.map(({ ownShare }) => ownShare)),
      'of a step in the pulls of its own masses',
    ],
  ])
}

/** Bytes that a thread allocates per ship and step, without the cost per chunk. */
async function allocation(): Promise<Row[]> {
  const bytesOf = async (ships: number): Promise<number> => {
    const [world] = (await populatedUniverse(ships)).worlds
    const { chunks } = world.state
    const fly = (seconds: number): void => {
      for (let n = 0; n < 64 * seconds; n += 410) {
        world.index += 410
        for (let chunk = 0; chunk < chunks; chunk++) advanceChunk(world.flight, chunk, world.index)
      }
    }
    fly(2048)
    const before = getHeapStatistics().total_allocated_bytes
    fly(2048)
    return getHeapStatistics().total_allocated_bytes - before
  }
  // As many chunks, full and nearly empty: what is per chunk cancels.
  await bytesOf(4096)
  const full = await bytesOf(4096)
  const few = await bytesOf(256)
  return [
    ...rowsOf('4096 coasting ships, one thread', [
      ['allocated', full / 4096 / 64, 'B per ship-step'],
    ]),
    ...rowsOf('256 coasting ships, one thread', [['allocated', few / 256 / 64, 'B per ship-step']]),
  ]
}

if (import.meta.main) {
  const task = JSON.parse(process.argv[2]) as Task
  const rows = await measured(task)
  console.log(JSON.stringify(rows))
  process.exit(0)
}
