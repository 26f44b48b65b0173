import {
  type ForecastTask,
  type Integration,
  type MassiveState,
  type Prediction,
  attachEphemeris,
  attachState,
  createIntegration,
  ephemerisLength,
  forecast,
} from '@orrery/sim'
import { wasmMassiveKernel } from '../kernels/wasm-massive-kernel.ts'
import type { SystemOfWorker } from '../pool/chunk-flyer.ts'

/** What a prediction is made from, as a thread gets it. */
export interface PredictionTask extends Omit<ForecastTask, 'place' | 'bodies'> {
  readonly place: SystemOfWorker
  /** where massive bodies of its own begin, for a flight to its end; without it the world's */
  readonly start?: MassiveState | undefined
  /** what moves these; without it the TypeScript twin */
  readonly massiveKernel?: Uint8Array | undefined
}

/** Nodes of its own bodies that a prediction holds: half a day behind its ship, and some ahead. */
const NODES = 256

/** Flies copied ships ahead of their world, and notes the way of the first. */
export function flownAhead(task: PredictionTask): Prediction {
  return forecast(forecastTask(task))
}

/** The same with what the core needs, for a thread that has the task. */
export function forecastTask({
  place,
  start,
  massiveKernel,
  ...task
}: PredictionTask): ForecastTask {
  const { buffer, system, territory } = place
  const { classes, ephemeris, rails } = attachState(buffer, system)
  if (!start) return { ...task, place: { ephemeris, rails, territory, classes } }
  const nodes = new Float64Array(ephemerisLength(system, NODES))
  const own = attachEphemeris(system, nodes, new Float64Array(2))
  const kernel = massiveKernel && wasmMassiveKernel(system, massiveKernel)
  const bodies: Integration = createIntegration(system, start, undefined, kernel)
  return { ...task, bodies, place: { ephemeris: own, rails, territory, classes } }
}
