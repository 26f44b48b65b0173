import { advanceChunk, attachState } from '@orrery/sim'
import { workerData } from 'node:worker_threads'
import type { WorkerSetup } from '../src/pool/chunk-flyer.ts'
import { threadFlight } from '../src/pool/thread-flight.ts'

/** Flies every chunk once, telling when it begins and ends; meant to be ended between. */
export interface DoomedSetup extends WorkerSetup {
  readonly target: number
  /** [0] 1 while it flies, 2 when it is done */
  readonly stage: Int32Array
}

const { systems, ship, kernel, target, stage } = workerData as DoomedSetup
const [{ buffer, system, territory }] = systems
const state = attachState(buffer, system)
const flight = threadFlight(state, territory, ship, kernel)
const enter = (next: number): void => {
  Atomics.store(stage, 0, next)
  Atomics.notify(stage, 0)
}
enter(1)
for (let chunk = 0; chunk < state.chunks; chunk++) advanceChunk(flight, chunk, target)
enter(2)
