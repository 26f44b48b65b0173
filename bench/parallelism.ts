/**
 * How far the chunks of a tick can be shared among threads, counted: each chunk is flown and timed
 * on one thread, then given to workers in the order in which they would claim it. What it leaves
 * out is the cost of waking them.
 */
import {
  type Engine,
  type Pool,
  type Universe,
  allShips,
  attachQueue,
  claimChunk,
  listDueChunks,
  queueBytes,
} from '@orrery/engine/testing'
import { advanceChunk } from '@orrery/sim'
import { simulatedClock } from '@orrery/testkit'
import { type Chance, createChance } from '@orrery/testkit/chance'
import { type Metric, type Row, rowsOf } from '@orrery/testkit/report'
import { MANEUVERS } from './orders/autopilot.ts'
import { emptyUniverse, engineOf, enterShips } from './populated-universe.ts'

const WORKERS = [2, 15] as const

/** Ticks in which code is compiled and first orders begin, and those that are counted. */
const WARM_TICKS = 60
const TICKS = 150

/** Ships that a small world has room for, as a server's has. */
const ROOM = 10_000

interface Case {
  readonly ships: number
  readonly does: 'coast' | 'turn under thrust' | 'maneuver'
  readonly timeScale: number
  /** by workers */
  readonly least: readonly [number, number]
}

const CASES: readonly Case[] = [
  { ships: 1000, does: 'turn under thrust', timeScale: 1, least: [1 / 0.6, 0] },
  { ships: 1000, does: 'maneuver', timeScale: 1, least: [1 / 0.6, 0] },
  { ships: 100_000, does: 'coast', timeScale: 64, least: [1.9, 10] },
]

/** For each round of each tick what its chunks take, in the order of their claims [ms]. */
type Rounds = number[][]

/** The same flight is timed so often: the least of each chunk's times is what it takes alone. */
const REPEATS = 2

export async function parallelism(): Promise<Row[]> {
  const utcMs = Date.now()
  const rows: Row[] = []
  for (const each of CASES) {
    const repeats: Rounds[] = []
    for (let i = 0; i < REPEATS; i++) repeats.push(await flown(each, utcMs))
    const rounds = repeats[0].map((chunks, round) =>
      chunks.map((_, chunk) => Math.min(...repeats.map((one) => one[round][chunk]))),
    )
    const name = `${each.ships} ships that ${each.does}, ticks of ${each.timeScale / 10} s`
    const metrics = WORKERS.map((workers, i): Metric => {
      const value = timeOf(rounds, 1) / timeOf(rounds, workers)
      return [`parallelism_${workers}`, value, '×', { min: each.least[i] }]
    })
    rows.push(...rowsOf(name, metrics))
  }
  return rows
}

/** What workers take that claim one chunk after the other [ms]. */
function timeOf(rounds: Rounds, workers: number): number {
  let sum = 0
  for (const chunks of rounds) {
    const busy = new Float64Array(workers)
    for (const took of chunks) busy[busy.indexOf(Math.min(...busy))] += took
    sum += Math.max(...busy)
  }
  return sum
}

async function flown({ ships, does, timeScale }: Case, utcMs: number): Promise<Rounds> {
  const universe = await emptyUniverse(Math.max(ships, ROOM), utcMs)
  enterShips(universe, ships)
  const rounds: Rounds = []
  const clock = simulatedClock(utcMs)
  const pool = timedPool(universe, rounds)
  const engine = engineOf(universe, { pool, clock, timeScale })
  const chance = createChance(1)
  const fly = async (ticks: number): Promise<void> => {
    for (let second = 0; 10 * second < ticks; second++) {
      if (does === 'turn under thrust') turn(engine, chance)
      await clock.advance(1000)
    }
  }
  if (does === 'maneuver') maneuver(engine, chance)
  engine.start()
  await fly(WARM_TICKS)
  rounds.length = 0
  await fly(TICKS)
  await engine.stop()
  return rounds
}

function maneuver(engine: Engine, chance: Chance): void {
  for (const { shipId } of allShips(engine.universe)) {
    engine.control(shipId, { maneuver: chance.pick(MANEUVERS) })
  }
}

function turn(engine: Engine, chance: Chance): void {
  for (const { shipId } of allShips(engine.universe)) {
    const attitude = [1, chance.share(), chance.share(), chance.share()] as const
    engine.control(shipId, { thrustLevel: 1, attitude })
  }
}

/** Flies on the calling thread, and notes what each chunk takes. */
function timedPool({ worlds: [{ flight, state }] }: Universe, rounds: Rounds): Pool {
  const states = [state]
  const queue = attachQueue(new SharedArrayBuffer(queueBytes(states, 1)), states, 1)
  const advance: Pool['advance'] = (asked) => {
    if (listDueChunks(queue, states, asked) === 0) return Promise.resolve()
    const chunks: number[] = []
    for (let chunk = claimChunk(queue, 0); chunk >= 0; chunk = claimChunk(queue, 0)) {
      const before = performance.now()
      advanceChunk(flight, chunk, asked[0]?.target ?? -Infinity)
      chunks.push(performance.now() - before)
    }
    rounds.push(chunks)
    return Promise.resolve()
  }
  return {
    advance,
    status: () => ({ threads: 0, failures: 0, busyMs: 0 }),
    close: () => Promise.resolve(),
  }
}

if (import.meta.main) console.log(JSON.stringify(await parallelism()))
