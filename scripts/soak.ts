/** `scripts/orrery soak` lets bots and operators use a real server for long, and measures it. */
import { progress } from '@orrery/testkit/progress'
import { isKept, report } from '@orrery/testkit/report'
import { CommandError, run } from './command/run.ts'
import { commandLine } from './command/command-line.ts'
import { soak } from './soak/soak.ts'

const HELP = `Usage: scripts/orrery soak [--minutes 60] [--bots 200] [--rate 10] [--scale 10]
                            [--seed S] [--json]

Runs a real server with its own database. Bots register, come and go, steer, maneuver, dock, rename
their ships, give them rules, and delete their accounts; half of them have binary frames, and a
tenth flies its own ships. An operator's console is open, a snapshot is made each minute. After a
quarter of the time the world is restored, after 35 % the server is stopped and started again. In
the end it is stopped, and its journal replayed. Linux only.

It fails when memory rises by more than the noise in the second half, if that is ten minutes; when
the database has more than its rows explain; when every hundredth frame comes later than two periods
after the one before; when a command or a socket fails; when an own ship differs from the server's;
when the log has errors; when a replay differs. Restore and restart are left out until all sockets
have frames again; the table states their lengths.

  --minutes N  how long the bots play (60)
  --bots N     players at once (200)
  --rate HZ    ticks per second (10)
  --scale X    game seconds per second (10)
  --seed S     of all that is random; by default a new one, which is printed
  --json       print one JSON object and nothing else on stdout

Variables that begin with JOURNAL_ are passed on to the server.

Exits 0 when all bounds are kept, 1 when one is missed, 2 on failure.
`

/** Variables of the server that decide what is kept. */
const PASSED_ON = /^JOURNAL_/

/** Faults that are printed. */
const SHOWN_MAX = 40

const { values } = commandLine('soak', HELP, {
  minutes: { type: 'string', default: '60' },
  bots: { type: 'string', default: '200' },
  rate: { type: 'string', default: '10' },
  scale: { type: 'string', default: '10' },
  seed: { type: 'string', default: String(Date.now() % 2 ** 31) },
  json: { type: 'boolean', default: false },
})

await run('soak', async () => {
  const [minutes, bots, rateHz, scale, seed] = (
    ['minutes', 'bots', 'rate', 'scale', 'seed'] as const
  ).map((name) => positive(name, values[name]))
  const print = (line: string): void => void process.stderr.write(`${line}\n`)
  progress.start('soak')
  print(`soak: ${minutes} min, ${bots} bots, ${rateHz} Hz, scale ${scale}, seed ${seed}`)
  const passedOn = Object.entries(process.env).filter(([name]) => PASSED_ON.test(name))
  const variables = Object.fromEntries(passedOn)
  const { rows, faults } = await soak({ minutes, bots, rateHz, scale, seed, variables, print })
  report('soak', rows, values.json)
  for (const fault of faults.slice(0, SHOWN_MAX)) print(`  ${fault}`)
  return rows.every(isKept) ? 0 : 1
})

/** @throws {CommandError} */
function positive(name: string, text: string): number {
  const number = Number(text)
  if (number > 0 && Number.isFinite(number)) return number
  throw new CommandError(`--${name} is ${JSON.stringify(text)}; a positive number is expected.`)
}
