import { fork } from 'node:child_process'
import { constants } from 'node:os'
import { fileURLToPath } from 'node:url'
import { lowerPriority } from '../priority.ts'
import {
  type IndexingJob,
  type IndexingOrder,
  type IndexingReport,
  STOP,
  type Signal,
  type Tally,
} from './indexing-job.ts'

/** Reports that come while it works. */
export type WorkReport = Exclude<IndexingReport, { readonly type: 'stopped' | 'failed' }>

/** A process that indexes. */
export interface Indexing {
  /** Lets it go on, wait or give up. */
  tell(signal: Signal): void
  /** what it did; undefined when it was stopped */
  readonly ended: Promise<Tally | undefined>
}

const CODE = fileURLToPath(new URL('./indexing-process.ts', import.meta.url))

/**
 * Indexes in a process of its own.
 *
 * @param deal  what to do with a report; the process waits for it, and its failure ends the process
 */
export function startIndexing(
  job: IndexingJob,
  deal: (report: WorkReport) => Promise<void>,
): Indexing {
  const child = fork(CODE, [], {
    execArgv: [],
    serialization: 'advanced',
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  })
  lowerPriority(child, constants.priority.PRIORITY_BELOW_NORMAL)
  const order = (message: IndexingOrder): void => {
    // A process that has ended gets no message; its end is an event of its own.
    if (child.connected) child.send(message, () => {})
  }
  const told = new Promise<Tally | undefined>((end, fail) => {
    const dealWith = async (report: WorkReport): Promise<void> => {
      try {
        await deal(report)
        if (report.type === 'done') end(report.tally)
      } catch (error) {
        fail(error)
        order({ type: 'signal', signal: STOP })
      } finally {
        order({ type: 'taken' })
      }
    }
    child.once('error', fail)
    child.once('exit', () => fail(new Error('The indexing process ended too early.')))
    child.on('message', (message) => {
      const report = message as IndexingReport
      if (report.type === 'stopped') end(undefined)
      else if (report.type === 'failed') fail(new Error(report.message))
      else void dealWith(report)
    })
  })
  order({ type: 'job', job })
  return {
    tell: (signal) => order({ type: 'signal', signal }),
    ended: told.finally(() => child.kill('SIGKILL')),
  }
}
