import {
  CHUNK_SLOTS,
  EMPTY,
  FROZEN,
  type Flight,
  type ShipClass,
  type StarSystem,
  type Territory,
  type WorldState,
  advanceChunk,
  attachState,
  updateChunkDue,
} from '@orrery/sim'
import { type ChunkQueue, attachQueue, claimChunk } from './chunk-queue.ts'
import { createTwin } from './chunk-twin.ts'
import { copyShare, copyViews } from './ship-copy.ts'

/** Start data of every worker of the pool. */
export interface WorkerSetup {
  readonly buffer: SharedArrayBuffer
  readonly systems: readonly StarSystem[]
  readonly territories: readonly Territory[]
  readonly ship: ShipClass
  readonly kernel: Uint8Array | undefined
  readonly queue: SharedArrayBuffer
  /** tasks of a round at most */
  readonly tasks: number
}

/** One of the tasks that fly a round or copy all ships together, or a trial that runs alone. */
export interface FlightTask {
  /** its place among the round's tasks */
  readonly task: number
  readonly target: number
  /** fly each ship of this chunk alone, on a copy; nothing of the world changes */
  readonly trial?: number
  /** copy shares of the ships to this memory; none is flown */
  readonly copyTo?: SharedArrayBuffer
}

export interface FlightReport {
  readonly busyMs: number
  /** slots whose ships threw when flown alone */
  readonly failing: readonly number[]
}

type FlightOf = (state: WorldState) => Flight

/** Runs a pool's tasks on one thread, with a flight of its own. */
export function createFlyer(
  queue: ChunkQueue,
  state: WorldState,
  flightOf: FlightOf,
): (task: FlightTask) => FlightReport {
  const flight = flightOf(state)
  return ({ task, target, trial, copyTo }) => {
    const startMs = performance.now()
    const failing: number[] = []
    if (copyTo) {
      const copies = copyViews(copyTo, state)
      for (let share = claimChunk(queue, task); share >= 0; share = claimChunk(queue, task)) {
        copyShare(copies, state.ships, share)
      }
    } else if (trial === undefined) {
      for (let chunk = claimChunk(queue, task); chunk >= 0; chunk = claimChunk(queue, task)) {
        advanceChunk(flight, chunk, target)
      }
    } else {
      failing.push(...failingAlone(queue, state, flightOf, trial, target, task))
    }
    return { busyMs: performance.now() - startMs, failing }
  }
}

/** Flies each ship of a chunk alone on a copy; returns the slots of those that throw. */
function failingAlone(
  queue: ChunkQueue,
  state: WorldState,
  flightOf: FlightOf,
  chunk: number,
  target: number,
  task: number,
): number[] {
  const failing: number[] = []
  const twin = createTwin(state, chunk)
  const { condition } = twin.state.ships
  const begin = chunk * CHUNK_SLOTS
  let flight = flightOf(twin.state)
  for (let slot = begin; slot < begin + CHUNK_SLOTS; slot++) {
    const own = state.ships.condition[slot]
    if (own === EMPTY || own === FROZEN) continue
    // The pool reads the slot here if the thread ends or hangs.
    Atomics.store(queue.inHand, task, slot)
    twin.refresh()
    condition.fill(EMPTY, begin, begin + CHUNK_SLOTS)
    condition[slot] = own
    updateChunkDue(flight, chunk, target)
    try {
      advanceChunk(flight, chunk, target)
    } catch {
      failing.push(slot)
      flight = flightOf(twin.state)
    }
  }
  return failing
}

/** What a worker file exports. */
export type WorkerTask = (task: FlightTask) => FlightReport | Promise<never>

/** A flyer whose thread ends with its first error. */
export function workerTask(setup: WorkerSetup, flightOf: FlightOf): WorkerTask {
  const state = attachState(setup.buffer, setup.systems)
  const fly = createFlyer(attachQueue(setup.queue, setup.tasks), state, flightOf)
  return (task) => {
    try {
      return fly(task)
    } catch (error) {
      // Uncaught, it ends this thread and with it all scratch that may be half written.
      setImmediate(() => {
        throw error
      })
      return new Promise<never>(() => undefined)
    }
  }
}
