import { pauses } from '../pauses.ts'
import { errorText } from '../plain-text.ts'
import { type ChunkIndex, IndexBuilder, type SourceText } from './chunk-index.ts'
import type { Library } from './library.ts'

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
  readonly errors: string[]
}

/** The index of the library. */
export class LibraryIndex {
  readonly #library: Library
  readonly #builder = new IndexBuilder()
  readonly #onIndex: (index: ChunkIndex | undefined) => void
  #isIndexed: boolean
  #index: ChunkIndex | undefined
  #loading: Promise<void> | undefined

  /**
   * @param isIndexed  an earlier process has indexed the library
   * @param onIndex    called with each index that is searched from now on
   */
  constructor(
    library: Library,
    isIndexed: boolean,
    onIndex: (index: ChunkIndex | undefined) => void,
  ) {
    this.#library = library
    this.#onIndex = onIndex
    this.#isIndexed = isIndexed
  }

  /** The index, after a restart once it is loaded; undefined without one. */
  async current(): Promise<ChunkIndex | undefined> {
    if (this.#isIndexed && !this.#index) await (this.#loading ??= this.#load())
    return this.#index && this.#index.chunks.length > 0 ? this.#index : undefined
  }

  replace(index: ChunkIndex | undefined): void {
    this.#index = index
    this.#isIndexed = index !== undefined
    this.#onIndex(index)
  }

  async #load(): Promise<void> {
    try {
      const { index } = await this.build()
      // A run may have been faster.
      if (this.#isIndexed && !this.#index) this.replace(index)
    } catch {
      // A library that cannot be read is not indexed; the run at the start reports why.
    }
    this.#loading = undefined
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
        sources.push(await this.#library.source(path, { isFresh: force }))
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
