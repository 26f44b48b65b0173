/** `npx pnpm crash-loop` kills the real server under load, and looks for what was lost. */
import { commandLine } from './command-line.ts'
import { crashLoop } from './crash/crash-loop.ts'
import type { CrashLoopOptions, Victim } from './crash/run.ts'

const HELP = `Usage: npx pnpm crash-loop [--kill WHAT] [--kills N] [--seed S] [--clients N]

Runs the real server while pilots steer, rename and maneuver, and admins make and remove stations,
gates and accounts, move ships, change the clock, take snapshots and go back to them; kills with
SIGKILL at moments that the seed decides, and starts the server again. After each start whatever
was acknowledged must be there. Every tenth time, and at the end, the world is paused and compared
to the bit with a replay of its stored journal. Exits 1 when anything was lost, or when a process
is left 5 s after the end.

  --kill WHAT    server: its process, also while it starts; its PostgreSQL ends by itself
                 both: the server and all processes of its PostgreSQL at once
                 database: PostgreSQL alone, all of it, its first process or one session; the
                 server must go on, and is killed afterwards
                 all: the three in turns (the default)
  --kills N      how many (100)
  --seed S       a whole number; by default another one each time, which is printed
  --clients N    pilots (50)
`

/** Longest that a game runs before something is killed [ms]. */
const LOAD_MS_MAX = 4000

/** Violations that are told one by one. */
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

const tell = (line: string): void => void process.stdout.write(`${line}\n`)
tell(`seed ${seed}`)
const rhythm: Omit<CrashLoopOptions, 'victims' | 'kills' | 'seed' | 'clients' | 'tell'> = {
  loadMsMax: LOAD_MS_MAX,
  replayEvery: 10,
  readEvery: 3,
  isMadeTwice: true,
}
const result = await crashLoop({ victims, kills, seed, clients, ...rhythm, tell })
const slowest = Math.max(...result.readyMs) / 1000
tell(
  `${result.kills} kills (${values.kill}), ${result.acknowledged} acknowledged, ` +
    `${result.violations.length} violations, ${result.digests} digests replayed, ` +
    `slowest start ${slowest.toFixed(1)} s, ${result.unknown} answers that knew no outcome`,
)
for (const violation of result.violations.slice(0, SHOWN_MAX)) tell(`  ${violation}`)
if (result.violations.length > 0) {
  tell(`FAILED with seed ${seed}`)
  process.exitCode = 1
}
