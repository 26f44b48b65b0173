import {
  CHUNK_SLOTS,
  EMPTY,
  FROZEN,
  type Flight,
  type StarSystem,
  type Territory,
  type WorldState,
  advanceChunk,
  attachState,
  updateChunkDue,
} from '@orrery/sim'
import {
  type ChunkNumber,
  type ChunkQueue,
  attachQueue,
  claimChunk,
  placeOf,
} from './chunk-queue.ts'
import { createTwin } from './chunk-twin.ts'
import { copyShare, copyViews } from '../image/ship-copy.ts'

/** Start data of every worker of the pool. */
export interface WorkerSetup {
  readonly systems: readonly SystemOfWorker[]
  readonly kernel: Uint8Array | undefined
  readonly queue: SharedArrayBuffer
  /** tasks of a round at most */
  readonly tasks: number
}

/** One star system as workers get it. */
export interface SystemOfWorker {
  readonly buffer: ArrayBufferLike
  readonly system: StarSystem
  readonly territory: Territory
}

/** One of the tasks that fly a round or copy all ships together, or a trial that runs alone. */
export interface FlightTask {
  /** its place among the round's tasks */
  readonly task: number
  /** lattice index that the ships of each system are flown to */
  readonly targets: readonly number[]
  /** fly each ship of this chunk alone, on a copy; nothing of the world changes */
  readonly trial?: ChunkNumber
  /** copy shares of each system's ships to its memory; none is flown */
  readonly copyTo?: readonly SharedArrayBuffer[]
}

export interface FlightReport {
  readonly busyMs: number
  /** slots whose ships threw when flown alone */
  readonly failing: readonly number[]
}

/** The flight of one system, by its place, on its state or on a copy. */
type FlightOf = (world: number, state: WorldState) => Flight

/** Runs a pool's tasks on one thread, with flights of its own. */
export function createFlyer(
  queue: ChunkQueue,
  states: readonly WorldState[],
  flightOf: FlightOf,
): (task: FlightTask) => FlightReport {
  // Made when a ship of the system first flies: each has scratch of its own.
  const flights: Flight[] = []
  return ({ task, targets, trial, copyTo }) => {
    const startMs = performance.now()
    const failing: number[] = []
    if (copyTo) {
      const copies = copyTo.map((memory, world) => copyViews(memory, states[world]))
      forEachClaimed(queue, task, (world, share) => {
        copyShare(copies[world], states[world].ships, share)
      })
    } else if (trial === undefined) {
      forEachClaimed(queue, task, (world, chunk) => {
        flights[world] ??= flightOf(world, states[world])
        advanceChunk(flights[world], chunk, targets[world])
      })
    } else {
      failing.push(...failingAlone(queue, states, flightOf, { task, targets, trial }))
    }
    return { busyMs: performance.now() - startMs, failing }
  }
}

function forEachClaimed(
  queue: ChunkQueue,
  task: number,
  work: (world: number, chunk: number) => void,
): void {
  for (let number = claimChunk(queue, task); number >= 0; number = claimChunk(queue, task)) {
    work(...placeOf(queue, number))
  }
}

/** Flies each ship of a chunk alone on a copy; returns the slots of those that throw. */
function failingAlone(
  queue: ChunkQueue,
  states: readonly WorldState[],
  flightOf: FlightOf,
  { task, targets, trial }: FlightTask & { readonly trial: ChunkNumber },
): number[] {
  const [world, chunk] = placeOf(queue, trial)
  const state = states[world]
  const target = targets[world]
  const failing: number[] = []
  const twin = createTwin(state, chunk)
  const { condition } = twin.state.ships
  const begin = chunk * CHUNK_SLOTS
  let flight = flightOf(world, twin.state)
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
      flight = flightOf(world, twin.state)
    }
  }
  return failing
}

/** What a worker file exports. */
export type WorkerTask = (task: FlightTask) => FlightReport | Promise<never>

/** A flyer whose thread ends with its first error. */
export function workerTask(setup: WorkerSetup, flightOf: FlightOf): WorkerTask {
  const states = setup.systems.map(({ buffer, system }) => attachState(buffer, system))
  const fly = createFlyer(attachQueue(setup.queue, states, setup.tasks), states, flightOf)
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
