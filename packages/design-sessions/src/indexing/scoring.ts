import type { ChunkIndex } from './chunk-index.ts'
import type { EmbeddingProvider } from './embedding.ts'

/** What a text asks for, in the words of an index. */
export interface IndexQuery {
  /** terms of the index that the text holds, ascending */
  readonly terms: Uint32Array
  /** their weights squared */
  readonly knownMass: number
  /** the weights of all the text's words squared, known or not */
  readonly mass: number
  /** the weights of all the text's words */
  readonly weight: number
  /** words of the library that meanings were learnt from */
  readonly libraryTerms: number
  /** direction of the text's meaning, of length 1, or zero */
  readonly vector: Float32Array
}

/** Saturation of a word's count, and share of a chunk's length: the usual values of BM25. */
const SATURATION = 1.2
const LENGTH_SHARE = 0.75

/** How much the share of words in common adds to the likeness of meaning. */
const WORDS_SHARE = 0.3

/** What chunks have in common with anything. */
const BACKGROUND = 0.05

/** Below the first number of words, neighbourhood says nothing; from the second on, all it can. */
const TERMS_RAMP = [200, 1000] as const

/**
 * How well each chunk answers, mostly 0 to 1 and not yet rounded to that.
 *
 * Likeness of meaning × how much of the query the library knows, and a share for the query's own
 * words; above 0.5 is relevant. In a library of a few hundred words likeness of wording stands in.
 */
export function scores(
  index: ChunkIndex,
  query: IndexQuery,
  { knowsLibraryOnly }: Pick<EmbeddingProvider, 'knowsLibraryOnly'>,
): Float32Array {
  const count = index.source.length
  const out = new Float32Array(count)
  const known = Math.sqrt(query.knownMass / query.mass)
  const dense = knowsLibraryOnly ? ramp(query.libraryTerms) : 1
  if (dense > 0) {
    addLikeness(out, index.vectors, query.vector)
    for (let i = 0; i < count; i++) out[i] = dense * known * out[i]
  }
  if (dense < 1) addWordLikeness(out, index, query, (1 - dense) * known)
  addWordShare(out, index, query)
  for (let i = 0; i < count; i++) out[i] -= BACKGROUND
  return out
}

/** The share of neighbourhood in the likeness of two texts. */
function ramp(terms: number): number {
  const [none, all] = TERMS_RAMP
  return Math.min(1, Math.max(0, (terms - none) / (all - none)))
}

function addLikeness(out: Float32Array, vectors: Float32Array, query: Float32Array): void {
  const size = query.length
  for (let i = 0, at = 0; i < out.length; i++) {
    let a = 0
    let b = 0
    let c = 0
    let d = 0
    for (let k = 0; k < size; k += 4, at += 4) {
      a += vectors[at] * query[k]
      b += vectors[at + 1] * query[k + 1]
      c += vectors[at + 2] * query[k + 2]
      d += vectors[at + 3] * query[k + 3]
    }
    out[i] += a + b + c + d
  }
}

/** Cosine of weighted words. */
function addWordLikeness(
  out: Float32Array,
  index: ChunkIndex,
  { terms, knownMass }: IndexQuery,
  factor: number,
): void {
  const { weight, postingStart, postingChunk } = index
  if (knownMass === 0) return
  const squares = new Float32Array(out.length)
  for (let t = 0; t < weight.length; t++) {
    const square = weight[t] * weight[t]
    for (let p = postingStart[t]; p < postingStart[t + 1]; p++) squares[postingChunk[p]] += square
  }
  for (const t of terms) {
    const square = weight[t] * weight[t]
    for (let p = postingStart[t]; p < postingStart[t + 1]; p++) {
      const chunk = postingChunk[p]
      out[chunk] += (factor * square) / Math.sqrt(squares[chunk] * knownMass)
    }
  }
}

/**
 * BM25 as a share of what a chunk of nothing but the query's words would reach.
 *
 * @source Robertson, Zaragoza: The Probabilistic Relevance Framework: BM25 and Beyond (2009), 3.15
 */
function addWordShare(out: Float32Array, index: ChunkIndex, query: IndexQuery): void {
  const { weight, postingStart, postingChunk, postingCount, wordCount } = index
  let words = 0
  for (const count of wordCount) words += count
  const mean = words / wordCount.length
  for (const t of query.terms) {
    const share = (WORDS_SHARE * weight[t]) / query.weight
    for (let p = postingStart[t]; p < postingStart[t + 1]; p++) {
      const chunk = postingChunk[p]
      const count = postingCount[p]
      const length = 1 - LENGTH_SHARE + (LENGTH_SHARE * wordCount[chunk]) / mean
      out[chunk] += (share * count) / (count + SATURATION * length)
    }
  }
}
