import type { Prediction } from '@orrery/sim'
import { Piscina } from 'piscina'
import type { Engine } from '../engine.ts'
import { EngineError } from '../engine-error.ts'
import type { PredictionRequest } from './prediction-request.ts'
import { predictionTask } from './request.ts'
import type { PredictionTask } from './trajectory.ts'

/** Predictions that wait or run at a time; each takes ten seconds at worst. */
const PENDING_MAX = 16

/** Flies ships ahead on a thread of its own, one after the other; no tick waits for it. */
export interface Predictor {
  /**
   * The way of a ship if nothing interferes, from the published index on.
   *
   * @throws {EngineError} what `predictionTask` refuses, and 'ERR_PREDICTIONS_PENDING' while the
   *   ship has another one, or too many wait
   */
  predict(request: PredictionRequest): Promise<Prediction>
  close(): Promise<void>
}

/** @param onError  called when the thread fails without a task */
export function createPredictor(engine: Engine, onError: (error: unknown) => void): Predictor {
  const pending = new Set<string>()
  let thread: Piscina<PredictionTask, Prediction> | undefined

  function run(task: PredictionTask): Promise<Prediction> {
    if (!thread) {
      const filename = new URL('prediction-thread.ts', import.meta.url).href
      thread = new Piscina({ filename, minThreads: 1, maxThreads: 1 })
      thread.on('error', onError)
    }
    return thread.run(task)
  }

  return {
    async predict(request) {
      const { shipId } = request
      if (pending.has(shipId) || pending.size === PENDING_MAX) {
        const message = `${pending.size} predictions wait, one of ship ${shipId} at most.`
        throw new EngineError('ERR_PREDICTIONS_PENDING', message)
      }
      pending.add(shipId)
      try {
        return await run(await engine.whenSettled(() => predictionTask(engine.universe, request)))
      } finally {
        pending.delete(shipId)
      }
    },
    async close() {
      await thread?.destroy()
    },
  }
}
