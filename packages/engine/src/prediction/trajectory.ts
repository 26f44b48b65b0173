import {
  type ForecastTask,
  type Prediction,
  type ShipClass,
  attachState,
  forecast,
} from '@orrery/sim'
import type { SystemOfWorker } from '../pool/chunk-flyer.ts'

/** What a prediction is made from, as a thread gets it. */
export interface PredictionTask extends Omit<ForecastTask, 'place'> {
  readonly place: SystemOfWorker
  readonly ship: ShipClass
}

/** Flies copied ships ahead of their world, and notes the way of the first. */
export function flownAhead({ place, ship, ...task }: PredictionTask): Prediction {
  const { buffer, system, territory } = place
  const { ephemeris, rails } = attachState(buffer, system)
  return forecast({ ...task, place: { ephemeris, rails, territory, ship } })
}
