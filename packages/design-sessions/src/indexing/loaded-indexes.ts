import type postgres from 'postgres'
import type { EmbeddingProvider } from './embedding.ts'
import { generationBytes } from './generations.ts'
import { LibraryEmbedding } from './library-embedding.ts'
import { RemoteEmbedding, type RemoteEmbeddingOptions } from './remote-embedding.ts'
import { FORMAT, type StoredIndex, decodedIndex } from './stored-index.ts'
import { idsOf } from './chunk-index.ts'

/** Indexes of uploads that are kept in memory beside the library's. */
const UPLOAD_INDEXES_MAX = 8

/** An index in memory, ready to be searched. */
export interface LoadedIndex {
  readonly stored: StoredIndex
  readonly termIds: ReadonlyMap<string, number>
}

/** Indexes in memory by their generation; what is not there is read from the database once. */
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

  /** Puts a new index of the library in the place of the old one. */
  take(id: string, bytes: Uint8Array): void {
    this.#library = { id, index: Promise.resolve(loaded(bytes)) }
  }

  /** The library's index; undefined when another process has replaced that generation. */
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
    // The one that was asked for longest ago goes first.
    this.#uploads.delete(id)
    this.#uploads.set(id, index)
    const [oldest] = this.#uploads.keys()
    if (this.#uploads.size > UPLOAD_INDEXES_MAX) this.#uploads.delete(oldest)
    return index
  }

  /** What made an index; undefined when that was another provider, or another release. */
  provider(of: StoredIndex): EmbeddingProvider | undefined {
    if (of.format !== FORMAT) return undefined
    const { index } = of
    if (this.#provider?.of !== of) {
      const provider = this.#remote
        ? new RemoteEmbedding(this.#remote, {
            dims: index.vectors.length / (index.source.length || 1),
          })
        : new LibraryEmbedding(of.words ? { ...of.index, vectors: of.words } : undefined)
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
      // Not to be remembered.
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
