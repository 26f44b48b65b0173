import {
  type ShipClass,
  type StarSystem,
  type Territory,
  advanceChunk,
  attachState,
} from '@orrery/sim'
import { workerData } from 'node:worker_threads'
import { threadFlight } from './thread-flight.ts'

/** What every worker of the pool is given when it starts. */
export interface WorkerSetup {
  readonly buffer: SharedArrayBuffer
  readonly systems: readonly StarSystem[]
  readonly territories: readonly Territory[]
  readonly ship: ShipClass
  readonly kernel: Uint8Array | undefined
}

const setup = workerData as WorkerSetup
const state = attachState(setup.buffer, setup.systems)
const flight = threadFlight(state, setup.territories, setup.ship, setup.kernel)

/** Flies chunks until none is left to claim. */
export default function advance(target: number): void {
  for (;;) {
    const chunk = Atomics.add(state.claims, 0, 1)
    if (chunk >= state.chunks) return
    if (state.chunk.chunkDue[chunk] <= target || state.chunk.chunkOrderEnd[chunk] > 0) {
      advanceChunk(flight, chunk, target)
    }
  }
}
