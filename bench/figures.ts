/** The root README's figures, written from the committed results of benches. */
import { readFileSync, writeFileSync } from 'node:fs'
import { type Result, savedResult } from './results.ts'

const README = new URL('../README.md', import.meta.url)

const BEGIN = '<!-- Written by `scripts/orrery bench figures`. -->'
const END = '<!-- /figures -->'

/** Reads one value of a bench: a case and metric, of which the beginning of the case suffices. */
type Read = (caseStart: string, metric: string) => number

interface Figure {
  readonly bench: string
  readonly parts: (read: Read) => readonly string[]
}

const round = (value: number, digits = 3): string =>
  value.toLocaleString('en', { maximumSignificantDigits: digits })

const MILLION = '1000000 ships, 10 Hz, 1 % thrusting, 10 % pointing'
const STATUS = 'GET /api/status'
const CALM = '1000 at 2 Hz, 50 in view'
const GAME = 'game server'
const CLONE = 'a newcomer'

/** Milliseconds as seconds. */
const seconds = (ms: number): string => `${round(ms / 1000, 2)} s`

/** The parts of each sentence are joined by spaces. */
const FIGURES: readonly Figure[] = [
  {
    bench: 'ticks',
    parts: (read) => [
      '1,000,000 ships at 10 Hz, 1 % under thrust, 10 % in pointing modes:',
      `${round(read(MILLION, 'utilisation_median'), 2)} % of the period,`,
      `${round(read(MILLION, 'utilisation_p99'), 2)} % p99,`,
      `${round(read(MILLION, 'memory'))} MB`,
    ],
  },
  {
    bench: 'kernel',
    parts: (read) => [
      `${round(read('wasm-simd', 'interactions_per_second') / 1e6)} million`,
      'ship-body interactions per second and core in WebAssembly',
    ],
  },
  {
    bench: 'maneuvers',
    parts: (read) => [
      `${read('100 rendezvous', 'finished')} of 100 rendezvous with stations flown,`,
      `for ${round(read('100 rendezvous', 'delta_v_to_two_impulses'))}`,
      'times the Δv of two impulses',
    ],
  },
  {
    bench: 'status',
    parts: (read) => [
      `\`GET /api/status\` while ticking: ${round(read(STATUS, 'requests_per_second'), 4)} /s,`,
      `p99 ${Math.max(1, read(STATUS, 'latency_p99'))} ms at most, load generator included`,
    ],
  },
  {
    bench: 'sockets',
    parts: (read) => [
      `1,000 sockets, 2 Hz, 50 ships each: ${round(read(CALM, 'fan_out_mean'), 2)} ms`,
      `from the tick to the last write, ${round(read(CALM, 'fan_out_p99'), 2)} ms p99`,
    ],
  },
  {
    bench: 'start',
    parts: (read) => [
      `first tick ${seconds(read(GAME, 'first start until it works'))} after a first start,`,
      `${seconds(read(GAME, 'later start until it works'))} after a later one;`,
      `${round(read(GAME, 'memory at rest (PSS)'))} MB at rest, PostgreSQL included`,
    ],
  },
  {
    bench: 'newcomer',
    parts: (read) => [
      'in a fresh clone, `npx pnpm start` ticks after',
      `${seconds(read(CLONE, 'first start: first tick'))} and shows its page after`,
      `${seconds(read(CLONE, 'first start: page usable'))}; \`scripts/orrery start\` ticks after`,
      seconds(read(CLONE, 'later start: first tick')),
    ],
  },
  {
    bench: 'gate',
    parts: (read) => [
      'the whole gate on a fresh clone, installation included:',
      `${round(read('the gate', 'seconds') / 60, 2)} min,`,
      `${round(read('the gate', 'processor'))} s of processor time`,
    ],
  },
]

/** The list of all figures whose benches are saved. */
export function figures(saved: (bench: string) => Result | undefined = savedResult): string {
  const lines = FIGURES.flatMap(({ bench, parts }) => {
    const result = saved(bench)
    if (!result) return []
    const read: Read = (caseStart, metric) => {
      const row = result.rows.find((one) => one.case.startsWith(caseStart) && one.metric === metric)
      if (!row) throw new Error(`The result of ${bench} has no ${metric} of ${caseStart}.`)
      return row.value
    }
    const { machine, date } = result
    return [{ where: machine, line: `- ${parts(read).join(' ')} (\`${bench}\`, ${date})` }]
  })
  const machines = [...new Set(lines.map(({ where }) => where))]
  return machines
    .map((machine) =>
      [
        `On ${machine}:`,
        '',
        ...lines.filter(({ where }) => where === machine).map(({ line }) => line),
      ].join('\n'),
    )
    .join('\n\n')
}

/** A README with the figures in their place. @throws {Error} without that place */
export function withFigures(readme: string, list: string): string {
  const [begin, end] = [readme.indexOf(BEGIN), readme.indexOf(END)]
  if (begin < 0 || end < begin) throw new Error('The README has no place for figures.')
  return `${readme.slice(0, begin + BEGIN.length)}\n\n${list}\n\n${readme.slice(end)}`
}

/** Whether the root README states the saved figures. */
export function areFiguresWritten(): boolean {
  const readme = readFileSync(README, 'utf8')
  return withFigures(readme, figures()) === readme
}

export function writeFigures(): void {
  writeFileSync(README, withFigures(readFileSync(README, 'utf8'), figures()))
}
