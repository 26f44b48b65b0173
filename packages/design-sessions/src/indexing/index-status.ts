import type postgres from 'postgres'
import { currentGenerations } from './generations.ts'
import { NO_PROGRESS, type Progress } from './indexing-job.ts'
import type { LoadedIndexes } from './loaded-indexes.ts'
import { type RunResult, runState } from './run-state.ts'

/** What there is to search, and how far a reindex is. */
export interface IndexStatus {
  readonly indexed: boolean
  readonly total_embeddings: number
  readonly knowledge_file_count: number
  readonly vendor_doc_count: number
  readonly upload_count: number
  readonly last_indexed_at: Date | null
  readonly reindexing: boolean
  readonly paused: boolean
  /** seconds since 1970 */
  readonly reindex_started_at: number | null
  /** seconds */
  readonly reindex_timeout: number | null
  readonly reindex_last_result: RunResult | null
  readonly reindex_last_error: string | null
  /** while a reindex runs */
  readonly progress: Progress | null
}

export async function indexStatus(sql: postgres.Sql, indexes: LoadedIndexes): Promise<IndexStatus> {
  const run = await runState(sql)
  const generations = await currentGenerations(sql)
  const library = generations.find(({ version_id }) => version_id === null)
  const uploads = generations.filter(({ version_id }) => version_id !== null)
  const stored = library && (await indexes.stored(library.id))
  const isUsable = stored !== undefined && indexes.provider(stored) !== undefined
  const total = generations.reduce((sum, { chunks }) => sum + chunks, 0)
  return {
    indexed: isUsable && (library?.chunks ?? 0) > 0,
    total_embeddings: total,
    knowledge_file_count: library?.sources ?? 0,
    vendor_doc_count: 0,
    upload_count: uploads.reduce((sum, { sources }) => sum + sources, 0),
    last_indexed_at: run.last_indexed_at,
    reindexing: run.running,
    paused: run.running && run.paused,
    reindex_started_at: run.running && run.started_at ? run.started_at.getTime() / 1000 : null,
    reindex_timeout: run.timeout_seconds,
    reindex_last_result: run.last_result,
    reindex_last_error: run.last_error,
    progress: run.running ? (run.progress ?? NO_PROGRESS) : null,
  }
}
