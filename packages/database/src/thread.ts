import { type NetConnectOpts, Socket } from 'node:net'
import { setTimeout } from 'node:timers/promises'
import { Worker } from 'node:worker_threads'
import type { FallBack } from './cluster.ts'
import { DatabaseError, reasonOf } from './error.ts'
import { stopReading } from './server-socket.ts'

export interface ThreadOptions {
  readonly directory: string
  readonly schema: string
  /** Opens again what this process had open until just now. */
  readonly isRevival: boolean
  /** Absent where unix sockets do not work: a free port of 127.0.0.1 then. */
  readonly socketPath?: string
}

export type ThreadReport =
  | { readonly kind: 'log'; readonly line: string }
  | {
      readonly kind: 'listening'
      readonly address: NetConnectOpts
      readonly fellBack: FallBack | undefined
    }
  | { readonly kind: 'failed'; readonly reason: string }

// A checkpoint of all buffers takes well under a second; a thread this late is not coming back.
const CLOSE_MS_MAX = 20_000
// A thread that drops its connections is ending; this long we wait to learn why.
const LAST_WORDS_MS_MAX = 2000

/** The running thread of an embedded database. */
export interface DatabaseThread {
  /** Where it listens. */
  readonly address: NetConnectOpts
  /** That it opened a copy instead of the broken database. */
  readonly fellBack: FallBack | undefined
  /** Settles once the thread has ended. */
  readonly exit: Promise<void>
  /** Whether the thread has ended. */
  gone(): boolean
  /** Why the thread does not answer, once it has ended or had time to. */
  loss(): Promise<DatabaseError>
  stop(): Promise<void>
}

/** Starts the thread and waits until it listens. */
export function startThread(
  options: ThreadOptions,
  onNotice: (line: string) => void,
): Promise<DatabaseThread> {
  const worker = new Worker(new URL('./thread-main.ts', import.meta.url), {
    workerData: options,
    name: 'database',
  })
  let lastWords: string | undefined
  let cause: string | undefined
  let exited = false
  const exit = new Promise<void>((done) => {
    worker.once('exit', () => {
      exited = true
      done()
    })
  })
  const gone = (): boolean => exited
  const loss = async (): Promise<DatabaseError> => {
    await Promise.race([exit, setTimeout(LAST_WORDS_MS_MAX, undefined, { ref: false })])
    const what = exited ? `has stopped${cause ?? lastWords ?? ''}` : 'closed its connection'
    return new DatabaseError('ERR_DATABASE_LOST', `The embedded database ${what}.`)
  }
  const stop = async (): Promise<void> => {
    worker.postMessage('stop')
    await Promise.race([exit, setTimeout(CLOSE_MS_MAX, undefined, { ref: false })])
    await worker.terminate()
  }
  return new Promise((done, refuse) => {
    const fail = (reason: string): void => {
      const message = `The database in ${options.directory} does not open: ${reason}`
      void worker
        .terminate()
        .then(() => refuse(new DatabaseError('ERR_DATABASE_DIRECTORY', message)))
    }
    worker.on('error', (error) => {
      cause = `: ${reasonOf(error)}`
      onNotice(`embedded database${cause}`)
    })
    worker.on('message', (report: ThreadReport) => {
      if (report.kind === 'listening') {
        const { address, fellBack } = report
        done({ address, fellBack, exit, gone, loss, stop })
      } else if (report.kind === 'failed') fail(report.reason)
      else {
        if (report.line.includes('PANIC')) lastWords = `: ${report.line}`
        onNotice(report.line)
      }
    })
    void exit.then(() => fail(`its thread ended${cause ?? ''}`))
  })
}

/** A connection that ends, whatever the system calls it, with the reason the thread gives. */
export class ThreadSocket extends Socket {
  readonly #thread: DatabaseThread

  constructor(thread: DatabaseThread) {
    super({ allowHalfOpen: true })
    this.#thread = thread
    this.once('end', () => {
      this.destroy(this.writableEnded ? undefined : new Error('end of stream'))
    })
  }

  // The name is Node's: what every stream's destruction goes through.
  // oxlint-disable-next-line no-underscore-dangle
  override _destroy(fault: Error | null, callback: (error?: Error | null) => void): void {
    // oxlint-disable-next-line no-underscore-dangle
    const destroy = (reason: Error | null): void => super._destroy(reason, callback)
    stopReading(this)
    if (fault === null) destroy(fault)
    else void this.#thread.loss().then(destroy)
  }
}
