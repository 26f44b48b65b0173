/** `npx pnpm bench <name>`: measures, and prints what it measured. */
import { parseArgs } from 'node:util'
import { kernel } from './kernel.ts'
import { type Row, report } from './report.ts'
import { status } from './status.ts'
import { ticks } from './ticks.ts'

const HELP = `Usage: npx pnpm bench <kernel|ticks|status> [--json] [options]

  kernel   ship-body interactions per second of the force kernel, one core
  ticks    utilisation of the tick engine on the real solar system
  status   requests per second of GET /api/status while the server ticks at 10 Hz

  --ships N      ships in the world (ticks; default 1000)
  --rate HZ      ticks per second (ticks; default 10)
  --workers N    worker threads (ticks; default 2)
  --steered S    share of ships under full thrust and turning (ticks; default 0.1)
  --seconds N    how long to measure (ticks, status; default 10)
  --json         print one JSON object and nothing else
`

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    ships: { type: 'string', default: '1000' },
    rate: { type: 'string', default: '10' },
    workers: { type: 'string', default: '2' },
    steered: { type: 'string', default: '0.1' },
    seconds: { type: 'string', default: '10' },
    json: { type: 'boolean', default: false },
    help: { type: 'boolean', short: 'h', default: false },
  },
})

const BENCHES: Readonly<Record<string, () => Promise<Row[]>>> = {
  kernel,
  ticks: () =>
    ticks({
      ships: Number(values.ships),
      rateHz: Number(values.rate),
      workers: Number(values.workers),
      steered: Number(values.steered),
      seconds: Number(values.seconds),
    }),
  status: () => status(Number(values.seconds)),
}

const [name = ''] = positionals
const bench = BENCHES[name]
if (values.help || !bench) {
  process.stdout.write(HELP)
  process.exit(values.help ? 0 : 2)
}
report(name, await bench(), values.json)
