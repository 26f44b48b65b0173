import type { Prediction } from './prediction.ts'
import type { PredictionTask } from './stage.ts'
import { flownAhead } from './trajectory.ts'

export default function predictionThread(task: PredictionTask): Prediction {
  return flownAhead(task)
}
