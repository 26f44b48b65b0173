import { workerData } from 'node:worker_threads'
import { type WorkerSetup, type WorkerTask, workerTask } from './chunk-flyer.ts'
import { threadFlight } from '../kernels/thread-flight.ts'

const setup = workerData as WorkerSetup
const { systems, ship, kernel } = setup

const task: WorkerTask = workerTask(setup, (world, state) =>
  threadFlight(state, systems[world].territory, ship, kernel),
)
export default task
