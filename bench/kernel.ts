/**
 * Ship-body interactions per second and core of the force kernel, and what the same work costs
 * in strict C on the same machine: 8,192 points near Earth, the 34 bodies of Sol.
 *
 * Each case runs in a fresh process, the order reversed each round; what is reported is the
 * median of the rounds, for ratios the median of the ratios within a round. All cases must give
 * the same bits. C is measured on x64 where a compiler is found.
 */
import { solStateJ2000, solSystem } from '@orrery/catalog'
import { scratchAllocator, wasmKernel } from '@orrery/engine/testing'
import { type Pull, TABLE_DOUBLES, pull } from '@orrery/sim'
import { type Row, percentile } from '@orrery/testkit/report'
import { execFile } from 'node:child_process'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { Bench } from 'tinybench'
import { type Round, measureRounds } from './rounds.ts'

const POINTS = 8192
const BODIES = solSystem.bodies.length
const ROUNDS = 7
const SECONDS = 0.5

/** Contraction would fuse operations, errno would keep the square root from vectors. */
const STRICT = ['-O3', '-ffp-contract=off', '-fno-math-errno']

/** The compiler's flags and the number of points at a time that was fastest with them. */
const BUILDS: Readonly<Record<string, readonly string[]>> = {
  'c-sse2': [...STRICT, '-msse2', '-fopenmp-simd', '-DBLOCK=8'],
  'c-scalar': [...STRICT, '-msse2', '-fno-tree-vectorize', '-DBLOCK=2'],
  'c-avx512': [...STRICT, '-march=native', '-fopenmp-simd', '-DBLOCK=16'],
}

const RATIOS = [
  ['wasm-simd', 'c-sse2'],
  ['wasm-simd', 'c-scalar'],
  ['typescript', 'c-sse2'],
] as const

/** What one process measured: milliseconds per call, and the digest of the accelerations. */
interface Measured {
  readonly medianMs: number
  readonly p99Ms: number
  readonly digest: string
}

const run = promisify(execFile)

export async function kernel(): Promise<Row[]> {
  const directory = await mkdtemp(join(tmpdir(), 'orrery-bench-'))
  try {
    const self = fileURLToPath(import.meta.url)
    const commands = new Map([
      ['typescript', [process.execPath, self, 'typescript'] as const],
      ['wasm-simd', [process.execPath, self, 'wasm-simd'] as const],
      ...(await builtInC(directory)),
    ])
    const rounds = await measureRounds<Measured>(commands, ROUNDS)
    requireSameBits(rounds)
    return rowsOf([...commands.keys()], rounds)
  } finally {
    await rm(directory, { recursive: true })
  }
}

/** @throws {Error} when any two runs disagree on one bit of the accelerations */
function requireSameBits(rounds: readonly Round<Measured>[]): void {
  const seen = new Set(rounds.flatMap((round) => [...round.values()].map(({ digest }) => digest)))
  if (seen.size === 1) return
  const all = rounds.flatMap((round) => [...round].map(([name, m]) => `${name} ${m.digest}`))
  throw new Error(`The kernels differ in bits: ${[...new Set(all)].join(', ')}.`)
}

function rowsOf(names: readonly string[], rounds: readonly Round<Measured>[]): Row[] {
  const middle = (value: (round: Round<Measured>) => number): number =>
    percentile(rounds.map(value), 0.5)
  const perSecond = (ms: number): number => (POINTS * BODIES * 1000) / ms
  const rates = names.flatMap((name) => [
    {
      case: name,
      metric: 'interactions_per_second',
      value: middle((round) => perSecond(round.get(name)!.medianMs)),
      unit: '1/s',
    },
    {
      case: name,
      metric: 'interactions_per_second_p99',
      value: middle((round) => perSecond(round.get(name)!.p99Ms)),
      unit: '1/s',
    },
  ])
  const ratios = RATIOS.filter(([, anchor]) => names.includes(anchor)).map(([name, anchor]) => ({
    case: `${name} / ${anchor}`,
    metric: 'ratio',
    value: middle((round) => round.get(anchor)!.medianMs / round.get(name)!.medianMs),
    unit: '',
  }))
  return [...rates, ...ratios]
}

/** Compiles the cases in C, those this machine can run, and writes the work they read. */
async function builtInC(directory: string): Promise<[string, [string, ...string[]]][]> {
  const compiler = process.arch === 'x64' ? await compilerHere() : undefined
  if (!compiler) return []
  const input = join(directory, 'input')
  const { points, table } = workload((length) => new Float64Array(length))
  await writeFile(input, Buffer.concat([points, table].map((a) => new Uint8Array(a.buffer))))
  const flags = await readFile('/proc/cpuinfo', 'utf8').catch(() => '')
  const names = Object.keys(BUILDS).filter(
    (name) => name !== 'c-avx512' || /\bavx512f\b/.test(flags),
  )
  const source = fileURLToPath(new URL('kernel.c', import.meta.url))
  return Promise.all(
    names.map(async (name): Promise<[string, [string, ...string[]]]> => {
      const program = join(directory, name)
      await run(compiler, [...BUILDS[name], '-o', program, source, '-lm'])
      return [name, [program, input, `${POINTS}`, `${BODIES}`, `${SECONDS}`]]
    }),
  )
}

async function compilerHere(): Promise<string | undefined> {
  for (const name of ['cc', 'gcc', 'clang']) {
    const found = await run(name, ['--version']).catch(() => undefined)
    if (found) return name
  }
  return undefined
}

/** The points, the bodies and room for the result, in arrays of the given kind. */
function workload(
  allocate: (length: number) => Float64Array,
): Record<'points' | 'table' | 'out', Float64Array> {
  const { x } = solStateJ2000()
  const points = allocate(3 * POINTS)
  for (let i = 0; i < points.length; i++) points[i] = x[9 + Math.floor(i / POINTS)] + 7e6 + i
  const table = allocate(TABLE_DOUBLES * BODIES)
  for (const [i, { gm }] of solSystem.bodies.entries()) {
    table.set([...x.subarray(3 * i, 3 * i + 3), gm], TABLE_DOUBLES * i)
  }
  return { points, table, out: allocate(3 * POINTS) }
}

async function measureHere(name: string): Promise<Measured> {
  const length = 1024 * 1024
  const pages = length / 65_536
  const memory = new WebAssembly.Memory({ initial: pages, maximum: pages, shared: true })
  const wasm = await readFile(new URL(import.meta.resolve('@orrery/sim/kernel.wasm')))
  const twin: Pull = name === 'typescript' ? pull : wasmKernel(memory, wasm).pull
  const { points, table, out } = workload(scratchAllocator(memory, 0, length))
  const bench = new Bench({ time: 1000 * SECONDS, warmupTime: 300 })
  bench.add(name, () => twin(out, points, POINTS, POINTS, table, BODIES))
  await bench.run()
  const { result } = bench.tasks[0]
  if (result.state !== 'completed') throw new Error(`The kernel bench ${name} did not complete.`)
  const bytes = new Uint8Array(out.buffer, out.byteOffset, out.byteLength)
  return { medianMs: result.latency.p50, p99Ms: result.latency.p99, digest: fnv1a(bytes) }
}

/** The digest that kernel.c prints. */
function fnv1a(bytes: Uint8Array): string {
  let hash = 0xcbf29ce484222325n
  for (const byte of bytes) hash = BigInt.asUintN(64, (hash ^ BigInt(byte)) * 0x100000001b3n)
  return hash.toString(16).padStart(16, '0')
}

if (import.meta.main) console.log(JSON.stringify(await measureHere(process.argv[2] ?? '')))
