import type { ChunkWords, Postings, SourcedChunk } from './chunk-index.ts'
import type { WordVectors } from './word-vectors.ts'

/** Called often while something long is computed; throws when it is to be given up. */
export type Checkpoint = (step: string) => void

/** A set of chunks, taken apart into words. */
export interface Corpus {
  readonly chunks: readonly SourcedChunk[]
  readonly words: readonly ChunkWords[]
  readonly postings: Postings
}

/** Turns texts into directions: alike in meaning, alike in direction. */
export interface EmbeddingProvider {
  /** another id means that no vector can be compared with those of before */
  readonly id: string
  /** whether it knows no words but those of the library */
  readonly knowsLibraryOnly: boolean
  /** learns from the library; for providers that come untrained */
  fit?(library: Corpus, checkpoint: Checkpoint): void
  /** what it has learnt, if it learns */
  readonly learnt?: WordVectors | undefined
  /** a vector per chunk, one behind the other, each of length 1 or zero */
  embedChunks(corpus: Corpus, checkpoint: ChunkCheckpoint): Promise<Float32Array>
  /** of length 1, or zero; its cosine with a chunk's vector is above 0.5 when that is relevant */
  embedQuery(text: string): Promise<Float32Array>
}

/** Called with how many chunks are done. */
export type ChunkCheckpoint = (chunks: number) => void
