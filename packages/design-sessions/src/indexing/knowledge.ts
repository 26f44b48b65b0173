import type { Logger } from '@orrery/http'
import type postgres from 'postgres'
import { freeLeases } from '../lease.ts'
import type { Uploads } from '../records/upload-files.ts'
import { type IndexStatus, indexStatus } from './index-status.ts'
import { knowledgeFile, openLibrary } from './library.ts'
import type {
  ChecklistItem,
  KnowledgeFile,
  SearchRequest,
  SearchResult,
  Suggestion,
} from './knowledge-items.ts'
import { LoadedIndexes } from './loaded-indexes.ts'
import { parsedFile } from './markdown.ts'
import { type ReindexOptions, Reindexing } from './reindexing.ts'
import type { RemoteEmbeddingOptions } from './remote-embedding.ts'
import { RUN, limitRun } from './run-state.ts'
import { search } from './search.ts'

/** The knowledge library and its index. */
export interface Knowledge {
  /** Best first; undefined when there is no index. */
  search(request: SearchRequest): Promise<readonly SearchResult[] | undefined>
  /**
   * What a text reminds of, best first, five at most, each scoring 0.4 or more; empty without an
   * index. Uploads count only for the version they belong to.
   */
  suggestions(text: string, scope?: { readonly versionId: string }): Promise<readonly Suggestion[]>
  /** all files, sorted by path */
  files(): Promise<readonly KnowledgeFile[]>
  /** the text of a file; undefined when the library has none of that path */
  file(path: string): Promise<string | undefined>
  /** the items of some files, in their order; unknown files have none */
  checklist(files: readonly string[]): Promise<readonly ChecklistItem[]>
  /** whether there is something to search */
  indexed(): Promise<boolean>
  status(): Promise<IndexStatus>
  /**
   * Starts to bring the index up to date, or joins the run that began by itself.
   *
   * @throws {HttpError} 409 while another goes on
   */
  reindex(options?: ReindexOptions): Promise<void>
  /** @throws {HttpError} 409 when no reindex runs */
  stop(): Promise<void>
  /** @throws {HttpError} 409 when none runs, or it is paused */
  pause(): Promise<void>
  /** @throws {HttpError} 409 when none is paused */
  resume(): Promise<void>
  /**
   * Removes the index.
   *
   * @returns how many chunks it had
   * @throws {HttpError} 409 while a reindex runs
   */
  clear(): Promise<number>
  /** Limits the run that goes on, and later ones; null takes the limit away. */
  limit(seconds: number | null): Promise<void>
  /** Gives up a reindex that goes on; the present index stays. */
  close(): Promise<void>
}

export interface KnowledgeOptions {
  readonly sql: postgres.Sql
  /** the library's root */
  readonly directory: string
  readonly uploads: Pick<Uploads, 'path'>
  /** embeds texts elsewhere instead of by the library's own words */
  readonly remote?: RemoteEmbeddingOptions | undefined
  /** whether this process is the only one that can have the database open */
  readonly exclusive: boolean
  /** whether the index is brought up to date in the background, starting now */
  readonly automatic: boolean
  readonly logger: Logger
}

/** What a text reminds of: so many, from so much likeness on. */
const SUGGESTIONS = { topK: 5, minScore: 0.4 }

/** Characters of a passage that a suggestion shows. */
const SUGGESTION_LENGTH = 200

/** Opens the library and its index. */
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
  // One file that is too large, or gone meanwhile, must not take the gate from everybody.
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
