import { type Flight, type WorldState, createFlight, shipKernel } from '@orrery/sim'
import { getEnvironmentData, workerData } from 'node:worker_threads'
import { type WorkerSetup, type WorkerTask, workerTask } from '../../src/pool/chunk-flyer.ts'
import {
  ALL,
  CALLS_LEFT,
  COUNTED,
  FAULTS,
  POISON,
  POISONED_METRES,
  TRIALS,
  fault,
  watchKernel,
} from './faults.ts'

const faults = getEnvironmentData(FAULTS) as Int32Array
const setup = workerData as WorkerSetup

/**
 * Fails in the call to the kernel that the test chose, or at each that sees the poisoned ship, and
 * from then on always, as with broken scratch.
 */
function faultyFlight(place: number, state: WorldState): Flight {
  let isBroken = false
  const kernel = watchKernel(shipKernel, (xs, betweenSteps) => {
    const counted = faults[COUNTED] === ALL || betweenSteps
    const last = counted && Atomics.sub(faults, CALLS_LEFT, 1) === 1
    const poisoned = faults[POISON] === 1 && xs.some(isPoison)
    isBroken ||= last || poisoned
    if (isBroken) fault(faults)
  })
  return createFlight(state, setup.systems[place].territory, kernel)
}

function isPoison(x: number): boolean {
  return x > POISONED_METRES
}

const fly = workerTask(setup, faultyFlight)
const task: WorkerTask = (given) => {
  if (given.trial !== undefined && Atomics.sub(faults, TRIALS, 1) > 0) {
    throw new Error('The trial fails as ordered.')
  }
  return fly(given)
}
export default task
