/**
 * Ship-steps per second of one thread: a chunk of 256 ships in low orbits of the Earth, the 34
 * bodies of Sol, flown as a worker flies them: coasting (SRKN11B, 32 s) and under full thrust
 * (SRKN6B, 2 s). Fresh processes, the order reversed each round.
 */
import { bodyIndex, solStateJ2000, solSystem } from '@orrery/catalog'
import { scratchAllocator, wasmKernel } from '@orrery/engine/testing'
import {
  CHUNK_SLOTS,
  COURIER,
  type Flight,
  QUANTA_PER_SECOND,
  type Territory,
  type WorldState,
  advanceChunk,
  createFlight,
  createIntegration,
  createState,
  extendEphemeris,
  launch,
  placeOnSpawnOrbit,
  spawnKey,
  spheresOfInfluence,
  stateBytes,
} from '@orrery/sim'
import { type Row, percentile, rowsOf } from '@orrery/testkit/report'
import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { Bench } from 'tinybench'
import { measureRounds } from './rounds.ts'

const ROUNDS = 5
const SECONDS = 0.5
const NODES = 8

/** Room for the scratch of one thread. */
const MEMORY_PAGES = 16
const PAGE_BYTES = 65_536

/** What the ships do, and how long they are flown in one sample [s]. */
const WAYS: Readonly<Record<string, { thrustLevel: number; span: number }>> = {
  coasting: { thrustLevel: 0, span: 1024 },
  thrusting: { thrustLevel: 1, span: 64 },
}
const KERNELS = ['typescript', 'wasm-simd']

/** What one process measured. */
interface Measured {
  /** ship-steps per second, in the median sample and in the slowest of a hundred */
  readonly median: number
  readonly p99: number
}

export async function ship(): Promise<Row[]> {
  const self = fileURLToPath(import.meta.url)
  const cases = Object.keys(WAYS).flatMap((way) => KERNELS.map((kernel) => [way, kernel] as const))
  const commands = new Map(
    cases.map(([way, kernel]) => [
      `${way}, ${kernel}`,
      [process.execPath, self, way, kernel] as const,
    ]),
  )
  const rounds = await measureRounds<Measured>(commands, ROUNDS)
  const rates = [...commands.keys()].flatMap((name) => {
    const middle = (of: (one: Measured) => number): number =>
      percentile(
        rounds.map((round) => of(round.get(name)!)),
        0.5,
      )
    return rowsOf(name, [
      ['ship_steps_per_second', middle(({ median }) => median), '1/s'],
      ['ship_steps_per_second_p99', middle(({ p99 }) => p99), '1/s'],
    ])
  })
  const ratios = Object.keys(WAYS).flatMap((way) => {
    const values = rounds.map((round) => {
      const [typescript, wasm] = KERNELS.map((kernel) => round.get(`${way}, ${kernel}`)!.median)
      return wasm / typescript
    })
    return rowsOf(`${way}, wasm-simd / typescript`, [['ratio', percentile(values, 0.5), '']])
  })
  return [...rates, ...ratios]
}

async function measureHere(way: string, kernel: string): Promise<Measured> {
  const { thrustLevel, span } = WAYS[way]
  const flight = await chunkOfShips(kernel, thrustLevel)
  const quanta = span * QUANTA_PER_SECOND
  const steps = (CHUNK_SLOTS * quanta) / commonStep(flight)
  const columns = [...Object.values(flight.state.ships), ...Object.values(flight.state.chunk)]
  const start = columns.map((column) => column.slice())
  const bench = new Bench({ time: 1000 * SECONDS, warmupTime: 300 })
  bench.add(way, () => advanceChunk(flight, 0, quanta), {
    beforeEach: () => {
      for (const [i, column] of columns.entries()) column.set(start[i])
    },
  })
  await bench.run()
  const { result } = bench.tasks[0]
  if (result.state !== 'completed') throw new Error(`The ship bench ${way} did not complete.`)
  commonStep(flight)
  const { p50, p99 } = result.latency
  return { median: (1000 * steps) / p50, p99: (1000 * steps) / p99 }
}

/**
 * The length of all ships' open steps.
 *
 * @throws {Error} when they differ: then steps cannot be counted by time
 */
function commonStep({ state }: Flight): number {
  const { stepStart, stepEnd } = state.ships
  const lengths = new Set(Array.from({ length: CHUNK_SLOTS }, (_, i) => stepEnd[i] - stepStart[i]))
  const [length] = lengths
  if (lengths.size === 1) return length
  throw new Error(`The ships of the bench take steps of ${[...lengths].join(', ')} quanta.`)
}

async function chunkOfShips(kernel: string, thrustLevel: number): Promise<Flight> {
  const size = { ships: CHUNK_SLOTS, nodes: NODES }
  const buffer = new SharedArrayBuffer(stateBytes(solSystem, size))
  const state = createState(buffer, solSystem, size)
  const start = solStateJ2000()
  extendEphemeris(createIntegration(solSystem, start), state.ephemeris, NODES - 1)
  const home = bodyIndex(solSystem, 'Earth')
  const territory = { home, spheres: spheresOfInfluence(solSystem, start) }
  const flight = await threadFlight(kernel, state, territory)
  const { ships } = state
  for (let slot = 0; slot < CHUNK_SLOTS; slot++) {
    ships.spawnKey.set(spawnKey(0, slot + 1), 2 * slot)
    placeOnSpawnOrbit(state, slot, home, 0)
    ships.reference[slot] = home
    ships.fuel[slot] = COURIER.fuelCapacity
    ships.thrustLevel[slot] = thrustLevel
    launch(flight, slot, 0)
  }
  return flight
}

/** Scratch as a worker has it: where the kernel can work on it. */
async function threadFlight(
  kernel: string,
  state: WorldState,
  territory: Territory,
): Promise<Flight> {
  if (kernel === 'typescript') return createFlight(state, territory)
  const memory = new WebAssembly.Memory({
    initial: MEMORY_PAGES,
    maximum: MEMORY_PAGES,
    shared: true,
  })
  const wasm = await readFile(new URL(import.meta.resolve('@orrery/sim/kernel.wasm')))
  const allocate = scratchAllocator(memory, 0, MEMORY_PAGES * PAGE_BYTES)
  return createFlight(state, territory, wasmKernel(memory, wasm), allocate)
}

if (import.meta.main) {
  const [, , way = '', kernel = ''] = process.argv
  console.log(JSON.stringify(await measureHere(way, kernel)))
}
