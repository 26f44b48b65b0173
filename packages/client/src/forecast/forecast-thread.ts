import { ClientError } from '../client-error.ts'
import type { Address } from '../platform.ts'
import { type Answered, startWorker, type StartedWorker } from './started-worker.ts'
import type { FlownAhead, ForecastOrder } from './forecaster.ts'

/** Forecasts that wait or run at a time; each takes a few seconds at worst. */
const PENDING_MAX = 16

/** A worker that flies ships ahead, beside the thread that draws. */
export interface ForecastThread {
  /** @throws {ClientError} 'forecast' when it fails, E004 with too many, 'closed' after `close` */
  forecast(order: ForecastOrder): Promise<FlownAhead>
  /** makes the massive bodies ready for what may be asked next */
  prepare(from: Pick<ForecastOrder, 'place' | 'index'>): void
  close(): void
}

interface Waiting {
  readonly resolve: (flown: FlownAhead) => void
  readonly reject: (error: ClientError) => void
}

/**
 * Starts the worker with the first request.
 *
 * @param file  address of the worker's file; beside this one when left out
 */
export function createForecastThread(file?: Address): ForecastThread {
  const waiting = new Map<number, Waiting>()
  let worker: StartedWorker | undefined
  let isClosed = false
  let last = 0

  const end = (error: ClientError): void => {
    worker?.terminate()
    worker = undefined
    for (const { reject } of waiting.values()) reject(error)
    waiting.clear()
  }
  const listeners: Answered = {
    onAnswer: (answer) => {
      const one = waiting.get(answer.id)
      waiting.delete(answer.id)
      if ('flown' in answer) one?.resolve(answer.flown)
      else one?.reject(new ClientError('forecast', answer.problem))
    },
    onError: (message) => end(new ClientError('forecast', message)),
  }
  const started = (): StartedWorker => {
    try {
      return (worker ??= startWorker(file, listeners))
    } catch (error) {
      throw new ClientError('forecast', `The worker cannot be started: ${String(error)}`)
    }
  }
  return {
    forecast: (order) =>
      new Promise((resolve, reject) => {
        if (isClosed) return reject(new ClientError('closed', 'The flight is closed'))
        if (waiting.size === PENDING_MAX) {
          return reject(new ClientError('E004', `${PENDING_MAX} forecasts wait already`))
        }
        const id = ++last
        started().postMessage({ id, order })
        // Only now: what could not be sent has no answer that would end it.
        waiting.set(id, { resolve, reject })
      }),
    prepare: (prepare) => {
      if (isClosed) return
      try {
        started().postMessage({ prepare })
      } catch {
        // The first forecast reports it.
      }
    },
    close: () => {
      isClosed = true
      end(new ClientError('closed', 'The flight is closed'))
    },
  }
}
