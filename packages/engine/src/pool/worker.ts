import { workerData } from 'node:worker_threads'
import { type WorkerSetup, type WorkerTask, workerTask } from './chunk-flyer.ts'
import { threadFlight } from '../kernels/thread-flight.ts'

const setup = workerData as WorkerSetup
const { systems, kernel } = setup

const task: WorkerTask = workerTask(setup, (world, state) =>
  threadFlight(state, systems[world].territory, kernel),
)
export default task
