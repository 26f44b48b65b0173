/** `npx pnpm crash-loop` kills the real server under load and searches for lost changes. */
import { commandLine } from './command-line.ts'
import { crashLoop } from './crash/crash-loop.ts'
import type { CrashLoopOptions, Victim } from './crash/run.ts'

const HELP = `Usage: npx pnpm crash-loop [--kill WHAT] [--kills N] [--seed S] [--clients N]

Runs the real server while pilots steer, rename and maneuver, and admins create and remove
stations, gates and accounts, move ships, change the clock, take snapshots and restore them. Kills
with SIGKILL at moments that the seed decides, and restarts. After each start every acknowledged
change must be present. Every tenth time, and at the end, the world is paused and compared to the
bit with a replay of its stored journal. Exits 1 when a change was lost, or when a process is left
5 s after the end.

  --kill WHAT    server: its process, also during a start; its PostgreSQL ends by itself
                 both: the server and all processes of its PostgreSQL at once
                 database: PostgreSQL alone: all of it, its first process or one session; the
                 server must go on, and is killed afterwards
                 all: the three in turns (the default)
  --kills N      number of kills (100)
  --seed S       a whole number; by default a new one, which is printed
  --clients N    pilots (50)
`

/** Longest time under load before a kill [ms]. */
const LOAD_MS_MAX = 4000

/** Violations that are printed. */
const SHOWN_MAX = 20

const { values } = commandLine('crash-loop', HELP, {
  kill: { type: 'string', default: 'all' },
  kills: { type: 'string', default: '100' },
  seed: { type: 'string', default: String(Date.now() % 2 ** 31) },
  clients: { type: 'string', default: '50' },
})
const VICTIMS: Readonly<Record<string, readonly Victim[]>> = {
  server: ['server'],
  both: ['both'],
  database: ['database'],
  all: ['server', 'both', 'database'],
}
const victims = VICTIMS[values.kill]
const [kills, seed, clients] = [values.kills, values.seed, values.clients].map(Number)
const isSound = [kills, seed, clients].every(
  (number) => Number.isSafeInteger(number) && number >= 0,
)
if (!victims || !isSound) {
  process.stderr.write('crash-loop: an option is not what --help says\n')
  process.exit(2)
}

const print = (line: string): void => void process.stdout.write(`${line}\n`)
print(`seed ${seed}`)
const rhythm: Omit<CrashLoopOptions, 'victims' | 'kills' | 'seed' | 'clients' | 'print'> = {
  loadMsMax: LOAD_MS_MAX,
  replayEvery: 10,
  readEvery: 3,
  isFirstStartKilled: true,
}
const result = await crashLoop({ victims, kills, seed, clients, ...rhythm, print })
const slowest = Math.max(...result.readyMs) / 1000
print(
  `${result.kills} kills (${values.kill}), ${result.acknowledged} acknowledged, ` +
    `${result.violations.length} violations, ${result.digests} digests replayed, ` +
    `slowest start ${slowest.toFixed(1)} s, ${result.unknown} answers with an unknown outcome`,
)
for (const violation of result.violations.slice(0, SHOWN_MAX)) print(`  ${violation}`)
if (result.violations.length > 0) {
  print(`FAILED with seed ${seed}`)
  process.exitCode = 1
}
