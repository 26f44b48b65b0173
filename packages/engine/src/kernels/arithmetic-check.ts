import {
  CONTROL_QUANTA,
  type MassiveKernel,
  type MassiveState,
  NODE_SECONDS,
  PLANE,
  STAGE,
  SURROUNDINGS_DOUBLES,
  type ShipKernel,
  type StarSystem,
  TABLE_DOUBLES,
  assertExactArithmetic,
  attachEphemeris,
  copyMassiveState,
  createFields,
  createMassiveState,
  createStepScratch,
  ephemerisLength,
  massiveKernel,
  shipKernel,
} from '@orrery/sim'
import { EngineError } from '../engine-error.ts'
import { scratchAllocator, wasmKernel } from './wasm-kernel.ts'

const PAGES = 2
const PAGE_BYTES = 65_536

/** Odd numbers of both, so that every path through the kernel is taken. */
const POINTS = 7
const BODIES = 5

const INERTIA = [0.25, 0.5, 0.75] as const

/** A star with two planets, each with a moon; the first planet and its moon are oblate. */
const FAMILY: StarSystem = {
  id: 'family',
  name: 'Family',
  position: [0, 0, 0],
  bodies: [-1, 0, 1, 0, 3].map((parent, i) => ({
    name: `Body ${i}`,
    parent,
    gm: 1 / (i + 1),
    radius: 1,
    ...(parent >= 0 &&
      i < 3 && { oblateness: { j2: 0.25, referenceRadius: i, pole: [0.48, 0.6, 0.64] } }),
  })),
}
const MOON = 2

/** Powers of two that lengths are scaled by, from below a metre to beyond a light year. */
const SCALES = [-4, 20, 40, 60]

/** Whether this engine has passed. */
let isExact = false

/** Kernels that have passed: each world of a process has the same. */
const sound = new WeakSet<Uint8Array>()

/**
 * Refuses to fly where numbers are rounded differently, or where the kernel in WebAssembly does
 * not give the bits of its TypeScript twin. Takes some ten milliseconds, once for each kernel; the
 * engine is tried once.
 *
 * @param kernel  contents of `@orrery/sim/kernel.wasm`; only the engine is tried without it
 * @throws {SimError} 'ERR_ARITHMETIC'
 * @throws {EngineError} 'ERR_KERNEL_BITS'
 */
export function assertSameBits(kernel: Uint8Array | undefined): void {
  if (kernel && sound.has(kernel)) return
  if (!isExact) assertExactArithmetic()
  isExact = true
  if (!kernel) return
  const memory = new WebAssembly.Memory({ initial: PAGES, maximum: PAGES, shared: true })
  const twin = wasmKernel(memory, kernel)
  for (const scale of SCALES) {
    const allocate = scratchAllocator(memory, 0, PAGES * PAGE_BYTES)
    const ours = results(twin, allocate, scale)
    const wanted = results(shipKernel, (length) => new Float64Array(length), scale)
    assertEqual(ours, wanted)
  }
  sound.add(kernel)
}

/**
 * Refuses a kernel of massive bodies that does not give the bits of its TypeScript twin, by one
 * step of a system from its start.
 *
 * @throws {EngineError} 'ERR_KERNEL_BITS'
 */
export function assertSameMotion(
  kernel: MassiveKernel,
  system: StarSystem,
  start: MassiveState,
): void {
  const ours = stepped(kernel, start)
  const wanted = stepped(massiveKernel(system), start)
  for (const part of ['x', 'v', 'xLow', 'vLow', 'energyWork', 'angularWork'] as const) {
    assertEqual(ours[part], wanted[part])
  }
}

function stepped(kernel: MassiveKernel, start: MassiveState): MassiveState {
  const state = createMassiveState(start.x.length / 3)
  copyMassiveState(state, start)
  kernel.step(state, NODE_SECONDS)
  return state
}

function assertEqual(ours: Float64Array, wanted: Float64Array): void {
  const at = wanted.findIndex((value, i) => !Object.is(ours[i], value))
  if (at < 0) return
  throw new EngineError(
    'ERR_KERNEL_BITS',
    `The kernel in WebAssembly gives ${ours[at]} when its twin gives ${wanted[at]}.`,
  )
}

/** What a kernel makes of scattered points and bodies, lengths around 2^scale. */
function results(
  kernel: ShipKernel,
  allocate: (length: number) => Float64Array,
  scale: number,
): Float64Array {
  let state = 1
  const scattered = (values: Float64Array, unit: number): Float64Array => {
    for (let i = 0; i < values.length; i++) {
      // The generator of Park and Miller: whole numbers, exact in a double.
      state = (state * 48_271) % 2_147_483_647
      values[i] = unit * (state / 1_073_741_823 - 1)
    }
    return values
  }
  const unit = 2 ** scale
  const points = scattered(allocate(3 * POINTS), unit)
  const table = scattered(allocate(TABLE_DOUBLES * BODIES), unit)
  for (let j = TABLE_DOUBLES - 1; j < table.length; j += TABLE_DOUBLES) table[j] *= unit * unit
  const out = allocate(3 * POINTS)
  kernel.pull(out, points, POINTS, POINTS, table, BODIES)
  const surroundings = scattered(allocate(SURROUNDINGS_DOUBLES * BODIES), unit)
  for (let j = 3; j < surroundings.length; j += SURROUNDINGS_DOUBLES) {
    surroundings[j] = Math.abs(surroundings[j]) * unit * unit
  }
  const scratch = createStepScratch(BODIES, allocate)
  scattered(scratch.block, unit)
  for (const { numbers, table: placed } of scratch.stages) {
    scattered(numbers, unit)
    scattered(placed, unit)
    numbers[STAGE.bodies] = BODIES
    numbers[STAGE.oblate] = 2
  }
  // Rows behind the last are a twin's own.
  const rows = (): Float64Array => scratch.block.filter((_, i) => i % PLANE < POINTS)
  kernel.bounds(scratch, POINTS, surroundings, BODIES)
  kernel.step(scratch, POINTS, scratch.stages.length - 1, unit)
  const forced = rows()
  kernel.step(scratch, POINTS, scratch.stages.length - 1, 0)
  for (const planes of [scratch.attitude, scratch.momentum, scratch.wheels]) scattered(planes, 1)
  kernel.turn(scratch, POINTS, INERTIA, CONTROL_QUANTA)
  const turned = rows()
  const nodes = new Float64Array(ephemerisLength(FAMILY, 2))
  const ephemeris = attachEphemeris(FAMILY, nodes, new Float64Array(2))
  const { plan, pairs } = createFields(ephemeris, kernel, allocate)[MOON]
  scattered(pairs[0].block, unit)
  const [stage] = scratch.stages
  kernel.place(stage, plan, pairs[0])
  return Float64Array.of(...out, ...forced, ...turned, ...stage.numbers, ...stage.table)
}
