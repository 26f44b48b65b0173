/**
 * Law: whatever becomes of worker threads, every tick comes to its end with the bits it would
 * have had, and the next is an ordinary one. Goal: threads that exit, throw or hang in a random
 * call to the kernel, inside a step or between two, or are ended at any moment; a ship that no
 * thread can fly; threads that cannot start.
 */
import { type PoolOptions, type World, createPool } from '@orrery/engine/testing'
import { FROZEN, createFlight, shipKernel } from '@orrery/sim'
import { createChance, testSeed } from '@orrery/testkit'
import { IS_NIGHT, byTier } from '@orrery/testkit/tier'
import { Worker, setEnvironmentData } from 'node:worker_threads'
import { describe, expect, it } from 'vitest'
import type { DoomedSetup } from './doomed-worker.ts'
import { type Flier, busyWorld, flyTicks, relaunch } from '../busy-world.ts'
import {
  ALL,
  BEGUN,
  BETWEEN_STEPS,
  CALLS_LEFT,
  COUNTED,
  FAILED,
  FAULTS,
  FAULTS_BYTES,
  KIND,
  KINDS,
  POISON,
  POISONED_METRES,
  TRIALS,
  watchKernel,
} from './faults.ts'
import { callingThread, universeOf } from '../globe.ts'

const SEED = testSeed('worker failures')
const WORKERS = 2
const STALL_MS = 1500

/** Ticks of the script in each of which a thread fails, by turns in any call to the kernel and
 * between two steps; in every second of which one hangs; in each round of which one is ended. */
const FAULTY = byTier({ gate: 1, night: 10 })
const HANGING = byTier({ gate: 2, night: 6 })
const ENDING = byTier({ gate: 1, night: 6 })
const TICKS = Math.max(3, FAULTY, HANGING, ENDING)

const faults = new Int32Array(new SharedArrayBuffer(FAULTS_BYTES))
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
/** All calls of each round. */
const roundCalls: number[] = []
const expected = await undisturbedTicks()

/** Digests after each tick; beside them, the hashes and the calls to the kernel. */
async function undisturbedTicks(): Promise<string[]> {
  const { state, flight } = undisturbed
  let made: [number, number] = [0, 0]
  const kernel = watchKernel(shipKernel, (_, betweenSteps) => {
    made[ALL]++
    if (betweenSteps) made[BETWEEN_STEPS]++
  })
  const counting = createFlight(state, flight.territory, kernel)
  const pool = callingThread({ ...undisturbed, flight: counting })
  const flier: Flier = {
    advance: async (rounds) => {
      const before = made[ALL]
      await pool.advance(rounds)
      roundCalls.push(made[ALL] - before)
    },
  }
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
  // By day threads throw beside the ship that is frozen below.
  const ends = byTier({ gate: ['exits'] as const, night: ['exits', 'throws'] as const })
  it.each(ends)('a thread that %s changes no bit', async (kind) => {
    const random = createChance(SEED).share
    const world = busyWorld()
    const { pool, failures } = faultyPool(world)
    const digests: string[] = []
    for (let tick = 0; tick < FAULTY; tick++) {
      const isBetween = (tick + KINDS.indexOf(kind)) % 2 === 1
      const counted = isBetween && calls[tick][BETWEEN_STEPS] > 0 ? BETWEEN_STEPS : ALL
      arm(kind, 1 + Math.floor(random() * calls[tick][counted]), counted)
      digests.push(...(await flyTicks(world, pool, 1)))
    }
    expect(digests).toEqual(expected.slice(0, FAULTY))
    expect(world.state.chunk.chunkHash).toEqual(hashes[FAULTY - 1])
    // A thread that the machine keeps waiting for too long is ended, too.
    expect(failures.length).toBeGreaterThanOrEqual(FAULTY)
    expect(pool.status()).toMatchObject({ threads: WORKERS, failures: failures.length })
    await pool.close()
  })

  it('a thread that hangs is ended and changes no bit', async () => {
    const random = createChance(SEED + 1).share
    faults[FAILED] = 0
    const world = busyWorld()
    const { pool, failures } = faultyPool(world)
    const digests: string[] = []
    for (let tick = 0; tick < HANGING; tick++) {
      arm('hangs', tick % 2 === 0 ? 1 + Math.floor(random() * calls[tick][ALL]) : 0)
      digests.push(...(await flyTicks(world, pool, 1)))
    }
    expect(digests).toEqual(expected.slice(0, HANGING))
    expect(faults[FAILED]).toBe(HANGING / 2)
    // A thread that the machine keeps waiting for as long is ended too.
    expect(failures.length).toBeGreaterThanOrEqual(HANGING / 2)
    expect(new Set(failures)).toEqual(
      new Set(failures.map(() => expect.objectContaining({ code: 'ERR_WORKER_STALLED' }))),
    )
    expect(pool.status()).toMatchObject({ threads: WORKERS, failures: failures.length })
    await pool.close()
  })

  it('a thread that is ended at any moment leaves chunks that can be begun again', async () => {
    const random = createChance(SEED + 2).share
    const world = busyWorld()
    let round = 0
    const flier: Flier = {
      advance: async (rounds) => {
        const count = roundCalls[round++]
        if (count > 0) await flyAndEnd(world, rounds[0]!.target, random() * count, count)
        await callingThread(world).advance(rounds)
      },
    }
    const digests = await flyTicks(world, flier, ENDING)
    expect(digests).toEqual(expected.slice(0, ENDING))
    expect(world.state.chunk.chunkHash).toEqual(hashes[ENDING - 1])
  })
})

/** A ship that no thread can fly, and the digests of the others beside a sound one. */
const poison = 300
const POISONED = 2
const beside = await besidePoison()

async function besidePoison(): Promise<string[]> {
  const world = busyWorld()
  return flyTicks(world, callingThread(world), POISONED, poison)
}

const poisons = KINDS.filter((kind) => IS_NIGHT || kind === 'throws')

it.each(poisons)('a ship with which every thread %s is frozen, and no other', async (kind) => {
  const world = busyWorld()
  relaunch(world, poison, 0, [POISONED_METRES + 1e7, 0, 0], [0, 800, 0])
  const { pool, failures } = faultyPool(world, { stallMs: 700 })
  arm(kind, 0)
  faults[POISON] = 1
  expect(await flyTicks(world, pool, POISONED, poison)).toEqual(beside)
  const { condition } = world.state.ships
  const frozen = [...condition.keys()].filter((slot) => condition[slot] === FROZEN)
  expect(frozen).toEqual([poison])
  expect(failures.at(-1)).toMatchObject({ code: 'ERR_SHIP_FROZEN' })
  expect(pool.status().threads).toBe(WORKERS)
  await pool.close()
})

it.runIf(IS_NIGHT)('freezes no ship that a thread did not claim', async () => {
  const world = busyWorld()
  relaunch(world, poison, 0, [POISONED_METRES + 1e7, 0, 0], [0, 800, 0])
  const { pool } = faultyPool(world, {}, 1)
  arm('throws', 0)
  faults[POISON] = 1
  faults[TRIALS] = 2
  await flyTicks(world, pool, POISONED)
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

/**
 * Flies chunks in a thread of their own, which is ended when it has begun a call to the kernel;
 * it goes on meanwhile, but never past the last call.
 */
async function flyAndEnd(world: World, target: number, call: number, last: number) {
  const { state, flight, setup } = world
  const { buffer, system } = state
  const stage = new Int32Array(new SharedArrayBuffer(4))
  const workerData: DoomedSetup = {
    systems: [{ buffer, system, territory: flight.territory }],
    kernel: setup.kernel,
    queue: new SharedArrayBuffer(0),
    tasks: 0,
    target,
    call: 1 + Math.floor(call),
    last,
    stage,
  }
  const thread = new Worker(new URL('doomed-worker.ts', import.meta.url), { workerData })
  await Atomics.waitAsync(stage, 0, 0).value
  await thread.terminate()
  expect(Atomics.load(stage, 0)).toBe(BEGUN)
}
