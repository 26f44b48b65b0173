/** `scripts/orrery bench <name>`: measures, and prints what it measured. */
import { progress } from '@orrery/testkit/progress'
import { type Row, machineHere, report } from '@orrery/testkit/report'
import { commandLine } from '../scripts/command/command-line.ts'
import { autopilot } from './orders/autopilot.ts'
import { operatorsConsole } from './console.ts'
import { documents } from './design-sessions/documents.ts'
import { durability } from './durability/durability.ts'
import { ephemeris } from './ephemeris.ts'
import { writeFigures } from './figures.ts'
import { follower } from './durability/follower.ts'
import { changed, gate } from './gate.ts'
import { kernel } from './kernel.ts'
import { knowledge } from './design-sessions/knowledge.ts'
import { hostile } from './modules/hostile.ts'
import { modules } from './modules/modules.ts'
import { degraded } from './cluster/degraded.ts'
import { gateways } from './cluster/gateways.ts'
import { moves } from './cluster/moves.ts'
import { maneuvers } from './orders/maneuvers.ts'
import { newcomer } from './newcomer.ts'
import { page } from './page/page.ts'
import { past } from './durability/past.ts'
import { relevance } from './design-sessions/relevance.ts'
import { saveResult } from './results.ts'
import { service } from './design-sessions/service.ts'
import { ship } from './ship.ts'
import { snapshot } from './snapshot.ts'
import { sockets } from './load/sockets.ts'
import { start } from './start.ts'
import { status } from './load/status.ts'
import { takeover } from './durability/takeover.ts'
import { type TicksOptions, ticks } from './ticks.ts'
import { voyages } from './orders/voyages.ts'
import { wire } from './wire/wire.ts'

const HELP = `Usage: scripts/orrery bench <name> [--json] [options]

  ephemeris  days of the massive bodies made per second, and what a start takes for the first
  kernel     ship-body interactions per second of the force kernel, one core
  ship       ship-steps per second, one core
  ticks      utilisation of the tick engine on the real solar system
  autopilot  the same while all ships maneuver, and when a thousand begin at once
  voyages    how many transfers to the Moon and to Mars are captured; Δv of orbit changes
  maneuvers  how many rendezvous of a seeded batch finish, and for what Δv
  modules    a tick of ships that drill and are on missions, beside the same without modules;
             ticks beside modules that do harm
  snapshot   how long ships stand for an image of the world, and what it packs to
  status     requests per second of GET /api/status while the server ticks at 10 Hz
  sockets    a thousand players, some stalled, one flooding, a join storm, a login storm
  knowledge  searches of a library of 12,500 chunks, and what waits while it is indexed
  relevance  how well the search finds what is meant, by words and by meaning too
  service    short reads beside 40 renders, 50 bundles and 200 long searches at once
  durability how soon a killed world ticks again; acknowledgements under a journal, frames that wait
  follower   a star system taken in beside a ticking one; a follower of a server
  past       how soon a moment of a day ago is flown again, and ticks of the game meanwhile
  degraded   what others notice of a gateway that stands, or is on a slow or lossy path
  gateways   commands over a gateway and a synchronous standby, its frames' age, owner's ticks
  moves      what players notice when a star system goes from host to host, again and again
  takeover   how soon a server that stands by answers when the owner is killed, or is stopped,
             and one that has followed nothing
  start      how soon both services work, first and later, and their memory at rest
  newcomer   a fresh clone: first tick, page, a command, and memory with npx and pnpm
  gate       the whole gate on a fresh clone
  changed    the tests of a change of one file, on a fresh clone
  figures    writes the saved figures into the root README, and measures nothing
  wire       binary frames beside JSON: bytes per ship and tick, fan-out
  page       the player's page in headless Chromium: first visit, frames, dragging, memory
  console    the operators' console: a visit, its cost, memory, map, a search of players
  documents  diagrams at once, and the report of a version as PDF

  --seconds N    how long to measure a case (autopilot, ticks, status, durability:
                 default 20; sockets: 60; wire: 20; modules: 64)
  --minutes N    how long a page stays open (page, console; default 60)
  --pictures DIR where pictures of ten scenes are written to (page)
  --clients N    players connected at once (sockets, wire; default 1000)
  --binary       nothing but the fan-out of binary frames at 10 Hz (wire)
  --gateways N   at the end; it begins with one (gateways; default 4)
  --gateway      fan-out by a gateway, with its host beside it (wire)

  ticks runs a set of cases, or with any of these just one:

  --ships N      ships in the world (1000; durability, takeover, moves, page, console: 10000,
                 modules: 100000)
  --rate HZ      ticks per second (10; sockets: 2)
  --scale X      game seconds per second (1)
  --workers N    worker threads (2)
  --thrusting S  share of ships under steady thrust (0)
  --pointing S   share of ships in pointing modes (0)
  --turning S    share of ships under full thrust, turned once a second (0.1)
  --rules N      rules of each ship, 4 at most (0)

  --json         print one JSON object and nothing else on stdout; progress goes to stderr
  --save         write the result into bench/results, from which the bench figures writes the
                 figures of the root README
  --rounds N     how often the gate runs (gate; default 1); take-overs
                 (takeover; default 20), moves (moves; default 100)
  --load N       processes that compute beside it (gate; default 0)
`

const { values, positionals } = commandLine(
  'bench',
  HELP,
  {
    seconds: { type: 'string' },
    minutes: { type: 'string', default: '60' },
    pictures: { type: 'string' },
    clients: { type: 'string', default: '1000' },
    binary: { type: 'boolean', default: false },
    gateway: { type: 'boolean', default: false },
    gateways: { type: 'string', default: '4' },
    ships: { type: 'string' },
    rate: { type: 'string' },
    scale: { type: 'string' },
    workers: { type: 'string' },
    thrusting: { type: 'string' },
    pointing: { type: 'string' },
    turning: { type: 'string' },
    rules: { type: 'string' },
    json: { type: 'boolean', default: false },
    save: { type: 'boolean', default: false },
    rounds: { type: 'string' },
    load: { type: 'string', default: '0' },
  },
  true,
)

for (const [option, value] of Object.entries(values)) {
  if (typeof value === 'string' && option !== 'pictures' && !(Number(value) >= 0)) {
    process.stderr.write(`bench: --${option} takes a number\n`)
    process.exit(2)
  }
}

const BENCHES: Readonly<Record<string, () => Promise<Row[]>>> = {
  console: () =>
    operatorsConsole({
      accounts: 100_000,
      minutes: Number(values.minutes),
      ships: Number(values.ships ?? 10_000),
    }),
  autopilot: () => autopilot(Number(values.seconds ?? 20)),
  degraded: () =>
    degraded({ ships: Number(values.ships ?? 1000), seconds: Number(values.seconds ?? 60) }),
  documents,
  durability: () =>
    durability({
      ships: Number(values.ships ?? 10_000),
      seconds: Number(values.seconds ?? 20),
    }),
  ephemeris,
  follower: () =>
    follower({
      ships: Number(values.ships ?? 10_000),
      seconds: Number(values.seconds ?? 20),
    }),
  past: () => past({ ships: Number(values.ships ?? 1000) }),
  takeover: () =>
    takeover({ ships: Number(values.ships ?? 10_000), rounds: Number(values.rounds ?? 20) }),
  changed,
  gateways: () =>
    gateways({
      ships: Number(values.ships ?? 1000),
      gateways: Number(values.gateways),
      seconds: Number(values.seconds ?? 20),
    }),
  gate: () => gate({ rounds: Number(values.rounds ?? 1), load: Number(values.load) }),
  kernel,
  knowledge,
  relevance,
  service,
  maneuvers,
  modules: async () => [
    ...(await modules({
      ships: Number(values.ships ?? 100_000),
      seconds: Number(values.seconds ?? 64),
    })),
    ...(await hostile()),
  ],
  moves: () =>
    moves({ ships: Number(values.ships ?? 10_000), moves: Number(values.rounds ?? 100) }),
  newcomer,
  page: () =>
    page({
      ships: Number(values.ships ?? 10_000),
      minutes: Number(values.minutes),
      ...(values.pictures !== undefined && { pictures: values.pictures }),
    }),
  ship,
  snapshot: () => snapshot(Number(values.ships ?? 100_000)),
  ticks: () => ticks(oneCase(values)),
  start,
  voyages,
  status: () => status(Number(values.seconds ?? 20)),
  sockets: () =>
    sockets({
      clients: Number(values.clients),
      seconds: Number(values.seconds ?? 60),
      rateHz: Number(values.rate ?? 2),
    }),
  wire: () =>
    wire({
      clients: Number(values.clients),
      seconds: Number(values.seconds ?? 20),
      isBinaryOnly: values.binary,
      isGateway: values.gateway,
    }),
}

/** The case that options describe; undefined when none is given. */
function oneCase(given: Readonly<Record<string, unknown>>): Partial<TicksOptions> | undefined {
  const named = [
    ['ships', given['ships']],
    ['rateHz', given['rate']],
    ['scale', given['scale']],
    ['workers', given['workers']],
    ['thrusting', given['thrusting']],
    ['pointing', given['pointing']],
    ['turning', given['turning']],
    ['rules', given['rules']],
  ].filter(([, value]) => value !== undefined)
  if (named.length === 0) return undefined
  const numbers = named.map(([option, value]) => [option, Number(value)] as const)
  return { ...Object.fromEntries(numbers), seconds: Number(given['seconds'] ?? 20) }
}

const [name = ''] = positionals
const bench = BENCHES[name]
if (name === 'figures') {
  writeFigures()
} else if (bench) {
  progress.start(`bench ${name}`)
  const rows = await bench().finally(() => progress.end())
  report(name, rows, values.json)
  if (values.save) {
    const given = process.argv.slice(3).filter((word) => word !== '--save')
    saveResult(name, {
      command: ['scripts/orrery bench', name, ...given].join(' '),
      date: new Date().toISOString().slice(0, 10),
      ...machineHere(),
      rows,
    })
  }
} else {
  process.stderr.write(HELP)
  process.exit(2)
}
