import { Worker } from 'node:worker_threads'
import {
  type IndexingJob,
  type IndexingReport,
  SIGNAL,
  STOP,
  TAKEN,
  type Tally,
} from './indexing-job.ts'

/** What a thread may tell while it works. */
export type WorkReport = Exclude<IndexingReport, { readonly type: 'stopped' | 'failed' }>

/** What tells a thread to go on, wait or give up, before it starts or while it runs. */
export type Flags = IndexingJob['flags']

export function createFlags(): Flags {
  return new Int32Array(new SharedArrayBuffer(2 * Int32Array.BYTES_PER_ELEMENT))
}

export function tell(flags: Flags, signal: number): void {
  Atomics.store(flags, SIGNAL, signal)
  Atomics.notify(flags, SIGNAL)
}

/**
 * Indexes in a thread.
 *
 * @param deal  what to do with a report; the thread waits for it, and its failure ends the thread
 * @returns undefined when it was told to stop
 */
export async function indexed(
  job: IndexingJob,
  deal: (report: WorkReport) => Promise<void>,
): Promise<Tally | undefined> {
  const worker = new Worker(new URL('./indexing-thread.ts', import.meta.url), {
    workerData: job,
    name: 'indexing',
  })
  const told = new Promise<Tally | undefined>((end, fail) => {
    worker.once('error', fail)
    worker.once('exit', () => fail(new Error('The indexing thread ended too early.')))
    worker.on('message', (report: IndexingReport) => {
      if (report.type === 'stopped') end(undefined)
      else if (report.type === 'failed') fail(new Error(report.message))
      else {
        deal(report)
          .then(() => report.type === 'done' && end(report.tally))
          .catch((error: unknown) => {
            fail(error instanceof Error ? error : new Error(String(error)))
            tell(job.flags, STOP)
          })
          .finally(() => {
            Atomics.add(job.flags, TAKEN, 1)
            Atomics.notify(job.flags, TAKEN)
          })
      }
    })
  })
  try {
    return await told
  } finally {
    await worker.terminate()
  }
}
