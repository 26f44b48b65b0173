import { type ForecastTask, type Prediction, attachState, forecast } from '@orrery/sim'
import type { SystemOfWorker } from '../pool/chunk-flyer.ts'

/** What a prediction is made from, as a thread gets it. */
export interface PredictionTask extends Omit<ForecastTask, 'place'> {
  readonly place: SystemOfWorker
}

/** Flies copied ships ahead of their world, and notes the way of the first. */
export function flownAhead({ place, ...task }: PredictionTask): Prediction {
  const { buffer, system, territory } = place
  const { classes, ephemeris, rails } = attachState(buffer, system)
  return forecast({ ...task, place: { ephemeris, rails, territory, classes } })
}
