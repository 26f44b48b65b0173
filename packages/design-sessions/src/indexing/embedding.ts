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
  /** numbers per vector; 0 until that is known */
  readonly dims: number
  /** whether it knows no words but those of the library */
  readonly knowsLibraryOnly: boolean
  /** learns from the library; for providers that come untrained */
  fit?(library: Corpus, checkpoint: Checkpoint): void
  /** what it has learnt, if it learns */
  readonly learnt?: WordVectors | undefined
  /** chunks × {@link dims}, each of length 1 or zero */
  embedChunks(corpus: Corpus, checkpoint: ChunkCheckpoint): Promise<Float32Array>
  /** of length 1, or zero when the text says nothing */
  embedQuery(text: string): Promise<Float32Array>
  /** the share of 0 to 1 that a cosine means; above 0.5 is relevant */
  calibrate(cosine: number): number
}

/** Called with how many chunks are done. */
export type ChunkCheckpoint = (chunks: number) => void
