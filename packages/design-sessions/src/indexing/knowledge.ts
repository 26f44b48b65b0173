import type { Logger } from '@orrery/http'
import type postgres from 'postgres'
import type { Suggestion } from '../records/suggestion.ts'
import type { Version } from '../records/versions.ts'
import type { Uploads } from '../records/upload-files.ts'
import { WaitingLine } from '../waiting-line.ts'
import { providersOf } from './applicable-files.ts'
import { libraryPath } from './item-words.ts'
import type { ChunkIndex } from './chunk-index.ts'
import { type Conditions, conditionsOf, exclusionBy } from './conditions.ts'
import { filesAbout } from './files-about.ts'
import type {
  ChecklistItem,
  KnowledgeFile,
  SearchRequest,
  SearchResult,
} from './knowledge-items.ts'
import { LibraryIndex } from './library-index.ts'
import { Library, knowledgeFile } from './library.ts'
import { type IndexStatus, NO_VECTORS } from './index-status.ts'
import { type KeptState, Reindexing, keptState } from './reindexing.ts'
import { type Scope, bestScores, queryOf, queryParts, search } from './search.ts'
import type { Embedder } from '../sentences/embedder.ts'
import { indexableUploads } from './upload-text.ts'
import { Vectors } from './vectors.ts'
import { VersionIndexes } from './version-index.ts'

export interface KnowledgeOptions {
  readonly sql: postgres.Sql
  readonly directory: string
  readonly uploads: Pick<Uploads, 'path'>
  /** whether the index is updated in the background from the start */
  readonly automatic: boolean
  readonly logger: Logger
  /** without it the search goes by words alone */
  readonly model?: Embedder | undefined
  /** those that queries are compared with, too; by default sentences about many things */
  readonly otherTopics?: readonly string[] | undefined
}

const SUGGESTIONS = { topK: 5, minScore: 0.4 }

/** Searches that wait, and characters of those that wait behind all others. */
const WAITING_MAX = 500
const LONG = 300

/** The knowledge library and its index. */
export class Knowledge {
  readonly reindexing: Reindexing
  /** files that a text belongs to; none without an index */
  readonly filesAbout: (text: string) => Promise<ReadonlySet<string>>
  readonly #options: KnowledgeOptions
  readonly #library: Library
  readonly #index: LibraryIndex
  readonly #versions: VersionIndexes
  readonly #vectors: Vectors | undefined
  readonly #lines = {
    short: new WaitingLine('searches', { waitingMax: WAITING_MAX }),
    long: new WaitingLine('long searches', { waitingMax: WAITING_MAX }),
  }

  constructor(options: KnowledgeOptions, kept: KeptState) {
    const { sql, directory, uploads, logger, automatic, model, otherTopics } = options
    this.#options = options
    this.#library = new Library(directory)
    this.#index = new LibraryIndex(this.#library, kept.last_indexed_at !== null, (index) =>
      this.#vectors?.make(index),
    )
    this.#vectors = model && new Vectors({ sql, model, logger, otherTopics })
    this.#versions = new VersionIndexes(sql, uploads)
    this.reindexing = new Reindexing({ sql, index: this.#index, logger }, kept)
    this.filesAbout = filesAbout(this.#index, (request) => this.search(request))
    if (automatic) this.reindexing.start({}, true)
  }

  /**
   * Best first; undefined without an index. Searches run one after the other, long texts behind
   * short ones.
   */
  async search(
    request: SearchRequest,
    isShown?: Scope['isShown'],
  ): Promise<readonly SearchResult[] | undefined> {
    return this.#lines[request.query.length > LONG ? 'long' : 'short'].run(async () => {
      const current = await this.#index.current()
      if (!current) return undefined
      const { versionId, sourceTypes = ['knowledge_file', 'upload'] } = request
      const indexes = sourceTypes.includes('knowledge_file') ? [current] : []
      let uploads: ChunkIndex | undefined
      if (versionId !== undefined) {
        if (sourceTypes.includes('upload')) uploads = await this.#uploadsOf(versionId)
        if (uploads) indexes.push(uploads)
        if (sourceTypes.some((type) => type !== 'knowledge_file' && type !== 'upload')) {
          indexes.push(await this.#versions.index(versionId, 'records'))
        }
      }
      const query = queryOf(request.query, current, indexes)
      const providers = versionId === undefined ? [] : await this.#providers(versionId)
      const meanings =
        (uploads || indexes.includes(current)) && !request.isFast
          ? await this.#vectors?.evidence(current, queryParts(request.query), uploads)
          : undefined
      const scope = { providers, isShown, meanings }
      return search(indexes, query, { ...request, sourceTypes }, scope)
    })
  }

  /** Undefined when uploads are not searched. */
  async #uploadsOf(versionId: string): Promise<ChunkIndex | undefined> {
    return this.reindexing.kept.with_uploads
      ? this.#versions.index(versionId, 'uploads')
      : undefined
  }

  /** Makes the vectors of a new upload in the background. */
  async uploaded(versionId: string): Promise<void> {
    try {
      const uploads = this.#vectors && (await this.#uploadsOf(versionId))
      if (uploads) this.#vectors?.makeUploads(uploads)
    } catch (error) {
      this.#options.logger.warn({ err: error }, 'vectors of an upload')
    }
  }

  async #providers(versionId: string): Promise<readonly string[]> {
    const rows = await this.#options.sql<Pick<Version, 'cloud_providers'>[]>`
      select cloud_providers from version where id = ${versionId}`
    return rows.flatMap(providersOf)
  }

  /**
   * Open checklist items related to a text, best first: at most five, with scores from 0.4. Those
   * that the version has covered or deferred, or that do not apply to it, are left out.
   */
  async suggestions(
    text: string,
    scope?: { readonly versionId: string },
  ): Promise<readonly Suggestion[]> {
    const isOpen = scope ? await this.#openItems(scope.versionId) : (): boolean => true
    const found = await this.search({ query: text, ...SUGGESTIONS, ...scope }, isOpen)
    return (found ?? []).map(({ source_file, checklist_item, priority, content, score }) => ({
      source_file,
      checklist_item: checklist_item ?? content,
      priority,
      score,
    }))
  }

  async #openItems(versionId: string): Promise<NonNullable<Scope['isShown']>> {
    const { sql, logger } = this.#options
    const rows = await sql<{ file: string; text: string; isOpen: boolean }[]>`
      select knowledge_file as file, item_text as text, bool_and(status = 'pending') as "isOpen"
      from coverage_item where version_id = ${versionId} group by knowledge_file, item_text`
    const recorded = new Map(
      rows.map(({ file, text, isOpen }) => [`${libraryPath(file)}\n${text}`, isOpen]),
    )
    const [version] = await sql<Pick<Version, 'facts'>[]>`
      select facts from version where id = ${versionId}`
    const conditionOf = await knownConditions(this.#library, logger)
    return (file, item) => {
      const isOpen = recorded.get(`${file}\n${item}`)
      if (isOpen !== undefined) return isOpen
      return exclusionBy(version.facts, conditionOf(file, item, 'critical'))?.status !== 'na'
    }
  }

  /** sorted by path */
  async files(): Promise<readonly KnowledgeFile[]> {
    return (await this.#library.paths()).map(knowledgeFile)
  }

  /** undefined for an unknown path */
  async file(path: string): Promise<string | undefined> {
    return (await this.#library.paths()).includes(path) ? this.#library.text(path) : undefined
  }

  /**
   * Items of the given files; unknown files have none.
   *
   * @param about  sorts those that fit a text best first, once there is an index
   */
  async checklist(files: readonly string[], about = ''): Promise<readonly ChecklistItem[]> {
    const items = await checklistOf(this.#library, files, this.#options.logger)
    const current = about === '' ? undefined : await this.#index.current()
    return current ? fittingFirst(items, about, current) : items
  }

  /** whether there is a usable index */
  async indexed(): Promise<boolean> {
    return (await this.#index.current()) !== undefined
  }

  async status(): Promise<IndexStatus> {
    const uploads = this.reindexing.kept.with_uploads
      ? await indexableUploads(this.#options.sql)
      : 0
    // Before the index, which a run replaces before it ends.
    const { kept, run } = this.reindexing
    const current = await this.#index.current()
    return {
      indexed: current !== undefined,
      total_embeddings: current?.chunks.length ?? 0,
      knowledge_file_count: current?.sources.length ?? 0,
      vendor_doc_count: 0,
      upload_count: uploads,
      last_indexed_at: kept.last_indexed_at,
      reindexing: run !== undefined,
      paused: run !== undefined && run.isPaused && run.ending === undefined,
      reindex_started_at: run ? run.startedAt.getTime() / 1000 : null,
      reindex_timeout: run?.timeoutSeconds ?? kept.timeout_seconds,
      reindex_last_result: kept.last_result,
      reindex_last_error: kept.last_error,
      progress: run?.progress ?? null,
      vectors: this.#vectors?.status ?? NO_VECTORS,
    }
  }

  /**
   * Removes the index.
   *
   * @returns number of its chunks
   * @throws {HttpError} 409 while a reindex runs
   */
  async clear(): Promise<number> {
    const { total_embeddings: chunks } = await this.status()
    await this.reindexing.clear()
    return chunks
  }

  /** Stops a running reindex; the present index stays. */
  async close(): Promise<void> {
    await this.reindexing.close()
    await this.#vectors?.close()
  }
}

export async function openKnowledge(options: KnowledgeOptions): Promise<Knowledge> {
  return new Knowledge(options, await keptState(options.sql))
}

async function knownConditions(library: Library, logger: Logger): Promise<Conditions> {
  return library.conditions().catch((error: unknown) => {
    logger.warn({ err: error }, 'the conditions of items are passed over')
    return conditionsOf('')
  })
}

async function checklistOf(
  library: Library,
  files: readonly string[],
  logger: Logger,
): Promise<readonly ChecklistItem[]> {
  const known = new Set(await library.paths())
  const conditionOf = await knownConditions(library, logger)
  const items: ChecklistItem[] = []
  for (const file of files.filter((path) => known.has(path))) {
    try {
      for (const { section, item, priority } of (await library.source(file)).chunks) {
        if (item === null || !priority) continue
        const condition = conditionOf(file, item, priority)
        items.push({ file, section, text: item, priority, condition })
      }
    } catch (error) {
      // An unreadable file must not block the gate.
      logger.warn({ err: error, file }, 'a knowledge file is passed over')
    }
  }
  return items
}

/** Items in the order of their scores; equal ones stay in theirs. */
async function fittingFirst(
  items: readonly ChecklistItem[],
  about: string,
  index: ChunkIndex,
): Promise<readonly ChecklistItem[]> {
  const all = await bestScores(index, queryOf(about, index))
  const fits = new Map(
    index.chunks.map(({ source, item }, i) => [`${source.name}\n${item}`, all[i]]),
  )
  const fit = ({ file, text }: ChecklistItem): number => fits.get(`${file}\n${text}`) ?? 0
  return items.toSorted((a, b) => fit(b) - fit(a))
}
