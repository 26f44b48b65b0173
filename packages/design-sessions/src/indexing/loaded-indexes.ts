import type postgres from 'postgres'
import type { EmbeddingProvider } from './embedding.ts'
import { generationBytes } from './generations.ts'
import { LibraryEmbedding } from './library-embedding.ts'
import { RemoteEmbedding, type RemoteEmbeddingOptions } from './remote-embedding.ts'
import { FORMAT, type StoredIndex, decodedIndex, libraryWords } from './stored-index.ts'
import { idsOf } from './chunk-index.ts'

/** Indexes of uploads kept in memory. */
const UPLOAD_INDEXES_MAX = 8

/** An index in memory. */
export interface LoadedIndex {
  readonly stored: StoredIndex
  readonly termIds: ReadonlyMap<string, number>
}

/** Indexes in memory by generation, loaded from the database on demand. */
export class LoadedIndexes {
  readonly #sql: postgres.Sql
  readonly #remote: RemoteEmbeddingOptions | undefined
  #library: { readonly id: string; readonly index: Promise<LoadedIndex | undefined> } | undefined
  #provider: { readonly of: StoredIndex; readonly provider: EmbeddingProvider } | undefined
  readonly #uploads = new Map<string, Promise<LoadedIndex | undefined>>()

  constructor(sql: postgres.Sql, remote: RemoteEmbeddingOptions | undefined) {
    this.#sql = sql
    this.#remote = remote
  }

  /** Replaces the index of the library. */
  replaceLibrary(id: string, bytes: Uint8Array): void {
    this.#library = { id, index: Promise.resolve(loaded(bytes)) }
  }

  /** The library's index; undefined when another process has replaced it. */
  library(id: string): Promise<LoadedIndex | undefined> {
    if (this.#library?.id !== id) this.#library = { id, index: this.#load(id) }
    return this.#library.index
  }

  async stored(id: string): Promise<StoredIndex | undefined> {
    const index = await this.library(id)
    return index?.stored
  }

  /** The index of a version's uploads; undefined when another process has replaced it. */
  uploads(id: string): Promise<LoadedIndex | undefined> {
    const index = this.#uploads.get(id) ?? this.#load(id)
    // Least recently used entries are evicted first.
    this.#uploads.delete(id)
    this.#uploads.set(id, index)
    const [oldest] = this.#uploads.keys()
    if (this.#uploads.size > UPLOAD_INDEXES_MAX) this.#uploads.delete(oldest)
    return index
  }

  /**
   * The provider of an index; undefined when it is another provider or release than the present
   * one.
   */
  provider(of: StoredIndex): EmbeddingProvider | undefined {
    if (of.format !== FORMAT) return undefined
    const { index } = of
    if (this.#provider?.of !== of) {
      const provider = this.#remote
        ? new RemoteEmbedding(this.#remote, {
            dims: index.vectors.length / (index.source.length || 1),
          })
        : new LibraryEmbedding(libraryWords(of))
      this.#provider = { of, provider }
    }
    const { provider } = this.#provider
    return provider.id === of.provider ? provider : undefined
  }

  async #load(id: string): Promise<LoadedIndex | undefined> {
    try {
      const bytes = await generationBytes(this.#sql, id)
      return bytes && loaded(bytes)
    } catch (error) {
      // Failures are not cached.
      if (this.#library?.id === id) this.#library = undefined
      this.#uploads.delete(id)
      throw error
    }
  }
}

function loaded(bytes: Uint8Array): LoadedIndex {
  const stored = decodedIndex(bytes)
  return { stored, termIds: idsOf(stored.index.terms) }
}
