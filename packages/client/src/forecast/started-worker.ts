import { type Address, addressOf } from '../platform.ts'
import type { ForecastAnswer, ForecastMessage } from './forecast-worker.ts'

/** A worker of a page, or a thread of Node. */
export interface StartedWorker {
  postMessage(message: ForecastMessage): void
  terminate(): void
}

/** What is called when a worker answers, and when it breaks or cannot be loaded. */
export interface Answered {
  readonly onAnswer: (answer: ForecastAnswer) => void
  readonly onError: (message: string) => void
}

interface PageWorker extends StartedWorker {
  addEventListener(type: 'message', listener: (event: { data: ForecastAnswer }) => void): void
  addEventListener(type: 'error', listener: (event: { message?: string }) => void): void
}

// The browser's types would declare the browser for all of Node's code, too.
declare const Worker: new (url: Address, options: { readonly type: 'module' }) => PageWorker

/** @param file  address of the worker's file; beside this one when left out */
export function startWorker(file: Address | undefined, answered: Answered): StartedWorker {
  return typeof Worker === 'function' ? pageWorker(file, answered) : nodeThread(file, answered)
}

function pageWorker(file: Address | undefined, { onAnswer, onError }: Answered): StartedWorker {
  // Bundlers look for these very words.
  const worker = file
    ? new Worker(file, { type: 'module' })
    : new Worker(new URL('./forecast-worker.ts', import.meta.url), { type: 'module' })
  worker.addEventListener('message', ({ data }) => onAnswer(data))
  worker.addEventListener('error', ({ message }) => {
    onError(message ?? 'The worker for forecasts cannot be loaded')
  })
  return worker
}

/** A thread that keeps its process while it is asked. */
function nodeThread(
  file: Address = new URL('./forecast-worker.ts', import.meta.url),
  { onAnswer, onError }: Answered,
): StartedWorker {
  const { Worker: Thread } = process.getBuiltinModule('node:worker_threads')
  // Some options of a process, such as the type of a script, are none of a thread.
  const thread = new Thread(new URL(addressOf(file)), { execArgv: [] })
  let asked = 0
  thread.on('message', (answer: ForecastAnswer) => {
    if (--asked === 0) thread.unref()
    onAnswer(answer)
  })
  thread.on('error', (error) => onError(String(error)))
  thread.unref()
  return {
    postMessage: (message) => {
      if ('id' in message && asked++ === 0) thread.ref()
      thread.postMessage(message)
    },
    terminate: () => void thread.terminate(),
  }
}
