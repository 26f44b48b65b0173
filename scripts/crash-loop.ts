/** `npx pnpm crash-loop` kills the real server under load, and looks for what was lost. */
import { commandLine } from './command-line.ts'
import { type CrashLoopResult, crashLoop } from './crash/crash-loop.ts'
import type { DatabaseKind } from './crash/databases.ts'

const HELP = `Usage: npx pnpm crash-loop [--kills N] [--seed S] [--database KIND] [--clients N]

Runs the real server while pilots steer, rename and maneuver, and admins make and remove stations,
gates and accounts, move ships, change the clock, take snapshots and go back to them; kills it with
SIGKILL at moments that the seed decides, also while it starts, and starts it again. After each
start whatever was acknowledged must be there. Every tenth time, and at the end, the world is paused
and compared to the bit with a replay of its stored journal. Exits 1 when anything was lost.

  --kills N         of each database (100)
  --seed S          a whole number; by default another one each time, which is printed
  --database KIND   pglite, postgresql or both (both)
  --clients N       pilots (50)
`

/** Longest that a game runs before it is killed [ms]. */
const LOAD_MS_MAX = 4000

/** Violations that are told one by one. */
const SHOWN_MAX = 20

const { values } = commandLine('crash-loop', HELP, {
  kills: { type: 'string', default: '100' },
  seed: { type: 'string', default: String(Date.now() % 2 ** 31) },
  database: { type: 'string', default: 'both' },
  clients: { type: 'string', default: '50' },
})
const KINDS: Readonly<Record<string, readonly DatabaseKind[]>> = {
  pglite: ['pglite'],
  postgresql: ['postgresql'],
  both: ['postgresql', 'pglite'],
}
const kinds = KINDS[values.database]
const [kills, seed, clients] = [values.kills, values.seed, values.clients].map(Number)
const isSound = [kills, seed, clients].every(
  (number) => Number.isSafeInteger(number) && number >= 0,
)
if (!kinds || !isSound) {
  process.stderr.write('crash-loop: an option is not what --help says\n')
  process.exit(2)
}

const tell = (line: string): void => void process.stdout.write(`${line}\n`)
tell(`seed ${seed}`)
const results = new Map<DatabaseKind, CrashLoopResult>()
for (const kind of kinds) {
  const rhythm = { loadMsMax: LOAD_MS_MAX, replayEvery: 10, readEvery: 1, isMadeTwice: true }
  results.set(kind, await crashLoop({ kind, kills, seed, clients, ...rhythm, tell }))
}
for (const [kind, result] of results) {
  const slowest = Math.max(...result.readyMs) / 1000
  tell(
    `${kind}: ${result.kills} kills, ${result.acknowledged} acknowledged, ` +
      `${result.violations.length} violations, ${result.digests} digests replayed, ` +
      `slowest start ${slowest.toFixed(1)} s, ${result.unknown} answers that knew no outcome`,
  )
  for (const violation of result.violations.slice(0, SHOWN_MAX)) tell(`  ${violation}`)
}
const violations = [...results.values()].flatMap((result) => result.violations)
if (violations.length > 0) {
  tell(`FAILED with seed ${seed}`)
  process.exitCode = 1
}
