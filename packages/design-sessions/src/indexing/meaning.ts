import type { ChunkIndex } from './chunk-index.ts'

/** Chunks of a source that stand for it: the nearest ones. */
const NEAREST = 3

/** Weights of how far a chunk and its source stand out, in deviations, and what is usual. */
const CHUNK_WEIGHT = 0.4
const SOURCE_WEIGHT = 0.5
const USUAL = 1.5

/** Vectors of each source's chunks, one after the other, or of the first ones; none of some. */
export type SourceVectors = readonly (Int8Array | undefined)[]

/** How near a query is to chunks and sources by the angle of their vectors. */
export interface Nearness {
  /** of each source's chunks */
  readonly chunks: readonly Float32Array[]
  readonly sources: Float32Array
}

export function nearness(vectors: SourceVectors, query: Int8Array): Nearness {
  const chunks = vectors.map((of) => products(of ?? new Int8Array(), query))
  return { chunks, sources: Float32Array.from(chunks, meanOfNearest) }
}

/** The scalar products of vectors with another one. */
function products(vectors: Int8Array, query: Int8Array): Float32Array {
  const found = new Float32Array(vectors.length / query.length)
  for (let chunk = 0, at = 0; chunk < found.length; chunk++) {
    let sum = 0
    for (let d = 0; d < query.length; d++, at++) sum += vectors[at] * query[d]
    found[chunk] = sum
  }
  return found
}

function meanOfNearest(chunks: Float32Array): number {
  const nearest = chunks.toSorted().subarray(-NEAREST)
  return nearest.reduce((sum, value) => sum + value, 0) / (nearest.length || 1)
}

interface Spread {
  readonly mean: number
  readonly deviation: number
}

/** What is usual of chunks and sources. */
export interface Usual {
  readonly chunks: Spread
  readonly sources: Spread
}

export function usual({ chunks, sources }: Nearness): Usual {
  return { chunks: spread(chunks), sources: spread([sources]) }
}

function spread(parts: readonly Float32Array[]): Spread {
  const sum = (value: (one: number) => number): number =>
    parts.reduce((total, part) => part.reduce((s, one) => s + value(one), total), 0)
  const count = parts.reduce((total, { length }) => total + length, 0)
  const mean = sum((one) => one) / count
  return { mean, deviation: Math.sqrt(sum((one) => (one - mean) ** 2) / count) || 1 }
}

/**
 * What the meaning of a query says for each chunk, added to the evidence of its words: how far the
 * chunk and its source stand out from what is usual. Chunks without vectors have no evidence.
 *
 * @param usually  of the library, also for other texts: these are too few to say what is usual
 * @param share    0-1, of the evidence that counts
 */
export function evidenceOf(
  { sources, chunks: { length } }: ChunkIndex,
  near: Nearness,
  usually: Usual,
  share: number,
): Float32Array {
  const evidence = new Float32Array(length)
  const deviations = (value: number, { mean, deviation }: Spread): number =>
    (value - mean) / deviation
  let first = 0
  for (const [source, { chunks }] of sources.entries()) {
    const ofSource = SOURCE_WEIGHT * deviations(near.sources[source], usually.sources)
    for (const [i, value] of near.chunks[source].entries()) {
      const ofChunk = CHUNK_WEIGHT * deviations(value, usually.chunks)
      evidence[first + i] = share * (ofChunk + ofSource - USUAL)
    }
    first += chunks.length
  }
  return evidence
}
