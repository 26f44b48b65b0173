import type { Logger } from '@orrery/http'
import type postgres from 'postgres'
import { freeLeases } from '../lease.ts'
import type { Uploads } from '../records/upload-files.ts'
import { currentGenerations } from './generations.ts'
import { NO_PROGRESS, type Progress } from './indexing-job.ts'
import type {
  ChecklistItem,
  KnowledgeFile,
  SearchRequest,
  SearchResult,
  Suggestion,
} from './knowledge-items.ts'
import { knowledgeFile, openLibrary } from './library.ts'
import { LoadedIndexes } from './loaded-indexes.ts'
import { parsedFile } from './markdown.ts'
import type { ReindexOptions } from './indexing-run.ts'
import { Reindexing } from './reindexing.ts'
import type { RemoteEmbeddingOptions } from './remote-embedding.ts'
import { RUN, type RunResult, limitRun, runState } from './run-state.ts'
import { search } from './search.ts'

/** The knowledge library and its index. */
export interface Knowledge {
  /** Best first; undefined without an index. */
  search(request: SearchRequest): Promise<readonly SearchResult[] | undefined>
  /**
   * Items and passages related to a text, best first: at most five, with scores from 0.4. Uploads
   * are included only for their version.
   */
  suggestions(text: string, scope?: { readonly versionId: string }): Promise<readonly Suggestion[]>
  /** sorted by path */
  files(): Promise<readonly KnowledgeFile[]>
  /** undefined for an unknown path */
  file(path: string): Promise<string | undefined>
  /** items of the given files, in order; unknown files have none */
  checklist(files: readonly string[]): Promise<readonly ChecklistItem[]>
  /** whether there is a usable index */
  indexed(): Promise<boolean>
  status(): Promise<IndexStatus>
  /**
   * Starts to update the index, or joins the run that started with the service.
   *
   * @throws {HttpError} 409 while another runs
   */
  reindex(options?: ReindexOptions): Promise<void>
  /** @throws {HttpError} 409 when none runs */
  stop(): Promise<void>
  /** @throws {HttpError} 409 when none runs, or it is paused */
  pause(): Promise<void>
  /** @throws {HttpError} 409 when none is paused */
  resume(): Promise<void>
  /**
   * Removes the index.
   *
   * @returns number of its chunks
   * @throws {HttpError} 409 while a reindex runs
   */
  clear(): Promise<number>
  /** Limits the present and later runs; null removes the limit. */
  limit(seconds: number | null): Promise<void>
  /** Stops a running reindex; the present index stays. */
  close(): Promise<void>
}

export interface KnowledgeOptions {
  readonly sql: postgres.Sql
  readonly directory: string
  readonly uploads: Pick<Uploads, 'path'>
  /** embeds by a remote model instead of the library's own words */
  readonly remote?: RemoteEmbeddingOptions | undefined
  /** whether no other process can have the database open */
  readonly exclusive: boolean
  /** whether the index is updated in the background from the start */
  readonly automatic: boolean
  readonly logger: Logger
}

const SUGGESTIONS = { topK: 5, minScore: 0.4 }

/** Characters of a passage in a suggestion. */
const SUGGESTION_LENGTH = 200

export async function createKnowledge(options: KnowledgeOptions): Promise<Knowledge> {
  const { sql, directory, remote, logger } = options
  const library = openLibrary(directory)
  const indexes = new LoadedIndexes(sql, remote)
  const reindexing = new Reindexing({ ...options, remote, indexes })
  if (options.exclusive) await freeLeases(sql, RUN)
  const automatic = options.automatic
    ? reindexing
        .startAutomatically()
        .catch((error: unknown) => logger.error({ err: error }, 'knowledge not indexed'))
    : Promise.resolve()
  const file = async (path: string): Promise<string | undefined> =>
    (await library.paths()).includes(path) ? library.text(path) : undefined
  // An unreadable file must not block the gate.
  const readable = (path: string): Promise<string> =>
    library.text(path).catch((error: unknown) => {
      logger.warn({ err: error, file: path }, 'a knowledge file is passed over')
      return ''
    })
  return {
    search: (request) => search(sql, indexes, request),
    async suggestions(text, scope) {
      const found = await search(sql, indexes, { query: text, ...SUGGESTIONS, ...scope })
      return (found ?? []).map(({ source_file, checklist_item, priority, content, score }) => ({
        source_file,
        checklist_item: checklist_item ?? content.slice(0, SUGGESTION_LENGTH),
        priority,
        score,
      }))
    },
    files: async () => (await library.paths()).map(knowledgeFile),
    file,
    async checklist(files) {
      const known = new Set(await library.paths())
      const items: ChecklistItem[] = []
      for (const file of files) {
        const chunks = known.has(file) ? parsedFile(await readable(file)).chunks : []
        for (const { section, item, priority } of chunks) {
          if (item !== null && priority) items.push({ file, section, text: item, priority })
        }
      }
      return items
    },
    indexed: async () => (await indexStatus(sql, indexes)).indexed,
    status: () => indexStatus(sql, indexes),
    reindex: (options = {}) => reindexing.start(options),
    stop: () => reindexing.stop(),
    pause: () => reindexing.pause(),
    resume: () => reindexing.resume(),
    clear: () => reindexing.clear(),
    limit: (seconds) => limitRun(sql, seconds),
    async close() {
      await reindexing.close()
      await automatic
    },
  }
}

/** The state of the index and of a reindex. */
export interface IndexStatus {
  readonly indexed: boolean
  readonly total_embeddings: number
  readonly knowledge_file_count: number
  readonly vendor_doc_count: number
  readonly upload_count: number
  readonly last_indexed_at: Date | null
  readonly reindexing: boolean
  readonly paused: boolean
  /** [s since 1970] */
  readonly reindex_started_at: number | null
  /** [s] */
  readonly reindex_timeout: number | null
  readonly reindex_last_result: RunResult | null
  readonly reindex_last_error: string | null
  /** null when no reindex runs */
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
