/** `scripts/orrery crash-loop` kills the real server under load and searches for lost changes. */
import { progress } from '@orrery/testkit/progress'
import { commandLine } from './command/command-line.ts'
import { crashLoop } from './crash/crash-loop.ts'
import { ledgerText } from './crash/mines/ledger.ts'
import type { Victim } from './crash/run.ts'
import { transferLoop } from './crash/transfers/transfer-loop.ts'

const HELP = `Usage: scripts/orrery crash-loop [--kill WHAT] [--kills N] [--seed S] [--clients N]
         [--mines]
       scripts/orrery crash-loop --transfers N [--kill WHAT] [--kills N] [--seed S] [--clients N]
         [--mines]

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
  --transfers N  moves the pilots' ships between star systems instead, until N are acknowledged;
                 kills at random moments and between the batches of a departure and its arrival.
                 Each ship must be in one system, where it was last sent
  --mines        the game has the modules mining, with a drill that reaches everywhere, and
                 missions, after half of the kills a newer version of mining; pilots play them.
                 With --transfers the ore in asteroids, in holds and sold is always as much
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
  transfers: { type: 'string', default: '0' },
  mines: { type: 'boolean', default: false },
})
const VICTIMS: Readonly<Record<string, readonly Victim[]>> = {
  server: ['server'],
  both: ['both'],
  database: ['database'],
  all: ['server', 'both', 'database'],
}
const victims = VICTIMS[values.kill]
const numbers = [values.kills, values.seed, values.clients, values.transfers].map(Number)
const [kills, seed, clients, transfers] = numbers
const isSound = numbers.every((number) => Number.isSafeInteger(number) && number >= 0)
if (!victims || !isSound) {
  process.stderr.write('crash-loop: an option is not what --help says\n')
  process.exit(2)
}

const print = (line: string): void => void process.stdout.write(`${line}\n`)
print(`seed ${seed}`)
progress.start('crash-loop')
const hasMines = values.mines
const common = { kills, victims, seed, clients, hasMines, loadMsMax: LOAD_MS_MAX, print }
const violations = transfers > 0 ? await killTransfers() : await killLoaded()
progress.end()
for (const violation of violations.slice(0, SHOWN_MAX)) print(`  ${violation}`)
if (violations.length > 0) {
  print(`FAILED with seed ${seed}`)
  process.exitCode = 1
}

async function killLoaded(): Promise<readonly string[]> {
  const rhythm = { replayEvery: 10, readEvery: 3, isFirstStartKilled: true }
  const result = await crashLoop({ ...common, ...rhythm })
  const slowest = Math.max(...result.readyMs) / 1000
  print(
    `${result.kills} kills (${values.kill}), ${result.acknowledged} acknowledged, ` +
      `${result.violations.length} violations, ${result.digests} digests replayed, ` +
      `slowest start ${slowest.toFixed(1)} s, ${result.unknown} answers with an unknown outcome`,
  )
  return result.violations
}

async function killTransfers(): Promise<readonly string[]> {
  const result = await transferLoop({ ...common, transfers })
  print(
    `${result.kills} kills (${values.kill}), ` +
      `${result.transfers} transfers of ${result.ships} ships acknowledged, ` +
      `${result.arrived} arrivals durable, ${result.inTransit} ships found in transit, ` +
      `${result.violations.length} violations, ${result.digests} digests replayed, seed ${seed}` +
      (hasMines ? `, ${ledgerText(result.ledger)}` : ''),
  )
  return result.violations
}
