/**
 * Law: the whole step of a ship has the same bits in TypeScript, in WebAssembly and in strict C.
 * Method: `turn`, `bounds` and `step` on scattered hulls, ships and bodies, coasting and under
 * thrust, for odd and even numbers of rows. Where there is no C compiler, that is said.
 */
import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import {
  type Allocate,
  COURIER,
  PLANE,
  QUANTA_PER_SECOND,
  STAGE,
  SURROUNDINGS_DOUBLES,
  type ShipKernel,
  type StepScratch,
  createStepScratch,
  shipKernel,
} from '@orrery/sim'
import { createChance } from '@orrery/testkit'
import { afterAll, expect, it } from 'vitest'
import { scratchAllocator, wasmKernel } from '../../src/kernels/wasm-kernel.ts'

const SEED = 20_265
const PAGES = 4
const COMPILER = 'gcc'
const bytes = await readFile(new URL(import.meta.resolve('@orrery/sim/kernel.wasm')))
const memory = new WebAssembly.Memory({ initial: PAGES, maximum: PAGES, shared: true })
const directory = mkdtempSync(join(tmpdir(), 'orrery-strict-c-'))
const program = join(directory, 'ship-kernel')
const isCompiled = compiled()

afterAll(() => rmSync(directory, { recursive: true, force: true }))

interface Case {
  readonly rows: number
  readonly bodies: number
  readonly last: number
  readonly dryMass: number
  readonly quanta: number
}

interface Given {
  readonly scratch: StepScratch
  readonly around: Float64Array
}

it.skipIf(!isCompiled).each<Case>([
  { rows: 1, bodies: 1, last: 0, dryMass: 0, quanta: 1 },
  { rows: 7, bodies: 34, last: 11, dryMass: 0, quanta: 4096 },
  { rows: 64, bodies: 9, last: 6, dryMass: 20_000, quanta: 16 },
  { rows: 256, bodies: 34, last: 6, dryMass: 20_000, quanta: 11 },
])('agrees in C, TypeScript and WebAssembly: %o', (given) => {
  const onMemory = scratchAllocator(memory, 0, PAGES * 65_536)
  const made = [
    inC(given),
    by(shipKernel, given, onHeap),
    by(wasmKernel(memory, bytes), given, onMemory),
  ]
  expect(made[0].every(Number.isFinite)).toBe(true)
  expect(made[1]).toEqual(made[0])
  expect(made[2]).toEqual(made[0])
})

const onHeap: Allocate = (length) => new Float64Array(length)

function compiled(): boolean {
  const source = fileURLToPath(new URL('ship-kernel.c', import.meta.url))
  const flags = ['-O2', '-ffp-contract=off', '-o', program, source, '-lm']
  try {
    execFileSync(COMPILER, flags, { stdio: 'ignore' })
    return true
  } catch {
    console.log(`strict C: no ${COMPILER} here, or it does not compile; its test is skipped`)
    return false
  }
}

/** Ships among bodies thousands of kilometres away. */
function scattered({ rows, bodies }: Case, allocate: Allocate): Given {
  const { share } = createChance(SEED + rows)
  const scratch = createStepScratch(bodies, allocate)
  const around = allocate(SURROUNDINGS_DOUBLES * bodies)
  const fill = (values: Float64Array, size: number): void => {
    for (let i = 0; i < values.length; i++) values[i] = size * (share() - 0.5)
  }
  fill(scratch.block, 1)
  fill(scratch.position, 1e7)
  fill(scratch.velocity, 1e4)
  fill(scratch.force, 1e5)
  for (let row = 0; row < PLANE; row++) scratch.fuel[row] = 1e4 * share()
  fill(scratch.momentum, 1e4)
  fill(scratch.wheels, 1e3)
  for (const { numbers, table } of scratch.stages) {
    fill(numbers, 1)
    fill(table, 1e9)
    for (let i = 3; i < table.length; i += 4) table[i] = 1e15 * share()
    numbers[STAGE.bodies] = bodies
    numbers[STAGE.oblate] = 2
  }
  fill(around, 1e7)
  for (let i = 3; i < around.length; i += 4) around[i] = 1e14 * share()
  return { scratch, around }
}

function by(kernel: ShipKernel, given: Case, allocate: Allocate): Float64Array {
  const { rows, bodies, last, dryMass, quanta } = given
  const { scratch, around } = scattered(given, allocate)
  kernel.turn(scratch, rows, COURIER.inertia, quanta)
  kernel.bounds(scratch, rows, around, bodies)
  kernel.step(scratch, rows, last, dryMass)
  return rowsOf(scratch.block, rows)
}

function inC(given: Case): Float64Array {
  const { rows, bodies, last, dryMass, quanta } = given
  const { scratch, around } = scattered(given, onHeap)
  const { block, stageBlock, stages } = scratch
  const stageDoubles = stageBlock.length / stages.length
  const seconds = quanta / QUANTA_PER_SECOND
  const head = [rows, last, stageDoubles, bodies, dryMass, ...COURIER.inertia, seconds]
  const used = stageBlock.subarray(0, (last + 1) * stageDoubles)
  const input = Float64Array.of(...head, ...block, ...used, ...around)
  const output = execFileSync(program, { input: new Uint8Array(input.buffer) })
  return rowsOf(new Float64Array(Uint8Array.from(output).buffer), rows)
}

/** The first rows of every plane; those behind are a twin's own. */
function rowsOf(block: Float64Array, rows: number): Float64Array {
  return block.filter((_, i) => i % PLANE < rows)
}
