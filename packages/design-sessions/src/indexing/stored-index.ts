import { createHash } from 'node:crypto'
import { deserialize, serialize } from 'node:v8'
import {
  type ChunkIndex,
  type SourcedChunk,
  idsOf,
  originsOf,
  postingsOf,
  wordsOf,
} from './chunk-index.ts'
import type { Checkpoint, ChunkCheckpoint, Corpus, EmbeddingProvider } from './embedding.ts'
import type { WordVectors } from './word-vectors.ts'

/** Changes with the encoding, so that another release indexes again. */
export const FORMAT = 1

/** An index as the database stores it. */
export interface StoredIndex {
  readonly format: number
  readonly provider: string
  readonly index: ChunkIndex
  /** of the library, by a provider that is trained on it */
  readonly words: WordVectors | null
  readonly hashes: readonly string[]
}

/** What the index of uploads needs of the library. */
export interface LibraryWords extends Pick<ChunkIndex, 'terms' | 'weight' | 'weightOfUnknown'> {
  /** null when the provider is not trained */
  readonly vectors: WordVectors | null
}

export function libraryWords({ index, words: vectors }: StoredIndex): LibraryWords {
  const { terms, weight, weightOfUnknown } = index
  return { terms, weight, weightOfUnknown, vectors }
}

export function encodedIndex(stored: StoredIndex): Uint8Array {
  return serialize(stored)
}

export function decodedIndex(bytes: Uint8Array): StoredIndex {
  return deserialize(bytes) as StoredIndex
}

/** SHA-256 of a chunk and its place. */
export function chunkHash(chunk: SourcedChunk): string {
  const { source, title, section, item, priority, content } = chunk
  return sha256(JSON.stringify([source, title, section, item, priority, content]))
}

/** Equal fingerprints mean equal indexes. */
export function fingerprintOf(provider: string, hashes: readonly string[]): string {
  return sha256([FORMAT, provider, ...hashes].join('\n'))
}

/** A chunk's id, the same in every index that holds it: a UUID of version 8. */
export function chunkId(hash: string, repetition: number): string {
  const digits = sha256(`${hash} ${repetition}`)
  const variant = (Number.parseInt(digits[16], 16) % 4) + 8
  const parts = [
    digits.slice(0, 8),
    digits.slice(8, 12),
    `8${digits.slice(13, 16)}`,
    `${variant.toString(16)}${digits.slice(17, 20)}`,
    digits.slice(20, 32),
  ]
  return parts.join('-')
}

function sha256(text: string): string {
  return createHash('sha256').update(text).digest('hex')
}

export interface Checkpoints {
  readonly step: Checkpoint
  readonly chunks: ChunkCheckpoint
}

/** Chunks between two checkpoints. */
const CHUNKS_PER_CHECK = 64

function corpusOf(chunks: readonly SourcedChunk[], step: Checkpoint): Corpus {
  const words = chunks.map((chunk, i) => {
    if (i % CHUNKS_PER_CHECK === 0) step('reading words')
    return wordsOf(chunk)
  })
  return { chunks, words, postings: postingsOf(words) }
}

/** The index of the library; trains the provider if it can be trained. */
export async function libraryIndex(
  chunks: readonly SourcedChunk[],
  provider: EmbeddingProvider,
  checkpoints: Checkpoints,
): Promise<StoredIndex> {
  const corpus = corpusOf(chunks, checkpoints.step)
  provider.fit?.(corpus, checkpoints.step)
  return { ...(await stored(corpus, provider, checkpoints)), words: provider.trained ?? null }
}

/** The index of uploads: words have their weights in the library. */
export function uploadIndex(
  chunks: readonly SourcedChunk[],
  provider: EmbeddingProvider,
  library: LibraryWords,
  checkpoints: Checkpoints,
): Promise<StoredIndex> {
  const { postings, ...corpus } = corpusOf(chunks, checkpoints.step)
  const ids = idsOf(library.terms)
  const { weightOfUnknown } = library
  const weight = Float32Array.from(postings.terms, (term) => {
    const id = ids.get(term)
    return id === undefined ? weightOfUnknown : library.weight[id]
  })
  const weighed = { ...corpus, postings: { ...postings, weight, weightOfUnknown } }
  return stored(weighed, provider, checkpoints)
}

async function stored(
  corpus: Corpus,
  provider: EmbeddingProvider,
  checkpoints: Checkpoints,
): Promise<StoredIndex> {
  const { chunks, postings } = corpus
  const vectors = await provider.embedChunks(corpus, checkpoints.chunks)
  return {
    format: FORMAT,
    provider: provider.id,
    index: { ...postings, ...originsOf(chunks), vectors },
    words: null,
    hashes: chunks.map(chunkHash),
  }
}
