/**
 * The indexing process: its memory is freed when it ends. A second thread does the work, this one
 * passes messages.
 */
import { Worker } from 'node:worker_threads'
import { errorText } from '../plain-text.ts'
import {
  type IndexingOrder,
  type IndexingReport,
  SIGNAL,
  TAKEN,
  type ThreadJob,
} from './indexing-job.ts'

const flags = new Int32Array(new SharedArrayBuffer(2 * Int32Array.BYTES_PER_ELEMENT))

const report = (message: IndexingReport): void => void process.send?.(message)

function begin(workerData: ThreadJob): void {
  new Worker(new URL('./indexing-thread.ts', import.meta.url), { workerData })
    .on('message', report)
    .once('error', (error: unknown) => {
      report({ type: 'failed', message: errorText(error) })
    })
}

process.on('message', (order: IndexingOrder) => {
  if (order.type === 'job') begin({ ...order.job, flags })
  else if (order.type === 'signal') {
    Atomics.store(flags, SIGNAL, order.signal)
    Atomics.notify(flags, SIGNAL)
  } else {
    Atomics.add(flags, TAKEN, 1)
    Atomics.notify(flags, TAKEN)
  }
})
// The service has ended.
process.on('disconnect', () => process.exit())
