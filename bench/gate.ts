/**
 * How long the whole gate takes on a fresh clone of the last commit, and the tests of one change.
 */
import { progress } from '@orrery/testkit/progress'
import { type Metric, type Row, rowsOf } from '@orrery/testkit/report'
import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { appendFileSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { note } from './progress.ts'

/** Clock ticks per second in `/proc`. */
const TICKS_PER_SECOND = 100

interface GateOptions {
  readonly rounds: number
  /** processes that compute beside it all the time */
  readonly load: number
}

/** A file that a usual change touches, and what its tests may take [s]. */
const CHANGES = [
  ['packages/gateway/src/routes/public.ts', 150],
  ['packages/sim/src/orbits/conic.ts', 240],
  ['packages/web/src/instruments/time.tsx', 90],
] as const

interface Took {
  readonly seconds: number
  readonly processor: number
  readonly stolen: number
  readonly code: number | null
}

/** Runs the gate so many times, each on a clone of its own. */
export function gate({ rounds, load }: GateOptions): Promise<Row[]> {
  const busy = Array.from({ length: load }, busyProcess)
  try {
    const beside = load === 0 ? '' : `, beside ${load} busy processes`
    const bounds = load === 0 ? { seconds: { max: 360 }, processor: { max: 600 } } : {}
    const rows = Array.from({ length: rounds }, (_, i) => {
      progress.at(`gate ${i + 1} of ${rounds}`)
      const took = inClone((directory) => run('bash', ['.ci/run'], directory))
      const name = rounds === 1 ? `the gate${beside}` : `the gate${beside}, run ${i + 1}`
      const found = rowsOf(name, metrics(took, bounds))
      note(found)
      return found
    })
    return Promise.resolve(rows.flat())
  } finally {
    for (const child of busy) child.kill('SIGKILL')
  }
}

/** Changes one file at a time and runs the tests that notice it. */
export function changed(): Promise<Row[]> {
  const rows = inClone((directory) => {
    run('npx', ['pnpm', 'install'], directory)
    return CHANGES.flatMap(([file, secondsMax]) => {
      progress.at(file)
      appendFileSync(join(directory, file), '\n// changed\n')
      const took = run('npx', ['pnpm', 'test', '--changed'], directory)
      spawnSync('git', ['checkout', '--quiet', '.'], { cwd: directory })
      const found = rowsOf(file, metrics(took, { seconds: { max: secondsMax } }))
      note(found)
      return found
    })
  })
  return Promise.resolve(rows)
}

type Bounds = Readonly<Partial<Record<'seconds' | 'processor', { readonly max: number }>>>

function metrics({ seconds, processor, stolen, code }: Took, bounds: Bounds): Metric[] {
  return [
    ['exit_code', code ?? -1, '', { max: 0 }],
    ['seconds', seconds, 's', bounds.seconds],
    ['processor', processor, 's', bounds.processor],
    ['stolen_by_host', stolen, '% of the processors'],
  ]
}

function inClone<Result>(work: (directory: string) => Result): Result {
  const directory = mkdtempSync(join(tmpdir(), 'orrery-gate-'))
  try {
    spawnSync('git', ['clone', '--quiet', process.cwd(), directory])
    return work(directory)
  } finally {
    rmSync(directory, { recursive: true, force: true })
  }
}

/** Its output goes to stderr. */
function run(program: string, args: readonly string[], cwd: string): Took {
  const env = { ...process.env, CI: 'true', NODE_COMPILE_CACHE: '' }
  const before = { ...clocks(), at: performance.now() }
  const { status } = spawnSync(program, args, { cwd, env, stdio: ['ignore', 2, 2] })
  const after = clocks()
  return {
    seconds: (performance.now() - before.at) / 1000,
    processor: after.children - before.children,
    stolen: (100 * (after.stolen - before.stolen)) / (after.all - before.all),
    code: status,
  }
}

/** Processor time of all children that have ended, and that of the machine [s]. */
function clocks(): { readonly children: number; readonly stolen: number; readonly all: number } {
  const own = readFileSync('/proc/self/stat', 'utf8')
  const fields = own
    .slice(own.lastIndexOf(')') + 2)
    .split(' ')
    .map(Number)
  const machine = /^cpu +(.*)$/m.exec(readFileSync('/proc/stat', 'utf8'))?.[1] ?? ''
  const times = machine.split(' ').map(Number)
  return {
    children: (fields[13] + fields[14]) / TICKS_PER_SECOND,
    stolen: times[7],
    all: times.slice(0, 8).reduce((sum, time) => sum + time, 0),
  }
}

function busyProcess(): ChildProcess {
  return spawn(process.execPath, ['-e', 'for (;;) Math.sqrt(2)'], { stdio: 'ignore' })
}
