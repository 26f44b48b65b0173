import { setPriority } from 'node:os'
import type { Prediction } from '@orrery/sim'
import { type PredictionTask, flownAhead } from './trajectory.ts'

/** Nice value of the thread: those that fly ticks come first. */
const NICE = 10

// Linux alone has priorities of threads; elsewhere this would be the whole process.
if (process.platform === 'linux') setPriority(NICE)

export default function predictionThread(task: PredictionTask): Prediction {
  return flownAhead(task)
}
