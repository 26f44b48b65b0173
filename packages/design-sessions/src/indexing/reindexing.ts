import { conflict } from '../errors.ts'
import { currentGenerations, publish, removeLeftovers } from './generations.ts'
import { type ReindexOptions, type ReindexingParts, Run } from './indexing-run.ts'
import * as runs from './run-state.ts'

/** How long the start waits between two looks at another process that indexes. */
const AUTOMATIC_RETRY_MS = 2000

const CLOSED = 'The service was stopped'

/** Brings the index up to date: one run at a time, whatever the number of processes. */
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
   * Starts a run, or joins the one that the service has started by itself.
   *
   * @throws {HttpError} 409 while another goes on
   */
  async start(options: ReindexOptions): Promise<void> {
    if (await this.#begin(options, false)) return
    if (!(await runs.joinAutomatic(this.#parts.sql))) throw conflict('A reindex is already running')
    // Whoever wants everything anew gets it after what has changed.
    if (options.force && this.#run) this.#queued = options
  }

  /** Brings the index up to date without being asked, after any other process that does. */
  async startAutomatically(): Promise<void> {
    while (!this.#isClosed && !(await this.#begin({}, true))) {
      await new Promise((resolve) => setTimeout(resolve, AUTOMATIC_RETRY_MS).unref())
    }
  }

  /** @throws {HttpError} 409 when none runs */
  async stop(): Promise<void> {
    await this.#signal('stop', 'No reindex is running')
  }

  /** @throws {HttpError} 409 when none runs that is not paused */
  async pause(): Promise<void> {
    await this.#signal('pause', 'No reindex is running that could be paused')
  }

  /** @throws {HttpError} 409 when none is paused */
  async resume(): Promise<void> {
    await this.#signal(null, 'No reindex is paused')
  }

  /**
   * Removes the index.
   *
   * @returns chunks removed
   * @throws {HttpError} 409 while a reindex runs
   */
  async clear(): Promise<number> {
    const { sql } = this.#parts
    const lease = await runs.takeLease(sql, { automatic: false, timeoutSeconds: undefined })
    if (!lease) throw conflict('A reindex is running')
    const generations = await currentGenerations(sql)
    try {
      await sql.begin((transaction) => publish(transaction, [], { library: false, versions: [] }))
      await removeLeftovers(sql)
    } finally {
      await runs.endRun(sql, lease, { indexed: false })
    }
    await runs.forgetRun(sql)
    return generations.reduce((sum, { chunks }) => sum + chunks, 0)
  }

  /** Ends a run, if one goes on here. */
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
      await runs.endRun(sql, lease, { error: CLOSED, indexed: false })
      return false
    }
    const run = new Run(this.#parts, lease, options)
    this.#run = run
    this.#ended = run
      .finished()
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
    await this.#run?.beat()
  }
}
