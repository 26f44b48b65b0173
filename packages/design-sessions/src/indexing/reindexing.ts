import type { Logger } from '@orrery/http'
import { setTimeout } from 'node:timers/promises'
import type postgres from 'postgres'
import { conflict } from '../errors.ts'
import { errorText, plainText } from '../plain-text.ts'
import type { Built, LibraryIndex, Watch } from './library-index.ts'
import { NO_PROGRESS, NO_TALLY, type Progress, type RunResult, type Tally } from './index-status.ts'
import { indexableUploads } from './upload-text.ts'

/** Interval at which a paused run looks whether it goes on. */
const PAUSED_MS = 50

/** Chunks that are counted together in the progress. */
const BATCH = 64

export interface ReindexOptions {
  /** rebuilds everything, not only changes */
  readonly force?: boolean | undefined
  /** without them uploads are not searched */
  readonly includeUploads?: boolean | undefined
  /** of this run; by default that of all runs */
  readonly timeoutSeconds?: number | undefined
}

export interface ReindexingParts {
  readonly sql: postgres.Sql
  readonly index: LibraryIndex
  readonly logger: Logger
}

/** What outlives a restart: the only row of its table. */
export interface KeptState {
  readonly timeout_seconds: number | null
  /** whether uploads are searched */
  readonly with_uploads: boolean
  readonly last_result: RunResult | null
  readonly last_error: string | null
  readonly last_indexed_at: Date | null
}

export async function keptState(sql: postgres.Sql): Promise<KeptState> {
  const [row] = await sql<[KeptState]>`
    select timeout_seconds, with_uploads, last_result, last_error, last_indexed_at
    from knowledge_run`
  return row
}

/** The present run. */
interface Run {
  readonly options: ReindexOptions
  readonly startedAt: Date
  /** started by the service itself */
  isAutomatic: boolean
  isPaused: boolean
  /** why it ends early */
  ending?: 'cancelled' | 'timed_out' | 'closed'
  timeoutSeconds: number | undefined
  progress: Progress
}

/** Updates the index, one run at a time. */
export class Reindexing {
  readonly #parts: ReindexingParts
  #kept: KeptState
  #run: Run | undefined
  #ended: Promise<void> = Promise.resolve()
  #queued: ReindexOptions | undefined
  #isClosed = false

  constructor(parts: ReindexingParts, kept: KeptState) {
    this.#parts = parts
    this.#kept = kept
  }

  get kept(): KeptState {
    return this.#kept
  }

  get run(): Readonly<Run> | undefined {
    return this.#run
  }

  /**
   * Starts a run, or joins the automatic one.
   *
   * @throws {HttpError} 409 while another runs
   */
  start(options: ReindexOptions = {}, isAutomatic = false): void {
    if (!this.#run) this.#begin(options, isAutomatic)
    else if (!this.#run.isAutomatic) throw conflict('A reindex is already running')
    else {
      this.#run.isAutomatic = false
      // A forced run follows the present one.
      if (options.force) this.#queued = options
    }
  }

  /** @throws {HttpError} 409 */
  stop(): void {
    if (!this.#run) throw conflict('No reindex is running')
    this.#run.ending ??= 'cancelled'
  }

  /** @throws {HttpError} 409 */
  pause(): void {
    if (!this.#run || this.#run.isPaused || this.#run.ending) {
      throw conflict('No reindex is running that could be paused')
    }
    this.#run.isPaused = true
  }

  /** @throws {HttpError} 409 */
  resume(): void {
    if (!this.#run?.isPaused || this.#run.ending) throw conflict('No reindex is paused')
    this.#run.isPaused = false
  }

  /** Seconds that runs may take, from the present one on; null sets no limit. */
  async limit(seconds: number | null): Promise<void> {
    await this.#keep({ timeout_seconds: seconds })
    if (this.#run) this.#run.timeoutSeconds = undefined
  }

  /** @throws {HttpError} 409 while a reindex runs */
  async clear(): Promise<void> {
    if (this.#run) throw conflict('A reindex is running')
    await this.#keep({ last_result: null, last_error: null, last_indexed_at: null })
    this.#parts.index.replace(undefined)
  }

  async close(): Promise<void> {
    this.#isClosed = true
    if (this.#run) this.#run.ending ??= 'closed'
    await this.#ended
  }

  #begin(options: ReindexOptions, isAutomatic: boolean): void {
    const { timeoutSeconds } = options
    const startedAt = new Date()
    const run = { options, startedAt, isAutomatic, isPaused: false, timeoutSeconds }
    this.#run = { ...run, progress: NO_PROGRESS }
    this.#ended = this.#runToEnd(this.#run).then(() => {
      this.#run = undefined
      const queued = this.#queued
      this.#queued = undefined
      if (queued && !this.#isClosed) this.#begin(queued, false)
    })
  }

  async #runToEnd(run: Run): Promise<void> {
    const { index, logger } = this.#parts
    const startMs = performance.now()
    const result = (status: RunResult['status'], tally: Tally): RunResult => ({
      status,
      ...tally,
      duration_seconds: Math.round(performance.now() - startMs) / 1000,
    })
    try {
      const { force = false, includeUploads = true } = run.options
      const built = await index.build({ force, watch: this.#watch(run, startMs) })
      await this.#obey(run, startMs)
      const done = result('completed', await this.#tally(built, includeUploads))
      await this.#keep({
        last_result: done,
        last_error: null,
        last_indexed_at: new Date(),
        with_uploads: includeUploads,
      })
      index.replace(built.index)
      logger.info({ ...done, errors: done.errors.length }, 'knowledge indexed')
    } catch (error) {
      const { ending } = run
      // A run that was stopped has not failed.
      logger[ending ? 'warn' : 'error']({ err: error }, 'knowledge not indexed')
      const reason = ending === 'closed' ? 'The service was stopped' : plainText(errorText(error))
      await this.#keep(
        ending === undefined || ending === 'closed'
          ? { last_result: null, last_error: reason }
          : { last_result: result(ending, NO_TALLY), last_error: null },
      ).catch((failure: unknown) => logger.error({ err: failure }, 'reindex'))
    }
  }

  /** Follows a run's progress, and obeys what it is asked meanwhile. */
  #watch(run: Run, startMs: number): Watch {
    const advance = async (change: Partial<Progress>): Promise<void> => {
      const isNew = change.phase !== run.progress.phase
      run.progress = { ...run.progress, ...change }
      const { phase, total_chunks } = run.progress
      if (isNew) this.#parts.logger.info({ phase, total_chunks }, 'indexing knowledge')
      await this.#obey(run, startMs)
    }
    return {
      onFile: () => advance({ phase: 'parsing', step: 'reading files' }),
      onChunks: (done, total) =>
        advance({
          phase: 'embedding',
          step: 'counting words',
          chunks_processed: done,
          total_chunks: total,
          current_batch: Math.floor(done / BATCH) + 1,
          total_batches: Math.ceil(total / BATCH),
        }),
    }
  }

  /** Waits while a run is paused. @throws {Error} when it is to end */
  async #obey(run: Run, startMs: number): Promise<void> {
    for (;;) {
      const limit = run.timeoutSeconds ?? this.#kept.timeout_seconds ?? Infinity
      if (performance.now() - startMs > limit * 1000) run.ending ??= 'timed_out'
      if (run.ending) throw new Error('The reindex was stopped')
      if (!run.isPaused) return
      await setTimeout(PAUSED_MS)
    }
  }

  async #tally({ files, items, errors }: Built, includeUploads: boolean): Promise<Tally> {
    return {
      ...NO_TALLY,
      files_processed: files,
      checklist_items_indexed: items,
      uploads_indexed: includeUploads ? await indexableUploads(this.#parts.sql) : 0,
      errors,
    }
  }

  async #keep(changes: Partial<KeptState>): Promise<void> {
    const { sql } = this.#parts
    const { last_result: result } = changes
    const row = {
      ...changes,
      ...(result && { last_result: sql.json({ ...result, errors: [...result.errors] }) }),
    }
    await sql`update knowledge_run set ${sql(row as Record<string, string>)}`
    this.#kept = { ...this.#kept, ...changes }
  }
}
