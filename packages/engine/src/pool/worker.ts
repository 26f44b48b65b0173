import { workerData } from 'node:worker_threads'
import { type WorkerSetup, type WorkerTask, workerTask } from './chunk-flyer.ts'
import { threadFlight } from './thread-flight.ts'

const setup = workerData as WorkerSetup
const { territories, ship, kernel } = setup

const task: WorkerTask = workerTask(setup, (state) =>
  threadFlight(state, territories, ship, kernel),
)
export default task
