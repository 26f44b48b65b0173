import { advanceChunk } from '@orrery/sim'
import { Piscina } from 'piscina'
import type { WorkerSetup } from './worker.ts'
import type { World } from './world.ts'

/** Worker threads that fly chunks of ships, all on the world's one shared buffer. */
export interface Pool {
  /** flies all ships until their open steps end after `target` */
  advance(target: number): Promise<void>
  close(): Promise<void>
}

/**
 * @param workers    how many threads
 * @param onFailure  told when a worker failed; its chunks are flown on the calling thread
 */
export function createPool(
  world: World,
  workers: number,
  onFailure: (error: unknown) => void,
): Pool {
  const { state } = world
  const workerSetup: WorkerSetup = {
    buffer: state.buffer,
    systems: state.systems,
    territories: world.flight.territories,
    ship: world.ship,
    kernel: world.setup.kernel,
  }
  const piscina = new Piscina({
    filename: new URL('worker.ts', import.meta.url).href,
    minThreads: workers,
    maxThreads: workers,
    workerData: workerSetup,
  })
  return {
    async advance(target) {
      const due = dueChunks(world, target)
      if (due === 0) return
      Atomics.store(state.claims, 0, 0)
      const tasks = Array.from({ length: Math.min(workers, due) }, () => piscina.run(target))
      for (const result of await Promise.allSettled(tasks)) {
        if (result.status === 'rejected') onFailure(result.reason)
      }
      if (dueChunks(world, target) > 0) finishHere(world, target)
    },
    close: () => piscina.close(),
  }
}

/** Chunks with a step that ends, or an order that acts, up to `target`. */
function dueChunks(world: World, target: number): number {
  const { chunkDue, chunkOrderBegin, chunkOrderEnd } = world.state.chunk
  const { orderIndex } = world.state.orders
  let due = 0
  for (let chunk = 0; chunk < world.state.chunks; chunk++) {
    const orders = chunkOrderEnd[chunk] > chunkOrderBegin[chunk]
    if (chunkDue[chunk] <= target || (orders && orderIndex[chunkOrderBegin[chunk]] <= target)) {
      due++
    }
  }
  return due
}

/** A chunk that a failed worker left is begun again where it stood. */
function finishHere(world: World, target: number): void {
  for (let chunk = 0; chunk < world.state.chunks; chunk++) {
    advanceChunk(world.flight, chunk, target)
  }
}
