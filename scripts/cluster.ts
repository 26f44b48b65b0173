/** `scripts/orrery cluster` disturbs a universe on several hosts, and searches for what is lost. */
import { NATS_SERVER } from '@orrery/testkit/nats-server'
import { progress } from '@orrery/testkit/progress'
import { commandLine } from './command/command-line.ts'
import { runCluster } from './cluster/cluster.ts'
import { ledgerText } from './crash/mines/ledger.ts'
import { tableOf } from './cluster/table.ts'

const HELP = `Usage: scripts/orrery cluster [--minutes N] [--kills N] [--seed S] [--clients N]
         [--mines] [--links] [--failover]

Runs one universe on this machine as three hosts, two gateways, NATS and PostgreSQL, all of them
real processes. Pilots steer, burn and maneuver through both gateways, ships jump between star
systems, and systems move from host to host. Meanwhile the host that leads, one that flies for it, a
gateway, the broker and the database are killed with SIGKILL in turn, and a host is stopped with
SIGSTOP until others own its systems. Then each acknowledged command must be in the journal once,
each ship in one system, each digest that of a replay in one process, and each ship in frames that
players saw where that has it, to the bit, and no player is shown an earlier moment after a later
one: else it exits with 1. It prints the times that are asked
beside those that were measured, which depend on the machine.

Needs nats-server 2.10.26 or later in PATH, or NATS_SERVER with its path.

  --minutes N    no kill begins later (10)
  --kills N      number of kills and stops at most (60)
  --seed S       a whole number; by default a new one, which is printed
  --clients N    pilots (20)
  --mines        the game has the modules mining, with a drill that reaches everywhere, and
                 missions; pilots play them, and the ore in asteroids, in holds and sold is at the
                 end as much as at the start
  --links        instead of kills, nothing passes the link of a host or gateway to the database
                 or the bus, or of the others to a host, in one direction for 10 s, each in turn;
                 there are 26
  --failover     the database has a standby, for which commits wait; in turn with the others, the
                 primary is killed and the standby promoted
`

/** Longest time under load before a kill [ms]. */
const LOAD_MS_MAX = 3000

/** Violations that are printed. */
const SHOWN_MAX = 20

const { values } = commandLine('cluster', HELP, {
  minutes: { type: 'string', default: '10' },
  kills: { type: 'string', default: '60' },
  seed: { type: 'string', default: String(Date.now() % 2 ** 31) },
  clients: { type: 'string', default: '20' },
  mines: { type: 'boolean', default: false },
  links: { type: 'boolean', default: false },
  failover: { type: 'boolean', default: false },
})
const minutes = Number(values.minutes)
const numbers = [values.kills, values.seed, values.clients].map(Number)
const [kills, seed, clients] = numbers
const isSound = numbers.every((number) => Number.isSafeInteger(number) && number >= 0)
if (!isSound || !(minutes > 0)) {
  process.stderr.write('cluster: an option is not what --help says\n')
  process.exit(2)
}
if (NATS_SERVER === undefined) {
  process.stderr.write(
    'cluster: nats-server 2.10.26 or later is neither in PATH nor named by NATS_SERVER; ' +
      'scripts/install/nats-server.sh fetches it\n',
  )
  process.exit(2)
}

const print = (line: string): void => void process.stdout.write(`${line}\n`)
print(`seed ${seed}`)
progress.start('cluster')
const options = {
  kills,
  seed,
  clients,
  hasMines: values.mines,
  cutsLinks: values.links,
  failsOver: values.failover,
  msMax: 60_000 * minutes,
  loadMsMax: LOAD_MS_MAX,
  print,
}
const result = await runCluster(options)
progress.end()
print(tableOf(result))
if (values.mines) print(ledgerText(result.ledger))
for (const violation of result.violations.slice(0, SHOWN_MAX)) print(`  ${violation}`)
if (result.violations.length > 0) {
  print(`FAILED with seed ${seed}: ${result.violations.length} violations`)
  process.exitCode = 1
}
