import { allWords, idsOf, termIds } from './chunk-index.ts'
import type { Checkpoint, ChunkCheckpoint, Corpus, EmbeddingProvider } from './embedding.ts'
import type { LibraryWords } from './stored-index.ts'
import { tokens } from './tokens.ts'
import { DIMENSIONS, type WordVectors, meaning, scaleToUnit, wordVectors } from './word-vectors.ts'

/** Share of title, path and section in a chunk's vector. */
const PLACE_SHARE = 0.3

/** Changes whenever the computation changes. */
export const LIBRARY_EMBEDDING_ID = 'library-words-2'

interface FittedWords {
  readonly terms: readonly string[]
  readonly weight: Float32Array
  readonly vectors: WordVectors
}

/** Embedding without a trained model: vectors from the co-occurrence of words in the library. */
export class LibraryEmbedding implements EmbeddingProvider {
  readonly id: string = LIBRARY_EMBEDDING_ID
  readonly knowsLibraryOnly = true
  #words: FittedWords | undefined
  #ids: ReadonlyMap<string, number> = new Map()

  /** @param words  of an earlier training */
  constructor(words?: LibraryWords) {
    if (words?.vectors) this.#setWords({ ...words, vectors: words.vectors })
  }

  get trained(): WordVectors | undefined {
    return this.#words?.vectors
  }

  fit({ chunks, words, postings }: Corpus, checkpoint: Checkpoint): void {
    const ids = idsOf(postings.terms)
    const contents = words.map(({ content }) => termIds(content, ids))
    const files = Map.groupBy(words.keys(), (i) => chunks[i].source)
    const streams = [...files.values()].map((of) =>
      termIds(
        of.flatMap((i) => allWords(words[i])),
        ids,
      ),
    )
    this.#setWords({ ...postings, vectors: wordVectors(postings, streams, contents, checkpoint) })
  }

  embedChunks({ words }: Corpus, checkpoint: ChunkCheckpoint): Promise<Float32Array> {
    const { weight, vectors } = this.#fitted()
    const out = new Float32Array(words.length * DIMENSIONS)
    const place = new Float32Array(DIMENSIONS)
    for (const [i, chunk] of words.entries()) {
      checkpoint(i)
      const at = i * DIMENSIONS
      meaning(out, at, termIds(chunk.content, this.#ids), weight, vectors)
      meaning(place, 0, termIds(chunk.place, this.#ids), weight, vectors)
      for (let k = 0; k < DIMENSIONS; k++) out[at + k] += PLACE_SHARE * place[k]
      scaleToUnit(out, at)
    }
    return Promise.resolve(out)
  }

  embedQuery(text: string): Promise<Float32Array> {
    const { weight, vectors } = this.#fitted()
    const out = new Float32Array(DIMENSIONS)
    meaning(out, 0, termIds(tokens(text), this.#ids), weight, vectors)
    return Promise.resolve(out)
  }

  #setWords(words: FittedWords): void {
    this.#words = words
    this.#ids = idsOf(words.terms.slice(0, words.vectors.count))
  }

  #fitted(): FittedWords {
    if (!this.#words) throw new Error('The embedding has not been fitted.')
    return this.#words
  }
}
