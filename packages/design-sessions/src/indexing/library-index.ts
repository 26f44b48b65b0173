import type postgres from 'postgres'
import { pauses } from '../pauses.ts'
import { errorText } from '../plain-text.ts'
import { type ChunkIndex, IndexBuilder, type SourceText } from './chunk-index.ts'
import type { Library } from './library.ts'
import { indexState } from './run-state.ts'

/** Errors in a result. */
const ERRORS_MAX = 100

/** Called often while an index is built; throws to end that. */
export interface Watch {
  onFile(): Promise<void>
  onChunks(done: number, total: number): Promise<void>
}

const UNWATCHED: Watch = { onFile: async () => {}, onChunks: async () => {} }

/** An index that has been built, and is not yet searched. */
export interface Built {
  readonly index: ChunkIndex
  readonly files: number
  /** new or changed items */
  readonly items: number
  readonly errors: readonly string[]
}

/** The index of the library in this process. The database holds which state it must have. */
export class LibraryIndex {
  readonly #sql: postgres.Sql
  readonly #library: Library
  readonly #builder = new IndexBuilder()
  #index: ChunkIndex | undefined
  #generation: string | undefined
  #refresh: { readonly generation: string; readonly done: Promise<void> } | undefined

  constructor(sql: postgres.Sql, library: Library) {
    this.#sql = sql
    this.#library = library
  }

  /** The index, brought up to date with other processes; undefined when there is none. */
  async current(): Promise<ChunkIndex | undefined> {
    const { generation, indexed } = await indexState(this.#sql)
    if (!indexed) return undefined
    if (this.#generation !== generation) {
      if (this.#refresh?.generation !== generation) {
        const done = this.build().then(({ index }) => this.replace(index, generation))
        this.#refresh = { generation, done: done.finally(() => (this.#refresh = undefined)) }
      }
      // A library that cannot be read is not indexed; the run of this process reports why.
      await this.#refresh?.done.catch(() => {})
    }
    return this.#index && this.#index.chunks.length > 0 ? this.#index : undefined
  }

  /** @param generation  the state of the database with this index */
  replace(index: ChunkIndex, generation: string): void {
    this.#index = index
    this.#generation = generation
  }

  /**
   * Builds an index of the library's present files.
   *
   * @param force  reads all files again
   */
  async build({
    force = false,
    watch = UNWATCHED,
  }: { readonly force?: boolean; readonly watch?: Watch } = {}): Promise<Built> {
    const sources: SourceText[] = []
    const errors: string[] = []
    for (const path of await this.#library.paths()) {
      await watch.onFile()
      try {
        sources.push(await this.#library.source(path, { anew: force }))
      } catch (error) {
        if (errors.length < ERRORS_MAX) errors.push(`${path}: ${errorText(error)}`)
      }
    }
    const total = sources.reduce((sum, { chunks }) => sum + chunks.length, 0)
    const index = await this.#builder.build(sources, pauses(), (done) =>
      watch.onChunks(done, total),
    )
    const before = new Set(force ? [] : itemsOf(this.#index?.sources ?? []))
    const items = itemsOf(sources).filter((item) => !before.has(item)).length
    return { index, files: sources.length, items, errors }
  }
}

/** Items with their places. */
function itemsOf(sources: readonly SourceText[]): string[] {
  return sources.flatMap(({ name, chunks }) =>
    chunks.flatMap(({ item, section }) => (item === null ? [] : [`${name}\n${section}\n${item}`])),
  )
}
