import type { ChunkIndex } from './chunk-index.ts'
import type { EmbeddingProvider } from './embedding.ts'

/** A query in terms of an index. */
export interface IndexQuery {
  /** terms of the index in the text, ascending */
  readonly terms: Uint32Array
  /** sum of their squared weights */
  readonly knownMass: number
  /** sum of squared weights of all words */
  readonly mass: number
  /** sum of weights of all words */
  readonly weight: number
  /** size of the library's vocabulary */
  readonly libraryTerms: number
  /** unit vector of the text's meaning, or zero */
  readonly vector: Float32Array
}

/** Saturation of term frequency and length normalisation: the usual values of BM25. */
const SATURATION = 1.2
const LENGTH_SHARE = 0.75

/** Weight of BM25 beside the cosine. */
const WORDS_SHARE = 0.3

/** Score that unrelated texts have. */
const BACKGROUND = 0.05

/** Size of a vocabulary below which co-occurrence is not used, and from which it is used fully. */
const TERMS_RAMP = [200, 1000] as const

/**
 * Scores of all chunks, mostly 0 to 1, not clamped; above 0.5 is relevant.
 *
 * Cosine × known share of the query + weighted BM25. A library of a few hundred words uses the
 * cosine of weighted words instead.
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

/** Share of co-occurrence in the similarity. */
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
 * BM25 relative to a chunk that consists only of the query's words.
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
