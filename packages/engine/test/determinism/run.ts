/**
 * `scripts/orrery determinism` flies one scripted world in every combination of what its bits must
 * not depend on, and compares them.
 */
import { parseArgs } from 'node:util'
import { CHROMIUM_RUNS_HERE } from '@orrery/testkit/browser-page'
import { type Chromium, startChromium } from './chromium.ts'
import type { Flown } from './flight.ts'
import { goldenDigests, goldenOf, writeGoldenDigests } from './golden.ts'
import {
  type Case,
  FULL,
  TICK_RATES,
  TIME_SCALES,
  caseName,
  difference,
  flownCase,
  fullMatrix,
  plainFlight,
  spanOf,
} from './matrix.ts'

const { longTicks, shortTicks } = FULL

const HELP = `Usage: scripts/orrery determinism [--json] [--write-golden] [--help]

Flies 300 ships under 500 commands, ${longTicks} s where a tick is a second or more, ${shortTicks} s
elsewhere, in every combination of

  tick rate    ${TICK_RATES.join(', ')} Hz
  time scale   ${TIME_SCALES.join(', ')}
  workers      1, 2, 3, 4 threads in Node; the page's own thread in headless Chromium
  kernel       TypeScript, WebAssembly
  restored     in one go; stored and restored on the way

and, for every pair of these, beside 1,000 ships in two other systems, and with ships of two
classes, and compares all digests with those of a plain flight on one thread, and these with the
digests that are kept. Exits 1 on any difference. An hour on two cores; progress goes to
stderr.

  --json          print one JSON object and nothing else
  --write-golden  keep the digests of plain flights from now on; see packages/sim/README.md
`

interface Outcome extends Case {
  readonly seconds: number
  readonly ticks: number
  readonly tookSeconds: number
  /** in what it differs; null if in nothing */
  readonly difference: string | null
}

/** Flights at a time: most have one thread wait for others. */
const LANES = 2

async function flownMatrix(
  plain: ReadonlyMap<number, Flown>,
  mixed: ReadonlyMap<number, Flown>,
  chromium: Chromium | undefined,
): Promise<Outcome[]> {
  const cases = fullMatrix().filter(({ engine }) => engine === 'node' || chromium)
  const left = cases.values()
  const outcomes: Outcome[] = []
  const lane = async (): Promise<void> => {
    for (const one of left) {
      const startMs = performance.now()
      const seconds = spanOf(one, FULL)
      const found = await flownCase(one, seconds, chromium)
      const tookSeconds = (performance.now() - startMs) / 1000
      const wrong = difference(found, (one.mixed ? mixed : plain).get(seconds)!) ?? null
      outcomes.push({ ...one, seconds, ticks: found.ticks, tookSeconds, difference: wrong })
      const verdict = wrong === null ? 'same' : `DIFFERENT in ${wrong}`
      const progress = `${outcomes.length}/${cases.length} ${caseName(one)}`
      process.stderr.write(`${progress}: ${verdict}, ${tookSeconds.toFixed(1)} s\n`)
    }
  }
  await Promise.all(Array.from({ length: LANES }, lane))
  return outcomes
}

/** Spans whose plain flight does not leave the digests that are kept. */
async function changedSpans(plain: ReadonlyMap<number, Flown>): Promise<number[]> {
  const golden = await goldenDigests()
  const same = (seconds: number, flown: Flown): boolean =>
    JSON.stringify(goldenOf(flown)) === JSON.stringify(golden[seconds])
  return [...plain].filter(([seconds, flown]) => !same(seconds, flown)).map(([seconds]) => seconds)
}

const COLUMNS = [
  ['Node TypeScript', 'node', 'typescript'],
  ['Node WASM', 'node', 'wasm'],
  ['Chromium TypeScript', 'chromium', 'typescript'],
  ['Chromium WASM', 'chromium', 'wasm'],
] as const

/** One row per rate and scale; a cell counts the flights that left the same bits. */
function table(outcomes: readonly Outcome[]): string {
  const heads = ['rate', 'scale', 'span', 'ticks', ...COLUMNS.map(([head]) => head)]
  const rows = TICK_RATES.flatMap((tickRate) =>
    TIME_SCALES.map((timeScale) => {
      const here = outcomes.filter(
        (outcome) => outcome.tickRate === tickRate && outcome.timeScale === timeScale,
      )
      const cells = COLUMNS.map(([, engine, kernel]) => {
        const flights = here.filter((one) => one.engine === engine && one.kernel === kernel)
        const same = flights.filter((one) => one.difference === null)
        return flights.length === 0 ? '-' : `${same.length} of ${flights.length}`
      })
      return [
        `${tickRate} Hz`,
        `${timeScale}`,
        `${here[0].seconds} s`,
        `${here[0].ticks}`,
        ...cells,
      ]
    }),
  )
  const widths = heads.map((head, i) => Math.max(head.length, ...rows.map((row) => row[i].length)))
  return [heads, ...rows]
    .map((row) => row.map((cell, i) => cell.padStart(widths[i])).join('  '))
    .join('\n')
}

async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      json: { type: 'boolean', default: false },
      'write-golden': { type: 'boolean', default: false },
      help: { type: 'boolean', short: 'h', default: false },
    },
  })
  if (values.help) {
    process.stdout.write(HELP)
    return
  }
  if (values['write-golden']) {
    await writeGoldenDigests()
    process.stderr.write('The digests are written. Say why in packages/sim/README.md.\n')
    return
  }
  const startMs = performance.now()
  const plain = new Map<number, Flown>()
  const mixed = new Map<number, Flown>()
  for (const seconds of Object.values(FULL)) {
    plain.set(seconds, await plainFlight(seconds))
    mixed.set(seconds, await plainFlight(seconds, true))
  }
  const chromium = CHROMIUM_RUNS_HERE ? await startChromium() : undefined
  if (!chromium) process.stderr.write('Chromium is skipped: npm has it for Linux on x64 only.\n')
  let outcomes: Outcome[]
  try {
    outcomes = await flownMatrix(plain, mixed, chromium)
  } finally {
    await chromium?.close()
  }
  const changed = await changedSpans(plain)
  const different = outcomes.filter((outcome) => outcome.difference !== null)
  if (different.length > 0 || changed.length > 0) process.exitCode = 1
  const tookSeconds = (performance.now() - startMs) / 1000
  const engines = { node: process.version, v8: process.versions.v8, chromium: chromium?.version }
  if (values.json) {
    const summary = { ...engines, tookSeconds, changedSpans: changed, outcomes }
    process.stdout.write(`${JSON.stringify(summary, undefined, 2)}\n`)
    return
  }
  process.stdout.write(`${table(outcomes)}\n\n`)
  for (const outcome of different) {
    process.stdout.write(`${caseName(outcome)}: different in ${outcome.difference}\n`)
  }
  for (const seconds of changed) {
    process.stdout.write(`${seconds} s: not the digests that are kept\n`)
  }
  const count = `${outcomes.length - different.length} of ${outcomes.length} flights`
  process.stdout.write(
    `${count} left the same bits in ${tookSeconds.toFixed(0)} s, by Node ${engines.node}` +
      ` (V8 ${engines.v8}) and Chromium ${engines.chromium ?? '(skipped)'}.\n`,
  )
}

try {
  await main()
} catch (error) {
  process.stderr.write(`determinism: ${error instanceof Error ? error.message : String(error)}\n`)
  process.exitCode = 2
}
