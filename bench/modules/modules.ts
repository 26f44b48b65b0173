/**
 * What the game's own modules cost: 100,000 ships, a tenth of which drill and a hundredth of which
 * are on missions, beside the same ships without modules, and with modules that have nothing to
 * do. Their engines tick in turn in one process, so that what else the machine does slows all.
 */
import { executeCommand } from '@orrery/engine'
import type { GameModules } from '@orrery/engine/modules'
import { type Engine, Trajectories, type Universe } from '@orrery/engine/testing'
import { loadModules } from '@orrery/module/load'
import {
  ARC_COLUMNS,
  BURN_COLUMNS,
  type Column,
  HULL_COLUMNS,
  NEXT_STEP_COLUMNS,
  columnBytes,
} from '@orrery/sim'
import { simulatedClock } from '@orrery/testkit'
import { progress } from '@orrery/testkit/progress'
import { type Metric, type Row, percentile, rowsOf } from '@orrery/testkit/report'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { emptyUniverse, engineOf, enterShips, poolOf } from '../populated-universe.ts'
import { inFreshProcess } from '../rounds.ts'

const RATE_HZ = 10
const DRILLING = 0.1
const ON_MISSIONS = 0.01
/** All ships begin a step of theirs in this time [s of game time]. */
const STEP_SECONDS = 32
/** Asteroids that the solar system gets, and offers, by their ids. */
const ASTEROIDS = 36
const OFFERS = 8

const CASES = ['without modules', 'modules without work', 'modules at work'] as const

/** Wall time, and time of all processors [ms]. */
interface Spent {
  readonly wall: number
  readonly cpu: number
}

/** A universe whose engine ticks when it is its turn. */
interface Flier {
  readonly name: (typeof CASES)[number]
  readonly universe: Universe
  readonly engine: Engine
  /** one tick */
  tick(): Promise<Spent>
  /** bytes of the records of all ships since the last call */
  recordBytes(): number
}

interface ModulesOptions {
  readonly ships: number
  readonly seconds: number
}

/** In a process of its own: what loads modules freezes the built-in objects of its process. */
export function modules(options: ModulesOptions): Promise<Row[]> {
  return inFreshProcess<Row[]>(import.meta.url, `${options.ships} ships`, options)
}

async function measured({ ships, seconds }: ModulesOptions): Promise<Row[]> {
  const given = await givenModules()
  const fliers: Flier[] = []
  for (const name of CASES) fliers.push(await begun(name, ships, given))
  progress.at('code is being compiled')
  await flown(fliers, STEP_SECONDS)
  for (const flier of fliers) flier.recordBytes()
  const before = costs(fliers[2])
  const times = await flown(fliers, seconds)
  const [none, idle, busy] = times.map((one) => one.map(({ wall }) => wall))
  const [cpuNone, cpuIdle, cpuBusy] = times.map((one) => one.map(({ cpu }) => cpu))
  const ticks = seconds * RATE_HZ
  const [sent, , more] = fliers.map((flier) => flier.recordBytes() / ships / ticks)
  const kept = costs(fliers[2]).map((cost, i): Metric[] => {
    const { calls, seconds: spent } = before[i]
    return [
      [`${cost.id}_bytes`, cost.bytes / ships, 'B per ship'],
      [`${cost.id}_call`, (1000 * (cost.seconds - spent)) / (cost.calls - calls), 'ms'],
    ]
  })
  const bytes = costs(fliers[2]).reduce((sum, cost) => sum + cost.bytes, 0)
  const rows = [
    ...rowsOf(CASES[0], [['tick', percentile(none, 0.5) / RATE_HZ, 'ms']]),
    ...rowsOf(CASES[1], [
      ['tick_ratio', middle(idle, none, ratio), '×', { max: 1.01 }],
      ['cpu_ratio', middle(cpuIdle, cpuNone, ratio), '× of all processors'],
    ]),
    ...rowsOf(CASES[2], [
      ['tick_ratio', middle(busy, none, ratio), '×', { max: 1.15 }],
      ['cpu_ratio', middle(cpuBusy, cpuNone, ratio), '× of all processors'],
      ['tick_more', middle(busy, none, difference), 'ms more per second of game time'],
      ['cpu_more', middle(cpuBusy, cpuNone, difference), 'ms more per second of game time'],
      ['memory', bytes / ships, 'B per ship', { max: 64 }],
      ['wire', more - sent, 'B more per ship and tick', { max: 0.1 }],
      ...kept.flat(),
    ]),
  ]
  for (const { engine } of fliers) await engine.stop()
  return rows
}

function ratio(one: number, other: number): number {
  return one / other
}

function difference(one: number, other: number): number {
  return one - other
}

/** Of each second of one case and of another the middle one. */
function middle(one: readonly number[], other: readonly number[], of: typeof ratio): number {
  return percentile(
    one.map((ms, second) => of(ms, other[second])),
    0.5,
  )
}

/** What each second of game time took, by case; the order of cases turns round. */
async function flown(fliers: readonly Flier[], seconds: number): Promise<Spent[][]> {
  const times = fliers.map((): Spent[] => [])
  for (let second = 0; second < seconds; second++) {
    progress.at('seconds of game time', second, seconds)
    const spent = fliers.map((): Spent => ({ wall: 0, cpu: 0 }))
    for (let tick = 0; tick < RATE_HZ; tick++) {
      for (let turn = 0; turn < fliers.length; turn++) {
        const one = (turn + tick) % fliers.length
        const { wall, cpu } = await fliers[one].tick()
        spent[one] = { wall: spent[one].wall + wall, cpu: spent[one].cpu + cpu }
      }
    }
    for (const [one, second] of spent.entries()) times[one].push(second)
  }
  return times
}

async function begun(name: Flier['name'], ships: number, given: GameModules): Promise<Flier> {
  const [none, , busy] = CASES
  const universe = await emptyUniverse(ships, undefined, name === none ? undefined : given)
  enterShips(universe, ships)
  if (name !== none) {
    for (const { id: module, version } of given.names) {
      executeCommand(universe, { kind: 'add_module', module, version })
    }
  }
  if (name === busy) occupy(universe, ships)
  const clock = simulatedClock(Date.now())
  let ticked = Promise.withResolvers<void>()
  const engine = engineOf(universe, {
    clock,
    pool: poolOf(universe),
    tickRate: RATE_HZ,
    onTick: () => ticked.resolve(),
  })
  const trajectories = new Trajectories(universe.worlds[0], 0)
  let bytes = 0
  engine.start()
  return {
    name,
    universe,
    engine,
    tick: async () => {
      ticked = Promise.withResolvers()
      const startMs = performance.now()
      const cpu = process.cpuUsage()
      await Promise.all([clock.advance(1000 / RATE_HZ), ticked.promise])
      const wall = performance.now() - startMs
      const { user, system } = process.cpuUsage(cpu)
      const { arcs, burns, hulls, steps } = trajectories.publish()
      bytes += bytesOf(arcs, ARC_COLUMNS) + bytesOf(burns, BURN_COLUMNS)
      bytes += bytesOf(hulls, HULL_COLUMNS) + bytesOf(steps, NEXT_STEP_COLUMNS)
      return { wall, cpu: (user + system) / 1000 }
    },
    recordBytes: () => {
      const since = bytes
      bytes = 0
      return since
    },
  }
}

function bytesOf({ count }: { readonly count: number }, columns: readonly Column[]): number {
  return columnBytes(columns, count)
}

/** Lets some ships drill, and others be on missions, evenly among all. */
function occupy(universe: Universe, ships: number): void {
  const order = (i: number, module: string, command: string, body: Record<string, number>) => {
    const shipId = `ship-${i}`
    executeCommand(universe, { kind: 'module_command', shipId, module, command, body })
  }
  for (let i = 0; i < DRILLING * ships; i++) {
    progress.at('ships begin to drill', i, DRILLING * ships)
    // Not all at the same turn.
    order(Math.floor(i / DRILLING) + (i % 8), 'mining', 'drill', { asteroid: 1 + (i % ASTEROIDS) })
  }
  for (let i = 0; i < ON_MISSIONS * ships; i++) {
    order(Math.floor((i + 0.5) / ON_MISSIONS), 'missions', 'take', { offer: 1 + (i % OFFERS) })
  }
}

function costs({ universe }: Flier): NonNullable<Universe['worlds'][number]['modules']>['costs'] {
  return universe.worlds[0].modules?.costs ?? []
}

/** Both modules as servers load them, but ships drill from anywhere and share offers. */
async function givenModules(): Promise<GameModules> {
  const directory = await mkdtemp(join(tmpdir(), 'orrery-bench-modules-'))
  const file = async (name: string, conditions: readonly string[]): Promise<string> => {
    const url = new URL(`../../packages/module/src/${name}.ts`, import.meta.url)
    let source = await readFile(url, 'utf8')
    for (const condition of conditions) {
      if (!source.includes(condition)) throw new Error(`${name}.ts has no ${condition}`)
      source = source.replace(condition, 'false')
    }
    const path = join(directory, `${name}.ts`)
    await writeFile(path, source)
    return path
  }
  const files = [
    await file('mining', ['ship.docked || distance > REACH || speed > SPEED']),
    await file('missions', ['ship.station !== STATIONS[offer.from].id', 'offer.until >= seconds']),
  ]
  try {
    return await loadModules(files)
  } finally {
    await rm(directory, { recursive: true })
  }
}

if (import.meta.main) {
  console.log(JSON.stringify(await measured(JSON.parse(process.argv[2]) as ModulesOptions)))
  process.exit(0)
}
