import { ClientError } from '../client-error.ts'
import type { SpanAnswer } from './almanac-worker.ts'
import type { Span, SpanTask } from './span.ts'

/** Makes spans beside the thread that draws. */
export interface SpanMaker {
  /** one at a time; rejects with {@link ClientError} 'forecast' */
  make(task: SpanTask): Promise<Span>
  close(): void
}

interface PageWorker {
  postMessage(task: SpanTask): void
  addEventListener(type: 'message', listener: (event: { data: SpanAnswer }) => void): void
  addEventListener(type: 'error', listener: () => void): void
  terminate(): void
}

// The browser's types would declare the browser for all of Node's code, too.
declare const Worker: new (url: URL, options: { readonly type: 'module' }) => PageWorker

/** A worker of a page. */
export function createSpanMaker(): SpanMaker {
  // Bundlers look for these very words.
  const worker = new Worker(new URL('./almanac-worker.ts', import.meta.url), { type: 'module' })
  let settle: (answer: SpanAnswer) => void = () => undefined
  worker.addEventListener('message', ({ data }) => settle(data))
  worker.addEventListener('error', () => settle({ problem: 'The worker cannot be loaded' }))
  return {
    make: (task) =>
      new Promise((resolve, reject) => {
        settle = (answer) => {
          if ('span' in answer) resolve(answer.span)
          else reject(new ClientError('forecast', answer.problem))
        }
        worker.postMessage(task)
      }),
    close: () => worker.terminate(),
  }
}
