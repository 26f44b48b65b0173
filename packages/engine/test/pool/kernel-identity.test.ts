/**
 * Law: the kernel in WebAssembly is the kernel in TypeScript. Goal: equal bits, compared as
 * integers, over seeded random tables and points of every size up to 300 points and 40 bodies,
 * any stride, magnitudes from denormal to overflow, bodies that coincide with points, and the
 * real solar system; nothing but the asked-for points is written; arrays elsewhere are refused.
 */
import { readFile } from 'node:fs/promises'
import {
  type Allocate,
  PLANE,
  type Pull,
  STAGE,
  SURROUNDINGS_DOUBLES,
  type ShipKernel,
  TABLE_DOUBLES,
  attachEphemeris,
  createFields,
  createStepScratch,
  ephemerisLength,
  pull,
  shipKernel,
  writeStage,
} from '@orrery/sim'
import { createChance } from '@orrery/testkit'
import { expect, it } from 'vitest'
import { scratchAllocator, wasmKernel } from '../../src/kernels/wasm-kernel.ts'

const SEED = 20_262
const PAGES = 6
const bytes = await readFile(new URL(import.meta.resolve('@orrery/sim/kernel.wasm')))
const memory = new WebAssembly.Memory({ initial: PAGES, maximum: PAGES, shared: true })
const wasm = wasmKernel(memory, bytes)
const kernel = wasm.pull

/** Written around what a kernel may write; a NaN whose bits no arithmetic gives. */
const UNTOUCHED = 0x7ffc_dead_beef_0001n

interface Case {
  readonly points: Float64Array
  readonly stride: number
  readonly count: number
  readonly table: Float64Array
  readonly bodies: number
}

it('gives the same bits for every number of points and bodies', () => {
  const random = createChance(SEED).share
  const cases: Case[] = []
  for (let count = 1; count <= 300; count++) {
    const rows = 1 + (count % 40)
    cases.push(
      randomCase(random, { count, stride: count + (count % 7), rows, bodies: rows }, 11, 5),
    )
  }
  for (let rows = 1; rows <= 40; rows++) {
    for (const bodies of [0, 1, rows - 1, rows]) {
      cases.push(randomCase(random, { count: 5, stride: 256, rows, bodies }, 11, 5))
    }
  }
  expect(cases.flatMap((given) => difference(given))).toEqual([])
})

it('gives the same bits from denormal to overflow', () => {
  const random = createChance(SEED + 1).share
  const cases = [-308, -162, -154, -100, -54, 0, 54, 100, 154, 160, 300].flatMap((exponent) =>
    [0, 8, 40].map((spread) =>
      randomCase(random, { count: 33, stride: 40, rows: 9, bodies: 9 }, exponent, spread),
    ),
  )
  expect(cases.flatMap((given) => difference(given))).toEqual([])
})

it('gives the same bits where a body is at a point', () => {
  const { points, table, ...rest } = randomCase(
    createChance(SEED + 2).share,
    { count: 7, stride: 8, rows: 5, bodies: 5 },
    9,
    2,
  )
  for (let axis = 0; axis < 3; axis++) table[4 * 2 + axis] = points[8 * axis + 6]
  expect(difference({ points, table, ...rest })).toEqual([])
})

it('gives the same bits in the solar system', async () => {
  const table = await solarSystem()
  const stride = 256
  const random = createChance(SEED + 3).share
  const rows = table.length / TABLE_DOUBLES
  const cases = Array.from({ length: rows }, (_, body) => {
    const near = (i: number): number => (random() - 0.5) * 10 ** (4 + (i % stride) / 32)
    const points = Float64Array.from(
      { length: 3 * stride },
      (_, i) => table[TABLE_DOUBLES * body + Math.floor(i / stride)] + near(i),
    )
    return { points, stride, count: stride - (body % 3), table, bodies: rows }
  })
  expect(cases).toHaveLength(34)
  expect(cases.flatMap((given) => difference(given))).toEqual([])
})

it.each([1, 2, 3, 6, 12])('steps with the same bits, %i times a kick', (kicks) => {
  for (const [count, bodies, oblate] of [
    [1, 1, 0],
    [2, 2, 1],
    [5, 9, 2],
    [256, 34, 2],
  ]) {
    const seed = SEED + 100 * kicks + count
    const run = (twin: ShipKernel, allocate: Allocate): Float64Array => {
      const scratch = createStepScratch(bodies, allocate)
      const { share } = createChance(seed)
      for (let i = 0; i < scratch.block.length; i++) scratch.block[i] = 1e7 * (share() - 0.5)
      for (const { numbers, table } of scratch.stages) {
        for (let i = 0; i < numbers.length; i++) numbers[i] = 10 * (share() - 0.5)
        for (let i = 0; i < table.length; i++) table[i] = 1e9 * (share() - 0.5)
        numbers[STAGE.bodies] = bodies
        numbers[STAGE.oblate] = oblate
      }
      twin.step(scratch, count, kicks - 1, 1000)
      return rowsOf(scratch.block, count)
    }
    expect(run(wasm, onMemory())).toEqual(run(shipKernel, onHeap))
  }
})

it.each([
  ['oblate parent', 7, 3],
  ['root', 7, 0],
  ['odd number of values', 1, 0],
  ['moon of a moon', 6, 5],
])('places bodies with the same bits: %s', (_, count, reference) => {
  const pole = [0.36, 0.48, 0.8] as const
  const bodies = Array.from({ length: count }, (_unused, i) => ({
    name: `Body ${i}`,
    parent: Math.floor((i - 1) / 2),
    gm: 10 ** (20 - i),
    radius: 1,
    ...(i < 2 && { oblateness: { referenceRadius: 10 ** (7 - i), j2: 0.01, pole } }),
  }))
  const system = { id: 'test', name: 'Test', position: [0, 0, 0] as const, bodies }
  const { share } = createChance(SEED + count + reference)
  const nodes = new Float64Array(ephemerisLength(system, 4)).map(() => 1e9 * (share() - 0.5))
  const ephemeris = attachEphemeris(system, nodes, Float64Array.of(0, 3))
  const run = (twin: ShipKernel, allocate: Allocate): Float64Array[] => {
    const field = createFields(ephemeris, twin, allocate)[reference]
    const { stages } = createStepScratch(count, allocate)
    const moments = [0, 1.5, 16_000.25, 16_384, 40_000]
    for (const [i, n] of moments.entries()) writeStage(stages[i], field, Math.floor(n), n % 1)
    return moments.flatMap((_unused, i) => [stages[i].numbers.slice(), stages[i].table.slice()])
  }
  expect(run(wasm, onMemory())).toEqual(run(shipKernel, onHeap))
})

it('finds the same bounds of a step', () => {
  for (let count = 1; count <= 64; count++) {
    const bodies = 1 + (count % 40)
    const run = (twin: ShipKernel, allocate: Allocate): Float64Array => {
      const scratch = createStepScratch(bodies, allocate)
      const { share } = createChance(SEED + count)
      for (let i = 0; i < scratch.block.length; i++) scratch.block[i] = 1e7 * (share() - 0.5)
      const table = allocate(SURROUNDINGS_DOUBLES * bodies)
      for (let i = 0; i < table.length; i++) {
        // Now and then a body at rest where the first ship is, and one with its speed.
        const copied = share() < 0.1 && i % SURROUNDINGS_DOUBLES < 3
        const like = scratch.position[PLANE * (i % SURROUNDINGS_DOUBLES)]
        table[i] = copied ? like : 1e7 * (share() - 0.5)
        if (i % SURROUNDINGS_DOUBLES === 3 || i % SURROUNDINGS_DOUBLES === 7)
          table[i] = 1e14 * share()
      }
      twin.bounds(scratch, count, table, bodies)
      return rowsOf(scratch.block, count)
    }
    expect(run(wasm, onMemory())).toEqual(run(shipKernel, onHeap))
  }
})

it.each([1, 2, 3, 31, 32, 33, 256])('turns %i hulls with the same bits', (count) => {
  const run = (twin: ShipKernel, allocate: Allocate): Float64Array => {
    const scratch = createStepScratch(1, allocate)
    const { share } = createChance(SEED + count)
    for (const planes of [scratch.attitude, scratch.momentum, scratch.wheels]) {
      for (let i = 0; i < planes.length; i++) planes[i] = 10 ** (4 * share()) * (share() - 0.5)
    }
    twin.turn(scratch, count, [120_000, 400_000, 420_000], 1 + Math.floor(64 * share()))
    return rowsOf(scratch.block, count)
  }
  expect(run(wasm, onMemory())).toEqual(run(shipKernel, onHeap))
})

it('would notice one bit', () => {
  const given = randomCase(
    createChance(SEED + 4).share,
    { count: 3, stride: 3, rows: 2, bodies: 2 },
    11,
    0,
  )
  const off: Pull = (out, points, stride, count, table, bodies) => {
    kernel(out, points, stride, count, table, bodies)
    new BigUint64Array(out.buffer, out.byteOffset, 1)[0] ^= 1n
  }
  expect(difference(given, off)).toHaveLength(1)
})

it('refuses arrays that are not on its memory, or too short', () => {
  const allocate = scratchAllocator(memory, 0, PAGES * 65_536)
  const here = allocate(6)
  const table = allocate(8)
  const refused = (...args: Parameters<Pull>): void =>
    expect(() => kernel(...args)).toThrow(expect.objectContaining({ code: 'ERR_KERNEL_MEMORY' }))
  kernel(here, here, 2, 2, table, 2)
  const away = new Float64Array(8)
  refused(away, here, 2, 2, table, 2)
  refused(here, away, 2, 2, table, 2)
  refused(here, here, 2, 2, away, 2)
  refused(here, here, 3, 2, table, 2)
  refused(here, here, 1, 2, table, 2)
  refused(here, here, 2, 2, table, 3)
})

it('allocates zeroed arrays apart from each other, inside the region only', () => {
  const start = 1000
  const allocate = scratchAllocator(memory, start, 256)
  new Uint8Array(memory.buffer).fill(255)
  const [first, second] = [allocate(3), allocate(8)]
  expect([...first, ...second]).toEqual(Array.from({ length: 11 }, () => 0))
  expect(first.byteOffset).toBeGreaterThanOrEqual(start)
  expect(second.byteOffset).toBeGreaterThanOrEqual(first.byteOffset + first.byteLength)
  const full = expect.objectContaining({ name: 'EngineError', code: 'ERR_KERNEL_MEMORY' })
  expect(() => allocate(14)).toThrow(full)
  expect(allocate(13).byteOffset + 13 * 8).toBeLessThanOrEqual(start + 256)
  expect(() => allocate(1)).toThrow(full)
  expect(() => scratchAllocator(memory, 64, PAGES * 65_536)).toThrow(full)
})

const onHeap: Allocate = (length) => new Float64Array(length)
const onMemory = (): Allocate => scratchAllocator(memory, 0, PAGES * 65_536)

/** The first rows of every plane; those behind are the kernel's own. */
function rowsOf(block: Float64Array, count: number): Float64Array {
  return block.filter((_, i) => i % PLANE < count)
}

/**
 * What was given, if the kernels disagree on any bit of `out`, with what they must not touch.
 * Sign and payload of a NaN are left out: they are the one thing that engines may choose.
 */
function difference(given: Case, twin: Pull = kernel): string[] {
  const { points, stride, count, table, bodies } = given
  const allocate = scratchAllocator(memory, 0, PAGES * 65_536)
  const place = (values: Float64Array): Float64Array => {
    const placed = allocate(values.length)
    placed.set(values)
    return placed
  }
  const blank = new Float64Array(new BigUint64Array(3 * stride).fill(UNTOUCHED).buffer)
  const [expected, out] = [blank.slice(), place(blank)]
  pull(expected, points, stride, count, table, bodies)
  twin(out, place(points), stride, count, place(table), bodies)
  const [wanted, bits] = [expected, out].map(
    (values) => new BigUint64Array(values.buffer, values.byteOffset, values.length),
  )
  const at = bits.findIndex((word, i) => {
    const bothNan = Number.isNaN(out[i]) && Number.isNaN(expected[i])
    return bothNan ? (word === UNTOUCHED) !== (wanted[i] === UNTOUCHED) : word !== wanted[i]
  })
  if (at < 0) return []
  const rows = table.length / TABLE_DOUBLES
  const shape = `${count} points, ${stride} apart, ${bodies} of ${rows} bodies`
  return [`seed ${SEED}, ${shape}: value ${at} is ${out[at]}, not ${expected[at]}`]
}

/** Positions and masses at J2000, read as data: nothing of the catalog is needed but numbers. */
async function solarSystem(): Promise<Float64Array> {
  const read = async (name: string): Promise<unknown> =>
    JSON.parse(await readFile(new URL(`../../../catalog/data/${name}`, import.meta.url), 'utf8'))
  const { bodies } = (await read('sol-bodies.json')) as {
    bodies: readonly { readonly name: string; readonly gm_m3_s2: number }[]
  }
  const start = (await read('sol-state-j2000.json')) as {
    bodies: Readonly<Record<string, { readonly r_km: readonly number[] }>>
  }
  return Float64Array.from(
    bodies.flatMap(({ name, gm_m3_s2 }) => [
      ...start.bodies[name].r_km.map((km) => 1000 * km),
      gm_m3_s2,
    ]),
  )
}

/** How many points and bodies a case has. */
interface Shape {
  readonly count: number
  readonly stride: number
  readonly rows: number
  readonly bodies: number
}

/** Coordinates around 10^exponent, up to `spread` orders of magnitude to either side. */
function randomCase(
  random: () => number,
  { count, stride, rows, bodies }: Shape,
  exponent: number,
  spread: number,
): Case {
  const coordinate = (): number =>
    (random() - 0.5) * 10 ** Math.max(-308, Math.min(308, exponent + spread * (2 * random() - 1)))
  const points = Float64Array.from({ length: 3 * stride }, coordinate)
  const table = Float64Array.from({ length: TABLE_DOUBLES * rows }, (_, i) =>
    i % TABLE_DOUBLES === TABLE_DOUBLES - 1 ? 10 ** (20 * random()) : coordinate(),
  )
  return { points, stride, count, table, bodies }
}
