/**
 * What modules that mean harm cost the others: each is loaded as a server loads it, has one ship of
 * 1,000, and does its harm at its third beat. All tick in one process, one engine after the other.
 */
import { errorText, executeCommand } from '@orrery/engine'
import { loadModules } from '@orrery/module/load'
import { simulatedClock } from '@orrery/testkit'
import { progress } from '@orrery/testkit/progress'
import { type Row, percentile, rowsOf } from '@orrery/testkit/report'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { emptyUniverse, engineOf, enterShips, poolOf } from '../populated-universe.ts'
import { inFreshProcess } from '../rounds.ts'

const SHIPS = 1000
const RATE_HZ = 10
const PERIOD_MS = 1000 / RATE_HZ
const SECONDS = 30

/** What each does in a beat of its ship, and what the answer to it names. */
const HARMS: readonly (readonly [harm: string, statement: string, answer: string])[] = [
  ['loops', 'for (;;) ship.ore = 1', 'did not end'],
  ['fills the memory', 'for (const all = []; ; ) all.push(new Array(1000).fill(1))', 'did not end'],
  ['throws', "throw new Error('harm')", 'Error: harm'],
  ['recurses', 'const f = () => 1 + f(); f()', 'RangeError'],
  ['writes what is no number', 'ship.ore = 0 / 0', 'sets ore to NaN'],
  ['claims below zero', "claim('pit', 1, 'ore', -1, () => undefined)", 'claims -1'],
  ['writes to a row of others', "row('pit', 1).ore = 0", 'TypeError'],
  ['changes what all share', 'Object.prototype.ore = 1', 'TypeError'],
  ['reads the clock', 'ship.ore = Date.now()', 'there is no clock'],
  ['draws by chance', 'ship.ore = Math.random()', 'Math.random'],
]

/** In a process of its own: what loads modules freezes the built-in objects of its process. */
export function hostile(): Promise<Row[]> {
  return inFreshProcess<Row[]>(import.meta.url, 'hostile modules', {})
}

function sourceOf(statement: string): string {
  return `import { bit, defineModule, f64, v } from '@orrery/module'

export const hostile = defineModule({
  id: 'hostile',
  version: 1,
  ship: { ore: f64('kg'), on: bit() },
  tables: { pit: { rows: 2, columns: { ore: f64('kg') } } },
  begin: ({ add }) => void add('pit', { ore: 1000 }),
  commands: { begin: { body: v.object({}), run: ({ ship }) => void (ship.on = true) } },
  beat: {
    of: 'on',
    run({ claim, row, ship }) {
      ship.ore += 1
      if (ship.ore < 3) return
      ${statement}
    },
  },
})
`
}

async function measured(): Promise<Row[]> {
  const directory = await mkdtemp(join(tmpdir(), 'orrery-bench-hostile-'))
  const rows: Row[] = []
  try {
    for (const [place, [harm, statement, answer]] of HARMS.entries()) {
      progress.at('hostile modules', place, HARMS.length)
      const file = join(directory, `${place}.ts`)
      await writeFile(file, sourceOf(statement))
      rows.push(...(await endured(file, harm, answer)))
    }
  } finally {
    await rm(directory, { recursive: true })
  }
  return rows
}

/** @throws {Error} when the module is neither refused nor stopped by the name of its harm */
async function endured(file: string, harm: string, answer: string): Promise<Row[]> {
  const given = await loadModules([file]).catch((error: unknown) => errorText(error))
  if (typeof given === 'string') {
    if (!given.includes(answer)) throw new Error(`What ${harm} is refused: ${given}`)
    return rowsOf(harm, [['refused', 1, 'when it is loaded']])
  }
  const universe = await emptyUniverse(SHIPS, undefined, given)
  enterShips(universe, SHIPS)
  executeCommand(universe, { kind: 'add_module', module: 'hostile', version: 1 })
  const begin = { module: 'hostile', command: 'begin', body: {} } as const
  executeCommand(universe, { kind: 'module_command', shipId: 'ship-1', ...begin })
  const ticks = await ticked(universe)
  const [{ stopped }] = universe.worlds[0].modules?.added ?? []
  if (!stopped?.reason.includes(answer)) throw new Error(`What ${harm}: ${stopped?.reason}`)
  return rowsOf(harm, [
    ['tick_p99', percentile(ticks, 0.99) / PERIOD_MS, 'periods', { max: 2 }],
    ['tick_worst', Math.max(...ticks) / PERIOD_MS, 'periods'],
  ])
}

/** Wall time of each tick [ms]. */
async function ticked(universe: Awaited<ReturnType<typeof emptyUniverse>>): Promise<number[]> {
  const clock = simulatedClock(Date.now())
  let ended = Promise.withResolvers<void>()
  const engine = engineOf(universe, {
    clock,
    pool: poolOf(universe),
    tickRate: RATE_HZ,
    onTick: () => ended.resolve(),
  })
  engine.start()
  const ticks: number[] = []
  // In the first second threads start.
  for (let tick = -RATE_HZ; tick < SECONDS * RATE_HZ; tick++) {
    ended = Promise.withResolvers()
    const startMs = performance.now()
    await Promise.all([clock.advance(PERIOD_MS), ended.promise])
    if (tick >= 0) ticks.push(performance.now() - startMs)
  }
  await engine.stop()
  return ticks
}

if (import.meta.main) {
  console.log(JSON.stringify(await measured()))
  process.exit(0)
}
