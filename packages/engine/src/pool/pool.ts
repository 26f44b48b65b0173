import { CHUNK_SLOTS, EMPTY, FROZEN, type Round, type WorldState } from '@orrery/sim'
import { type Archive, createArchive } from '../image/archive.ts'
import { createFlyer } from './chunk-flyer.ts'
import {
  type ChunkNumber,
  type ChunkQueue,
  attachQueue,
  dueAt,
  listDueChunks,
  listNumbers,
  queueBytes,
  placeOf,
  queueProgress,
} from './chunk-queue.ts'
import { type WorkerPool, type RunTasks, createWorkerPool } from './worker-pool.ts'
import { EngineError } from '../engine-error.ts'
import { copyShare, copyShares, copyViews, usedChunks } from '../image/ship-copy.ts'
import { threadFlight } from '../kernels/thread-flight.ts'
import type { Universe } from '../world/universe.ts'
import { freezeShip } from '../objects/fleet.ts'
import type { World } from '../world/world.ts'

/** Worker threads that fly chunks of ships of all systems, on the shared buffer of each. */
export interface Pool {
  /**
   * Flies ships until their open steps end after their round's target, even when workers fail.
   *
   * @param rounds  of each system; undefined where no ship is to be flown
   */
  advance(rounds: readonly (Round | undefined)[]): Promise<void>
  /** Ships that were frozen since the last call because they make workers fail, in order. */
  takeFrozen?(): FrozenShip[]
  status(): PoolStatus
  /** makes images beside the ticks; undefined in a closed pool or one without threads */
  readonly archive?: Archive | undefined
  close(): Promise<void>
}

/** A ship that was frozen, and the lattice index at which it could not be flown on. */
export interface FrozenShip {
  /** of its world */
  readonly place: number
  readonly shipNumber: number
  readonly index: number
}

export interface PoolStatus {
  readonly threads: number
  /** workers that threw, ended or stood still since the pool was made */
  readonly failures: number
  /** working time of all workers since then; over elapsed time and threads, their utilisation */
  readonly busyMs: number
}

export interface PoolOptions {
  /** file that the threads run */
  readonly workerUrl?: URL
  /** how long workers may show no finished step before they are ended [ms] */
  readonly stallMs?: number
}

const STALL_MS = 5000

/** After so many consecutive failures without a claimed chunk, ships fly on the main thread. */
const STARTS_MAX = 2

/** A chunk whose ships can all be flown alone may fail so often in a round before it is frozen. */
const CHUNK_FAILURES_MAX = 3

/**
 * @param workers    how many threads
 * @param onFailure  called when a worker failed, and when a ship was frozen because it makes
 *   workers fail
 */
export function createPool(
  universe: Universe,
  workers: number,
  onFailure: (error: unknown) => void,
  options: PoolOptions = {},
): Pool {
  return new FlightPool(universe.worlds, workers, onFailure, options)
}

interface Failure {
  /** chunk that the failed task had claimed; -1 for none */
  readonly chunk: ChunkNumber
  readonly reason: unknown
}

class FlightPool implements Pool {
  readonly #worlds: readonly World[]
  readonly #states: readonly WorldState[]
  readonly #workers: number
  readonly #onFailure: (error: unknown) => void
  readonly #queue: ChunkQueue
  readonly #workerPool: WorkerPool
  #archive: Archive | undefined
  /** pending copy of the ships, which must not move meanwhile */
  #copied: Promise<void> = Promise.resolve()
  readonly #frozen: FrozenShip[] = []
  #failures = 0
  /** consecutive failures of workers without a claimed chunk */
  #starts = 0
  #busyMs = 0

  constructor(
    worlds: readonly World[],
    workers: number,
    onFailure: (error: unknown) => void,
    options: PoolOptions,
  ) {
    const [{ setup }] = worlds
    const states = worlds.map(({ state }) => state)
    const queue = new SharedArrayBuffer(queueBytes(states, workers))
    this.#worlds = worlds
    this.#states = states
    this.#workers = workers
    this.#onFailure = onFailure
    this.#queue = attachQueue(queue, states, workers)
    const chunks = states.reduce((sum, state) => sum + usedChunks(state), 0)
    this.#workerPool = createWorkerPool({
      workers,
      started: Math.min(workers, Math.max(1, chunks)),
      workerUrl: options.workerUrl ?? new URL('worker.ts', import.meta.url),
      setup: {
        systems: worlds.map(({ state: { buffer, system }, flight: { territory } }) => {
          return { buffer, system, territory }
        }),
        kernel: setup.kernel,
        queue,
        tasks: workers,
      },
      stallMs: options.stallMs ?? STALL_MS,
      progress: () => queueProgress(this.#queue, states),
      isWorking: ({ task }) => this.#queue.inHand[task] >= 0,
      onError: (error) => this.#fail(error),
    })
    const copyShips = (memories: readonly SharedArrayBuffer[]): Promise<void> => {
      this.#copied = this.#copy(memories)
      return this.#copied
    }
    this.#archive = createArchive(states, copyShips, onFailure)
  }

  get archive(): Archive | undefined {
    return this.#archive
  }

  async advance(rounds: readonly (Round | undefined)[]): Promise<void> {
    await this.#copied
    const strikes = new Map<ChunkNumber, number>()
    const targets = rounds.map((round) => round?.target ?? -Infinity)
    for (;;) {
      const due = listDueChunks(this.#queue, this.#states, rounds)
      if (due === 0) return
      const run = this.#starts < STARTS_MAX ? this.#workerPool.run : this.#runHere
      const failures = await this.#fly(run, Math.min(due, this.#workers), targets)
      if (failures.length === 0) {
        if (run === this.#workerPool.run) this.#starts = 0
        return
      }
      const blamed = failures.filter(({ chunk }) => chunk >= 0)
      for (const failure of blamed) await this.#rescue(run, failure, targets, strikes)
      if (blamed.length > 0) continue
      if (run === this.#runHere) throw failures[0].reason
      this.#starts++
    }
  }

  takeFrozen(): FrozenShip[] {
    return this.#frozen.splice(0)
  }

  status(): PoolStatus {
    return { threads: this.#workerPool.threads, failures: this.#failures, busyMs: this.#busyMs }
  }

  async close(): Promise<void> {
    const archive = this.#archive
    this.#archive = undefined
    await archive?.close()
    await this.#workerPool.close()
  }

  /** Copies the ships of the used chunks, even when workers fail. */
  async #copy(memories: readonly SharedArrayBuffer[]): Promise<void> {
    const shares = this.#states.map(copyShares)
    if (this.#starts < STARTS_MAX) {
      const listed = listNumbers(this.#queue, shares)
      const tasks = Array.from({ length: Math.min(listed, this.#workers) }, (_, task) => {
        return { task, targets: [], copyTo: memories }
      })
      const outcomes = await this.#workerPool.run(tasks)
      const failed = outcomes.find((outcome) => outcome.status === 'rejected')
      if (!failed) return
      this.#fail(failed.reason)
    }
    for (const [world, state] of this.#states.entries()) {
      const copies = copyViews(memories[world], state)
      for (let share = 0; share < shares[world]; share++) copyShare(copies, state.ships, share)
    }
  }

  async #fly(run: RunTasks, tasks: number, targets: readonly number[]): Promise<Failure[]> {
    const outcomes = await run(Array.from({ length: tasks }, (_, task) => ({ task, targets })))
    const failures: Failure[] = []
    for (const [task, outcome] of outcomes.entries()) {
      if (outcome.status === 'fulfilled') {
        this.#busyMs += outcome.value.busyMs
      } else {
        failures.push({ chunk: this.#queue.inHand[task], reason: outcome.reason })
        this.#fail(outcome.reason)
      }
    }
    return failures
  }

  /** Freezes the ships that make a chunk's workers fail, if any; else the chunk is flown again. */
  async #rescue(
    run: RunTasks,
    { chunk: number, reason }: Failure,
    targets: readonly number[],
    strikes: Map<ChunkNumber, number>,
  ): Promise<void> {
    const [place, chunk] = placeOf(this.#queue, number)
    const freeze = (slot: number): void => this.#freeze(place, slot, targets[place], reason)
    const failing = await this.#failingShips(run, number, targets)
    const fruitless = (strikes.get(number) ?? 0) + 1
    if (failing.length > 0) {
      strikes.delete(number)
      for (const slot of failing) freeze(slot)
    } else if (fruitless < CHUNK_FAILURES_MAX) {
      strikes.set(number, fruitless)
    } else {
      const begin = chunk * CHUNK_SLOTS
      for (let slot = begin; slot < begin + CHUNK_SLOTS; slot++) freeze(slot)
    }
  }

  /** Flies each ship of a chunk alone; returns those that throw or fail their worker twice. */
  async #failingShips(
    run: RunTasks,
    trial: ChunkNumber,
    targets: readonly number[],
  ): Promise<readonly number[]> {
    const { inHand } = this.#queue
    const suspects = new Set<number>()
    for (let trials = 0; trials < CHUNK_FAILURES_MAX; trials++) {
      inHand.fill(-1)
      const [outcome] = await run([{ task: 0, targets, trial }])
      if (outcome.status === 'fulfilled') return outcome.value.failing
      this.#fail(outcome.reason)
      const slot = inHand[0]
      if (suspects.has(slot)) return [slot]
      if (slot >= 0) suspects.add(slot)
    }
    return []
  }

  #freeze(place: number, slot: number, target: number, cause: unknown): void {
    const world = this.#worlds[place]
    const { ships, system } = world.state
    const shipNumber = ships.shipNumber[slot]
    if (ships.condition[slot] === EMPTY || ships.condition[slot] === FROZEN) return
    const index = Math.min(dueAt(world.state, Math.floor(slot / CHUNK_SLOTS)), target)
    freezeShip(world, slot, index)
    this.#frozen.push({ place, shipNumber, index })
    const message = `Ship number ${shipNumber} of ${system.id} cannot be flown and was frozen.`
    this.#onFailure(new EngineError('ERR_SHIP_FROZEN', message, { cause }))
  }

  /** Runs tasks on this thread, for when workers cannot start. */
  #runHere: RunTasks = (tasks) => {
    return Promise.allSettled(
      tasks.map(async (task) => {
        const fly = createFlyer(this.#queue, this.#states, (place, state) => {
          const { flight, setup } = this.#worlds[place]
          return threadFlight(state, flight.territory, setup.kernel)
        })
        return fly(task)
      }),
    )
  }

  #fail(error: unknown): void {
    this.#failures++
    this.#onFailure(error)
  }
}
