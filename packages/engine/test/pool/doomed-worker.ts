import { advanceChunk, attachState, createFlight, shipKernel } from '@orrery/sim'
import { workerData } from 'node:worker_threads'
import type { WorkerSetup } from '../../src/pool/chunk-flyer.ts'
import { BEGUN, FLOWN, watchKernel } from './faults.ts'

/** Flies every chunk once, but never ends: it is to be ended on the way. */
export interface DoomedSetup extends WorkerSetup {
  readonly target: number
  /** call to the kernel in which it reports that it has begun, and the one that never returns */
  readonly call: number
  readonly last: number
  /** [0] BEGUN, and FLOWN, which it never comes to */
  readonly stage: Int32Array
}

const { systems, target, call, last, stage } = workerData as DoomedSetup
const [{ buffer, system, territory }] = systems
const state = attachState(buffer, system)
let calls = 0
const kernel = watchKernel(shipKernel, () => {
  calls++
  if (calls === call) {
    Atomics.store(stage, 0, BEGUN)
    Atomics.notify(stage, 0)
  }
  if (calls === last) Atomics.wait(stage, 0, BEGUN)
})
const flight = createFlight(state, territory, kernel)
for (let chunk = 0; chunk < state.chunks; chunk++) advanceChunk(flight, chunk, target)
Atomics.store(stage, 0, FLOWN)
Atomics.notify(stage, 0)
