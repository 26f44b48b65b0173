/**
 * Law: whatever becomes of worker threads, every tick comes to its end with the bits it would
 * have had, and the next is an ordinary one. Goal: threads that exit, throw or hang in a random
 * call to the kernel, inside a step or between two, or are ended at any moment; a ship that no
 * thread can fly; threads that cannot start.
 */
import { type PoolOptions, type World, createPool } from '@orrery/engine'
import { FROZEN, createFlight, shipKernel } from '@orrery/sim'
import { createChance, testSeed } from '@orrery/testkit'
import { Worker, setEnvironmentData } from 'node:worker_threads'
import { describe, expect, it } from 'vitest'
import type { DoomedSetup } from './doomed-worker.ts'
import { type Flier, TICKS, busyWorld, flyTicks, relaunch } from './busy-world.ts'
import {
  ALL,
  BETWEEN_STEPS,
  CALLS_LEFT,
  COUNTED,
  FAULTS,
  KIND,
  KINDS,
  POISON,
  POISONED_METRES,
  TRIALS,
  watchKernel,
} from './faults.ts'
import { callingThread, universeOf } from './globe.ts'

const SEED = testSeed('worker failures')
const WORKERS = 2
const STALL_MS = 1500

/** Ticks of the script in each of which a thread fails: twenty of both kinds. */
const FAULTY = 10

const faults = new Int32Array(new SharedArrayBuffer(20))
setEnvironmentData(FAULTS, faults)

function arm(kind: (typeof KINDS)[number], callsLeft: number, counted = ALL): void {
  faults[POISON] = 0
  faults[COUNTED] = counted
  faults[KIND] = KINDS.indexOf(kind)
  faults[CALLS_LEFT] = callsLeft
}

function faultyPool(world: World, options: PoolOptions = {}, workers = WORKERS) {
  const failures: unknown[] = []
  const pool = createPool(universeOf(world), workers, (error) => failures.push(error), {
    workerUrl: new URL('faulty-worker.ts', import.meta.url),
    stallMs: STALL_MS,
    ...options,
  })
  return { pool, failures }
}

const undisturbed = busyWorld()
/** The chunks' own hashes after each tick. */
const hashes: Uint32Array[] = []
/** Calls to the kernel in each tick: all, and those between two steps. */
const calls: [number, number][] = []
const expected = await undisturbedTicks()

/** Digests after each tick; beside them, the hashes and the calls to the kernel. */
async function undisturbedTicks(): Promise<string[]> {
  const { state, flight, ship } = undisturbed
  let made: [number, number] = [0, 0]
  const kernel = watchKernel(shipKernel, (_, betweenSteps) => {
    made[ALL]++
    if (betweenSteps) made[BETWEEN_STEPS]++
  })
  const counting = createFlight(state, flight.territory, ship, kernel)
  const flier = callingThread({ ...undisturbed, flight: counting })
  const digests: string[] = []
  for (let tick = 0; tick < TICKS; tick++) {
    made = [0, 0]
    digests.push(...(await flyTicks(undisturbed, flier, 1)))
    hashes.push(state.chunk.chunkHash.slice())
    calls.push(made)
  }
  return digests
}

describe(`with seed ${SEED}`, () => {
  it.each(['exits', 'throws'] as const)('a thread that %s changes no bit', async (kind) => {
    const random = createChance(SEED).share
    const world = busyWorld()
    const { pool, failures } = faultyPool(world)
    const digests: string[] = []
    for (let tick = 0; tick < FAULTY; tick++) {
      const counted = calls[tick][BETWEEN_STEPS] > 0 && random() < 0.5 ? BETWEEN_STEPS : ALL
      arm(kind, 1 + Math.floor(random() * calls[tick][counted]), counted)
      digests.push(...(await flyTicks(world, pool, 1)))
    }
    expect(digests).toEqual(expected.slice(0, FAULTY))
    expect(world.state.chunk.chunkHash).toEqual(hashes[FAULTY - 1])
    expect(failures).toHaveLength(FAULTY)
    expect(pool.status()).toMatchObject({ threads: WORKERS, failures: FAULTY })
    await pool.close()
  })

  it('a thread that hangs is ended and changes no bit', async () => {
    const random = createChance(SEED + 1).share
    const world = busyWorld()
    const { pool, failures } = faultyPool(world)
    const digests: string[] = []
    for (let tick = 0; tick < 6; tick++) {
      arm('hangs', tick % 2 === 0 ? 1 + Math.floor(random() * calls[tick][ALL]) : 0)
      digests.push(...(await flyTicks(world, pool, 1)))
    }
    expect(digests).toEqual(expected.slice(0, 6))
    expect(failures).toEqual(
      Array.from({ length: 3 }, () => expect.objectContaining({ code: 'ERR_WORKER_STALLED' })),
    )
    expect(pool.status()).toMatchObject({ threads: WORKERS, failures: 3 })
    await pool.close()
  })

  it('a thread that is ended at any moment leaves chunks that can be begun again', async () => {
    const random = createChance(SEED + 2).share
    const world = busyWorld()
    let interrupted = 0
    let flightMs = 10
    const flier: Flier = {
      advance: async ([round]) => {
        const stage = await flyAndEnd(world, round!.target, random() * flightMs)
        if (stage.ended) interrupted++
        else flightMs = Math.max(1, stage.flightMs)
        await callingThread(world).advance([round])
      },
    }
    const digests = await flyTicks(world, flier, TICKS / 4)
    expect(digests).toEqual(expected.slice(0, TICKS / 4))
    expect(world.state.chunk.chunkHash).toEqual(hashes[TICKS / 4 - 1])
    expect(interrupted).toBeGreaterThan(TICKS / 4)
  })
})

it.each(KINDS)('a ship with which every thread %s is frozen, and no other', async (kind) => {
  const poison = 300
  const world = busyWorld()
  relaunch(world, poison, 0, [POISONED_METRES + 1e7, 0, 0], [0, 800, 0])
  const { pool, failures } = faultyPool(world, { stallMs: 700 })
  arm(kind, 0)
  faults[POISON] = 1
  const digests = await flyTicks(world, pool, 3, poison)
  const healthy = busyWorld()
  expect(digests).toEqual(await flyTicks(healthy, callingThread(healthy), 3, poison))
  const { condition } = world.state.ships
  const frozen = [...condition.keys()].filter((slot) => condition[slot] === FROZEN)
  expect(frozen).toEqual([poison])
  expect(failures.at(-1)).toMatchObject({ code: 'ERR_SHIP_FROZEN' })
  expect(pool.status().threads).toBe(WORKERS)
  await pool.close()
})

it('freezes no ship that a thread did not claim', async () => {
  const poison = 300
  const world = busyWorld()
  relaunch(world, poison, 0, [POISONED_METRES + 1e7, 0, 0], [0, 800, 0])
  const { pool } = faultyPool(world, {}, 1)
  arm('throws', 0)
  faults[POISON] = 1
  faults[TRIALS] = 2
  await flyTicks(world, pool, 3)
  const { condition } = world.state.ships
  expect([...condition.keys()].filter((slot) => condition[slot] === FROZEN)).toEqual([poison])
  await pool.close()
})

it('flies on the calling thread when no thread can start', async () => {
  const world = busyWorld()
  const workerUrl = new URL('no-such-worker.ts', import.meta.url)
  const { pool, failures } = faultyPool(world, { workerUrl, stallMs: 50 })
  const digests = await flyTicks(world, pool, 2)
  expect(digests).toEqual(expected.slice(0, 2))
  expect(failures.length).toBeGreaterThan(0)
  await pool.close()
})

it('flies and copies on the calling thread once all threads have failed twice', async () => {
  const world = busyWorld()
  const workerUrl = new URL('idle-worker.ts', import.meta.url)
  const { pool, failures } = faultyPool(world, { workerUrl })
  for (let tick = 0; tick < 3; tick++) {
    expect(await flyTicks(world, pool, 1)).toEqual(expected.slice(tick, tick + 1))
    await pool.archive?.copy()
    expect(failures, `tick ${tick}`).toHaveLength(2 * WORKERS)
  }
  await pool.close()
})

/** Flies chunks in a thread of their own, which is ended after so many milliseconds. */
async function flyAndEnd(world: World, target: number, afterMs: number) {
  const { state, flight, ship, setup } = world
  const stage = new Int32Array(new SharedArrayBuffer(4))
  const workerData: DoomedSetup = {
    systems: [{ buffer: state.buffer, system: state.system, territory: flight.territory }],
    ship,
    kernel: setup.kernel,
    queue: new SharedArrayBuffer(0),
    tasks: 0,
    target,
    stage,
  }
  const thread = new Worker(new URL('doomed-worker.ts', import.meta.url), { workerData })
  await Atomics.waitAsync(stage, 0, 0).value
  const startMs = performance.now()
  Atomics.wait(stage, 0, 1, afterMs)
  const flightMs = performance.now() - startMs
  await thread.terminate()
  return { ended: Atomics.load(stage, 0) === 1, flightMs }
}
