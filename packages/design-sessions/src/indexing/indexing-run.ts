import type { Logger } from '@orrery/http'
import { fork } from 'node:child_process'
import { constants } from 'node:os'
import { fileURLToPath } from 'node:url'
import type postgres from 'postgres'
import { errorText, plainText } from '../plain-text.ts'
import { lowerPriority } from '../priority.ts'
import type { Uploads } from '../records/upload-files.ts'
import {
  addChunks,
  addGeneration,
  addPart,
  currentGenerations,
  publish,
  removeLeftovers,
} from './generations.ts'
import {
  GO,
  type IndexingJob,
  type IndexingOrder,
  type IndexingReport,
  PAUSE,
  type Progress,
  STOP,
  type Signal,
  type Tally,
  type UploadScope,
} from './indexing-job.ts'
import type { LoadedIndexes } from './loaded-indexes.ts'
import type { RemoteEmbeddingOptions } from './remote-embedding.ts'
import * as runs from './run-state.ts'
import { libraryWords } from './stored-index.ts'
import { isIndexable } from './upload-text.ts'

/** Interval between renewals of the lease, which also read its signals. */
const RENEWAL_MS = 500

export interface ReindexOptions {
  /** rebuilds everything, not only changes */
  readonly force?: boolean | undefined
  /** without them uploads are removed from the index */
  readonly includeUploads?: boolean | undefined
  readonly timeoutSeconds?: number | undefined
}

export interface ReindexingParts {
  readonly sql: postgres.Sql
  readonly directory: string
  readonly uploads: Pick<Uploads, 'path'>
  readonly remote: RemoteEmbeddingOptions | undefined
  readonly logger: Logger
  readonly indexes: LoadedIndexes
}

/** Why a run ended early. */
type Interruption = 'cancelled' | 'timed_out' | { readonly error: string }

/** A generation that this run makes. */
interface Added {
  readonly id: string
  readonly versionId: string | null
  /** buffer for the encoded index, if it is the library's */
  readonly bytes: Buffer | undefined
  /** received so far */
  parts: number
  filled: number
}

/** One run, from the lease to its end. */
export class Run {
  readonly #parts: ReindexingParts
  readonly #lease: runs.Lease
  readonly #options: ReindexOptions
  readonly #startedAt = performance.now()
  #indexing: Indexing | undefined
  #signal: Signal = GO
  #progress: Progress | undefined
  #ending: Interruption | undefined
  /** the last one may be incomplete */
  readonly #added: Added[] = []
  /** the version of the current rows and bytes has been removed */
  #isSkipping = false

  constructor(parts: ReindexingParts, lease: runs.Lease, options: ReindexOptions) {
    this.#parts = parts
    this.#lease = lease
    this.#options = options
  }

  /** Runs to the end; rejects only when the result cannot be stored. */
  async run(): Promise<void> {
    const { sql, logger } = this.#parts
    const renewals = setInterval(() => void this.renewLease(), RENEWAL_MS)
    let ending: runs.Ending
    try {
      ending = await this.#result()
      logger.info({ ...ending.result, errors: ending.result?.errors.length }, 'knowledge indexed')
    } catch (error) {
      // A run stopped by the service has not failed.
      logger[this.#ending ? 'warn' : 'error']({ err: error }, 'knowledge not indexed')
      ending = { error: plainText(errorText(error)), indexed: false }
    } finally {
      clearInterval(renewals)
    }
    await runs.endRun(sql, this.#lease, ending)
  }

  /** Renews the lease and obeys its signals. */
  async renewLease(): Promise<void> {
    const { sql, logger } = this.#parts
    try {
      const renewal = await runs.renewRun(sql, this.#lease, this.#progress)
      // A stop is final.
      if (this.#ending) return
      if (!renewal) this.abort('Another process has taken over')
      else if (renewal.isLate) this.#stop('timed_out')
      else if (renewal.signal === 'stop') this.#stop('cancelled')
      else this.#send(renewal.signal === 'pause' ? PAUSE : GO)
    } catch (error) {
      logger.warn({ err: error }, 'reindex: no beat')
    }
  }

  abort(error: string): void {
    this.#stop({ error })
  }

  #stop(ending: Interruption): void {
    this.#ending ??= ending
    this.#send(STOP)
  }

  /** Signals the indexing process, now or when it starts. */
  #send(signal: Signal): void {
    if (signal === this.#signal) return
    this.#signal = signal
    this.#indexing?.send(signal)
  }

  async #result(): Promise<runs.Ending> {
    const { sql } = this.#parts
    await removeLeftovers(sql)
    const job = await this.#job()
    this.#indexing = startIndexing(job, (report) => this.#onReport(report))
    this.#indexing.send(this.#signal)
    const tally = await this.#indexing.ended
    await removeLeftovers(sql)
    if (!tally && typeof this.#ending === 'object') throw new Error(this.#ending.error)
    const duration_seconds = Math.round(performance.now() - this.#startedAt) / 1000
    const nothing = {
      files_processed: 0,
      checklist_items_indexed: 0,
      vendor_docs_indexed: 0,
      uploads_indexed: 0,
      errors: [],
    }
    const status = tally ? 'completed' : (this.#ending as Exclude<Interruption, object>)
    const result = { ...(tally ?? nothing), status, duration_seconds } as const
    return { result, indexed: tally !== undefined }
  }

  async #job(): Promise<IndexingJob> {
    const { sql, directory, remote, indexes } = this.#parts
    const { force = false, includeUploads = true } = this.#options
    const current = await currentGenerations(sql)
    const library = current.find(({ version_id }) => version_id === null)
    const stored = library && !force ? await indexes.stored(library.id) : undefined
    const scopes = includeUploads ? await uploadScopes(this.#parts) : []
    return {
      directory,
      remote,
      force,
      library: {
        fingerprint: library?.fingerprint,
        hashes: stored?.hashes ?? [],
        // Only what is needed: copying everything to the process blocks other requests.
        words: stored && scopes.length > 0 ? libraryWords(stored) : undefined,
        vectors: remote && stored && indexes.provider(stored) ? stored.index.vectors : undefined,
      },
      uploads: scopes.map((scope) => ({
        ...scope,
        fingerprint: current.find(({ version_id }) => version_id === scope.versionId)?.fingerprint,
      })),
    }
  }

  async #onReport(report: WorkReport): Promise<void> {
    const { sql } = this.#parts
    switch (report.type) {
      case 'progress': {
        this.#logProgress(report.progress)
        return
      }
      case 'generation': {
        const { versionId, fingerprint, chunks, sources } = report
        const generation = { version_id: versionId, fingerprint, chunks, sources }
        const id = await addGeneration(sql, generation)
        this.#isSkipping = id === undefined
        // Allocated at once and filled in parts: a concatenation at the end would block other
        // requests.
        const bytes = versionId === null ? Buffer.allocUnsafe(report.bytes) : undefined
        if (id !== undefined) this.#added.push({ id, versionId, bytes, parts: 0, filled: 0 })
        return
      }
      case 'rows': {
        if (!this.#isSkipping) await addChunks(sql, this.#newest().id, report.rows)
        return
      }
      case 'bytes': {
        if (this.#isSkipping) return
        const newest = this.#newest()
        const part = { generation: newest.id, ordinal: newest.parts++ }
        await addPart(sql, part, report.bytes)
        newest.bytes?.set(report.bytes, newest.filled)
        newest.filled += report.bytes.length
        return
      }
      case 'done': {
        await this.#publish(report.kept)
        return
      }
    }
  }

  #newest(): Added {
    const newest = this.#added.at(-1)
    if (!newest) throw new Error('rows came before their generation')
    return newest
  }

  async #publish(kept: Parameters<typeof publish>[2]): Promise<void> {
    const { sql, indexes } = this.#parts
    await sql.begin(async (transaction) => {
      await runs.holdLease(transaction, this.#lease)
      const ids = this.#added.map(({ id }) => id)
      await publish(transaction, ids, kept)
    })
    const library = this.#added.find(({ versionId }) => versionId === null)
    if (library?.bytes) indexes.replaceLibrary(library.id, library.bytes)
  }

  #logProgress(progress: Progress): void {
    const before = this.#progress
    this.#progress = progress
    const isFar = tenths(progress) > tenths(before)
    if (before?.phase === progress.phase && before.step === progress.step && !isFar) return
    const { phase, step, chunks_processed, total_chunks } = progress
    this.#parts.logger.info({ phase, step, chunks_processed, total_chunks }, 'indexing knowledge')
  }
}

/** Progress in tenths. */
function tenths(progress: Progress | undefined): number {
  if (!progress || progress.total_chunks === 0) return 0
  return Math.floor((10 * progress.chunks_processed) / progress.total_chunks)
}

/** Uploads that are text, by version. */
async function uploadScopes({
  sql,
  uploads,
}: ReindexingParts): Promise<Omit<UploadScope, 'fingerprint'>[]> {
  const rows = await sql<
    { id: string; version_id: string; name: string; type: string; bytes: number }[]
  >`
    select id, version_id, original_filename as name, content_type as type, file_size as bytes
    from upload order by version_id, ordinal`
  const files = rows.filter(isIndexable).map(({ version_id, ...file }) => ({
    versionId: version_id,
    ...file,
    path: uploads.path(file.id),
  }))
  return [...Map.groupBy(files, ({ versionId }) => versionId)].map(([versionId, files]) => ({
    versionId,
    files,
  }))
}

type WorkReport = Exclude<IndexingReport, { readonly type: 'stopped' | 'failed' }>

/** The indexing process. */
interface Indexing {
  send(signal: Signal): void
  /** its result; undefined when it was stopped */
  readonly ended: Promise<Tally | undefined>
}

const CODE = fileURLToPath(new URL('./indexing-process.ts', import.meta.url))

/**
 * Starts the indexing process.
 *
 * @param onReport  processes a report; the process waits for it, and its failure ends the process
 */
function startIndexing(
  job: IndexingJob,
  onReport: (report: WorkReport) => Promise<void>,
): Indexing {
  const child = fork(CODE, [], {
    execArgv: [],
    serialization: 'advanced',
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  })
  lowerPriority(child, constants.priority.PRIORITY_BELOW_NORMAL)
  const order = (message: IndexingOrder): void => {
    // A process that has ended emits an event of its own.
    if (child.connected) child.send(message, () => {})
  }
  const result = new Promise<Tally | undefined>((end, fail) => {
    const receive = async (report: WorkReport): Promise<void> => {
      try {
        await onReport(report)
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
      else void receive(report)
    })
  })
  order({ type: 'job', job })
  return {
    send: (signal) => order({ type: 'signal', signal }),
    ended: result.finally(() => child.kill('SIGKILL')),
  }
}
