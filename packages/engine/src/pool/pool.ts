import { CHUNK_SLOTS, EMPTY, FROZEN, noteEvent, updateChunkDue } from '@orrery/sim'
import { type Archive, createArchive } from '../image/archive.ts'
import { createFlyer } from './chunk-flyer.ts'
import {
  type ChunkQueue,
  attachQueue,
  listDueChunks,
  listNumbers,
  queueBytes,
  queueProgress,
} from './chunk-queue.ts'
import { type WorkerPool, type RunTasks, createWorkerPool } from './worker-pool.ts'
import { EngineError } from '../engine-error.ts'
import { copyShare, copyShares, copyViews } from './ship-copy.ts'
import { threadFlight } from './thread-flight.ts'
import type { World } from '../world/world.ts'

/** Worker threads that fly chunks of ships, all on the world's one shared buffer. */
export interface Pool {
  /**
   * Flies all ships until their open steps end after `target`, even when workers fail.
   *
   * @param meetingOnly  only those in chunks that are marked as meeting
   */
  advance(target: number, meetingOnly?: boolean): Promise<void>
  status(): PoolStatus
  /** makes images beside the ticks; undefined in a closed pool or one without threads */
  readonly archive?: Archive | undefined
  close(): Promise<void>
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
  world: World,
  workers: number,
  onFailure: (error: unknown) => void,
  options: PoolOptions = {},
): Pool {
  return new FlightPool(world, workers, onFailure, options)
}

interface Failure {
  /** chunk that the failed task had claimed; -1 for none */
  readonly chunk: number
  readonly reason: unknown
}

class FlightPool implements Pool {
  readonly #world: World
  readonly #workers: number
  readonly #onFailure: (error: unknown) => void
  readonly #queue: ChunkQueue
  readonly #workerPool: WorkerPool
  #archive: Archive | undefined
  /** pending copy of the ships, which must not move meanwhile */
  #copied: Promise<void> = Promise.resolve()
  #failures = 0
  /** consecutive failures of workers without a claimed chunk */
  #starts = 0
  #busyMs = 0

  constructor(
    world: World,
    workers: number,
    onFailure: (error: unknown) => void,
    options: PoolOptions,
  ) {
    const { state, flight, ship, setup } = world
    const queue = new SharedArrayBuffer(queueBytes(state.chunks, workers))
    this.#world = world
    this.#workers = workers
    this.#onFailure = onFailure
    this.#queue = attachQueue(queue, workers)
    this.#workerPool = createWorkerPool({
      workers,
      workerUrl: options.workerUrl ?? new URL('worker.ts', import.meta.url),
      setup: {
        buffer: state.buffer,
        systems: state.systems,
        territories: flight.territories,
        ship,
        kernel: setup.kernel,
        queue,
        tasks: workers,
      },
      stallMs: options.stallMs ?? STALL_MS,
      progress: () => queueProgress(this.#queue, state),
      isWorking: ({ task }) => this.#queue.inHand[task] >= 0,
      onError: (error) => this.#fail(error),
    })
    const copyShips = (memory: SharedArrayBuffer): Promise<void> => {
      this.#copied = this.#copy(memory)
      return this.#copied
    }
    this.#archive = createArchive(state, copyShips, onFailure)
  }

  get archive(): Archive | undefined {
    return this.#archive
  }

  async advance(target: number, meetingOnly = false): Promise<void> {
    await this.#copied
    const strikes = new Map<number, number>()
    for (;;) {
      const due = listDueChunks(this.#queue, this.#world.state, target, meetingOnly)
      if (due === 0) return
      const run = this.#starts < STARTS_MAX ? this.#workerPool.run : this.#runHere
      const failures = await this.#fly(run, Math.min(due, this.#workers), target)
      if (failures.length === 0) {
        if (run === this.#workerPool.run) this.#starts = 0
        return
      }
      const blamed = failures.filter(({ chunk }) => chunk >= 0)
      for (const failure of blamed) await this.#rescue(run, failure, target, strikes)
      if (blamed.length > 0) continue
      if (run === this.#runHere) throw failures[0].reason
      this.#starts++
    }
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
  async #copy(memory: SharedArrayBuffer): Promise<void> {
    const { state } = this.#world
    const shares = copyShares(state)
    if (this.#starts < STARTS_MAX) {
      listNumbers(this.#queue, shares)
      const tasks = Array.from({ length: Math.min(shares, this.#workers) }, (_, task) => {
        return { task, target: 0, copyTo: memory }
      })
      const outcomes = await this.#workerPool.run(tasks)
      const failed = outcomes.find((outcome) => outcome.status === 'rejected')
      if (!failed) return
      this.#fail(failed.reason)
    }
    const copies = copyViews(memory, state)
    for (let share = 0; share < shares; share++) copyShare(copies, state.ships, share)
  }

  async #fly(run: RunTasks, tasks: number, target: number): Promise<Failure[]> {
    const outcomes = await run(Array.from({ length: tasks }, (_, task) => ({ task, target })))
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
    { chunk, reason }: Failure,
    target: number,
    strikes: Map<number, number>,
  ): Promise<void> {
    const failing = await this.#failingShips(run, chunk, target)
    const fruitless = (strikes.get(chunk) ?? 0) + 1
    if (failing.length > 0) {
      strikes.delete(chunk)
      for (const slot of failing) this.#freeze(slot, target, reason)
    } else if (fruitless < CHUNK_FAILURES_MAX) {
      strikes.set(chunk, fruitless)
    } else {
      const begin = chunk * CHUNK_SLOTS
      for (let slot = begin; slot < begin + CHUNK_SLOTS; slot++) this.#freeze(slot, target, reason)
    }
  }

  /** Flies each ship of a chunk alone; returns those that throw or fail their worker twice. */
  async #failingShips(run: RunTasks, chunk: number, target: number): Promise<readonly number[]> {
    const { inHand } = this.#queue
    const suspects = new Set<number>()
    for (let trials = 0; trials < CHUNK_FAILURES_MAX; trials++) {
      inHand.fill(-1)
      const [outcome] = await run([{ task: 0, target, trial: chunk }])
      if (outcome.status === 'fulfilled') return outcome.value.failing
      this.#fail(outcome.reason)
      const slot = inHand[0]
      if (suspects.has(slot)) return [slot]
      if (slot >= 0) suspects.add(slot)
    }
    return []
  }

  #freeze(slot: number, target: number, cause: unknown): void {
    const { state, flight } = this.#world
    const { condition, shipNumber, reference } = state.ships
    if (condition[slot] === EMPTY || condition[slot] === FROZEN) return
    const chunk = Math.floor(slot / CHUNK_SLOTS)
    const stuckAt = state.chunk.chunkDue[chunk]
    condition[slot] = FROZEN
    noteEvent(state, 'frozen', slot, Math.min(stuckAt, target), reference[slot])
    updateChunkDue(flight, chunk, stuckAt - 1)
    const message = `Ship number ${shipNumber[slot]} cannot be flown and was frozen.`
    this.#onFailure(new EngineError('ERR_SHIP_FROZEN', message, { cause }))
  }

  /** Runs tasks on this thread, for when workers cannot start. */
  #runHere: RunTasks = (tasks) => {
    const { state, flight, ship, setup } = this.#world
    return Promise.allSettled(
      tasks.map(async (task) => {
        const fly = createFlyer(this.#queue, state, (flown) =>
          threadFlight(flown, flight.territories, ship, setup.kernel),
        )
        return fly(task)
      }),
    )
  }

  #fail(error: unknown): void {
    this.#failures++
    this.#onFailure(error)
  }
}
