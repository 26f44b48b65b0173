import { conflict } from '../errors.ts'
import { type ReindexOptions, type ReindexingParts, Run } from './indexing-run.ts'
import * as runs from './run-state.ts'

/** Interval at which the start checks whether another process still indexes. */
const AUTOMATIC_RETRY_MS = 2000

const CLOSED = 'The service was stopped'

/** Updates the index: one run at a time in all processes. */
export class Reindexing {
  readonly #parts: ReindexingParts
  #run: Run | undefined
  #ended: Promise<void> = Promise.resolve()
  #queued: ReindexOptions | undefined
  #isClosed = false

  constructor(parts: ReindexingParts) {
    this.#parts = parts
  }

  /**
   * Starts a run, or joins the one that started with the service.
   *
   * @throws {HttpError} 409 while another runs
   */
  async start(options: ReindexOptions): Promise<void> {
    if (await this.#begin(options, false)) return
    if (!(await runs.joinAutomatic(this.#parts.sql))) throw conflict('A reindex is already running')
    // A forced run follows the present one.
    if (options.force && this.#run) this.#queued = options
  }

  /** Updates the index after any other process that does. */
  async startAutomatically(): Promise<void> {
    while (!this.#isClosed && !(await this.#begin({}, true))) {
      await new Promise((resolve) => setTimeout(resolve, AUTOMATIC_RETRY_MS).unref())
    }
  }

  async stop(): Promise<void> {
    await this.#signal('stop', 'No reindex is running')
  }

  async pause(): Promise<void> {
    await this.#signal('pause', 'No reindex is running that could be paused')
  }

  async resume(): Promise<void> {
    await this.#signal(null, 'No reindex is paused')
  }

  /** @throws {HttpError} 409 while a reindex runs */
  async clear(): Promise<void> {
    if (!(await runs.clearIndex(this.#parts.sql))) throw conflict('A reindex is running')
  }

  async close(): Promise<void> {
    this.#isClosed = true
    this.#run?.abort(CLOSED)
    await this.#ended
  }

  async #begin(options: ReindexOptions, automatic: boolean): Promise<boolean> {
    const { sql, logger } = this.#parts
    const { timeoutSeconds } = options
    const lease = await runs.takeLease(sql, { automatic, timeoutSeconds })
    if (!lease) return false
    if (this.#isClosed) {
      await runs.endRun(sql, lease, { error: CLOSED })
      return false
    }
    const run = new Run(this.#parts, lease, options)
    this.#run = run
    this.#ended = run
      .run()
      .then(async () => {
        this.#run = undefined
        const queued = this.#queued
        this.#queued = undefined
        if (queued && !this.#isClosed) await this.#begin(queued, false)
      })
      .catch((error: unknown) => logger.error({ err: error }, 'reindex'))
    return true
  }

  async #signal(signal: 'pause' | 'stop' | null, refusal: string): Promise<void> {
    if (!(await runs.signalRun(this.#parts.sql, signal))) throw conflict(refusal)
    await this.#run?.renewLease()
  }
}
