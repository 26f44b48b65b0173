import type { Prediction } from '@orrery/sim'
import { yieldToTicks } from '../background-thread.ts'
import { type PredictionTask, flownAhead } from './trajectory.ts'

yieldToTicks()

export default function predictionThread(task: PredictionTask): Prediction {
  return flownAhead(task)
}
