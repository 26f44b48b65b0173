import type { Logger } from '@orrery/http'
import { setTimeout } from 'node:timers/promises'
import type postgres from 'postgres'
import { errorText, plainText } from '../plain-text.ts'
import type { LibraryIndex } from './library-index.ts'
import { NO_PROGRESS, type Progress, type Tally } from './progress.ts'
import * as runs from './run-state.ts'
import { indexableUploads } from './upload-text.ts'

/** Interval between renewals of the lease, which also read its signals. */
const RENEWAL_MS = 500

/** Interval at which a paused run looks whether it is resumed. */
const PAUSED_MS = 50

/** Chunks that are counted together in the progress. */
const BATCH = 64

export interface ReindexOptions {
  /** rebuilds everything, not only changes */
  readonly force?: boolean | undefined
  /** without them uploads are not searched */
  readonly includeUploads?: boolean | undefined
  readonly timeoutSeconds?: number | undefined
}

export interface ReindexingParts {
  readonly sql: postgres.Sql
  readonly index: LibraryIndex
  readonly logger: Logger
}

/** Why a run ended early. */
type Interruption = 'cancelled' | 'timed_out' | { readonly error: string }

const NOTHING: Tally = {
  files_processed: 0,
  checklist_items_indexed: 0,
  vendor_docs_indexed: 0,
  uploads_indexed: 0,
  errors: [],
}

/** One run, from the lease to its end. */
export class Run {
  readonly #parts: ReindexingParts
  readonly #lease: runs.Lease
  readonly #options: ReindexOptions
  readonly #startedAt = performance.now()
  #isPaused = false
  #progress: Progress = NO_PROGRESS
  #ending: Interruption | undefined

  constructor(parts: ReindexingParts, lease: runs.Lease, options: ReindexOptions) {
    this.#parts = parts
    this.#lease = lease
    this.#options = options
  }

  /** Runs to the end; rejects only when the result cannot be stored. */
  async run(): Promise<void> {
    const { sql, logger } = this.#parts
    const renewals = setInterval(() => void this.renewLease(), RENEWAL_MS)
    try {
      const result = await this.#indexed()
      logger.info({ ...result, errors: result.errors.length }, 'knowledge indexed')
    } catch (error) {
      const ending = this.#ending ?? { error: errorText(error) }
      // A run stopped by the service has not failed.
      const level = this.#ending ? 'warn' : 'error'
      logger[level]({ err: error }, 'knowledge not indexed')
      await runs.endRun(
        sql,
        this.#lease,
        typeof ending === 'object'
          ? { error: plainText(ending.error) }
          : { result: { status: ending, ...NOTHING, duration_seconds: this.#seconds() } },
      )
    } finally {
      clearInterval(renewals)
    }
  }

  /** Renews the lease and obeys its signals. */
  async renewLease(): Promise<void> {
    const { sql, logger } = this.#parts
    try {
      const renewal = await runs.renewRun(sql, this.#lease, this.#progress)
      if (!renewal) this.abort('Another process has taken over')
      else if (renewal.isLate) this.#ending ??= 'timed_out'
      else if (renewal.signal === 'stop') this.#ending ??= 'cancelled'
      this.#isPaused = renewal?.signal === 'pause'
    } catch (error) {
      logger.warn({ err: error }, 'reindex: no beat')
    }
  }

  abort(error: string): void {
    this.#ending ??= { error }
  }

  async #indexed(): Promise<runs.RunResult> {
    const { sql, index } = this.#parts
    const { force = false, includeUploads = true } = this.#options
    const built = await index.build({
      force,
      watch: {
        onFile: () => this.#advance({ phase: 'parsing', step: 'reading files' }),
        onChunks: (done, total) =>
          this.#advance({
            phase: 'embedding',
            step: 'counting words',
            chunks_processed: done,
            total_chunks: total,
            current_batch: Math.floor(done / BATCH) + 1,
            total_batches: Math.ceil(total / BATCH),
          }),
      },
    })
    // A short run may have got its signal since the last renewal.
    await this.renewLease()
    await this.#obeySignals()
    const result = {
      status: 'completed',
      files_processed: built.files,
      checklist_items_indexed: built.items,
      vendor_docs_indexed: 0,
      uploads_indexed: includeUploads ? await indexableUploads(sql) : 0,
      errors: built.errors,
      duration_seconds: this.#seconds(),
    } as const
    const generation = await runs.endRun(sql, this.#lease, { result, includeUploads })
    if (generation === undefined) throw new Error('Another process has taken over')
    index.replace(built.index, generation)
    return result
  }

  /** Updates the progress; waits while the run is paused. */
  async #advance(change: Partial<Progress>): Promise<void> {
    const isNew = change.phase !== this.#progress.phase
    this.#progress = { ...this.#progress, ...change }
    if (isNew) {
      const { phase, total_chunks } = this.#progress
      this.#parts.logger.info({ phase, total_chunks }, 'indexing knowledge')
      await this.renewLease()
    }
    await this.#obeySignals()
  }

  /** Waits while the run is paused. @throws {Error} when it is stopped */
  async #obeySignals(): Promise<void> {
    while (this.#isPaused && !this.#ending) await setTimeout(PAUSED_MS)
    if (this.#ending) throw new Error('The reindex was stopped')
  }

  #seconds(): number {
    return Math.round(performance.now() - this.#startedAt) / 1000
  }
}
