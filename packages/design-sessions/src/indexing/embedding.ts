import type { ChunkWords, Postings, SourcedChunk } from './chunk-index.ts'
import type { WordVectors } from './word-vectors.ts'

/** Called often during a long computation; throws to cancel it. */
export type Checkpoint = (step: string) => void

/** A set of chunks and their words. */
export interface Corpus {
  readonly chunks: readonly SourcedChunk[]
  readonly words: readonly ChunkWords[]
  readonly postings: Postings
}

/** Turns texts into vectors; similar meanings have similar directions. */
export interface EmbeddingProvider {
  /** vectors of different ids cannot be compared */
  readonly id: string
  /** whether its vocabulary is that of the library only */
  readonly knowsLibraryOnly: boolean
  /** trains on the library, for providers without a trained model */
  fit?(library: Corpus, checkpoint: Checkpoint): void
  /** the result of the training */
  readonly trained?: WordVectors | undefined
  /** a vector per chunk, in sequence, each of length 1 or zero */
  embedChunks(corpus: Corpus, checkpoint: ChunkCheckpoint): Promise<Float32Array>
  /** of length 1, or zero; a cosine above 0.5 means that a chunk is relevant */
  embedQuery(text: string): Promise<Float32Array>
}

/** Called with the number of embedded chunks. */
export type ChunkCheckpoint = (chunks: number) => void
