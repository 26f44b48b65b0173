import type { ChunkIndex } from './chunk-index.ts'
import type { Chunk } from './markdown.ts'

/** Texts that stand for a source, or for other topics: the nearest ones. */
const NEAREST = 3

/** Weights of how far a chunk and its source stand out, in deviations, and what is usual. */
const CHUNK_WEIGHT = 0.4
const SOURCE_WEIGHT = 0.7
const USUAL = 1.4

/** Weight of how much nearer other topics are than from where on they do not matter. */
const OTHERS_WEIGHT = 2
const OTHERS_FAR = 1.5

/** A section whose sentences are requests in everyday words: each has a meaning of its own. */
const REQUESTS = 'Typical Requests'

/** Characters of a sentence that is one. */
const REQUEST_MIN = 12

/** The texts whose vectors stand for a chunk. */
export function meaningsOf({ section, content }: Chunk): readonly string[] {
  if (section !== REQUESTS) return [content]
  const requests = content
    .split(/\n|(?<=[.!?])\s/)
    .map((line) => line.replace(/^\s*[-*+]\s/, '').trim())
    .filter(({ length }) => length >= REQUEST_MIN)
  return requests.length > 0 ? requests : [content]
}

/** Vectors of each source's texts, one after the other, or of the first ones; none of some. */
export type SourceVectors = readonly (Int8Array | undefined)[]

/** How near a query is to chunks and sources by the angle of their vectors. */
export interface Nearness {
  /** of each source's chunks */
  readonly chunks: readonly Float32Array[]
  readonly sources: Float32Array
  /** to the nearest texts of all */
  readonly nearest: number
}

export function nearness(
  { sources }: ChunkIndex,
  vectors: SourceVectors,
  query: Int8Array,
): Nearness {
  const texts = vectors.map((of) => products(of ?? new Int8Array(), query))
  const nearest = texts.map(nearestOf)
  return {
    chunks: texts.map((values, source) => ofChunks(sources[source].chunks, values)),
    sources: Float32Array.from(nearest, mean),
    nearest: mean(nearestOf(Float32Array.from(nearest.flat()))),
  }
}

/** The nearest text of each chunk, as far as there are vectors. */
function ofChunks(chunks: readonly Chunk[], values: Float32Array): Float32Array {
  const found: number[] = []
  for (let chunk = 0, at = 0; at < values.length; chunk++) {
    let nearest = -Infinity
    for (const end = at + meaningsOf(chunks[chunk]).length; at < end; at++) {
      nearest = Math.max(nearest, values[at])
    }
    found.push(nearest)
  }
  return Float32Array.from(found)
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

function nearestOf(values: Float32Array): number[] {
  return [...values.toSorted().subarray(-NEAREST)]
}

function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / (values.length || 1)
}

interface Spread {
  readonly mean: number
  readonly deviation: number
}

/** What is usual of chunks and sources, and how near the library and other topics are. */
export interface Usual {
  readonly chunks: Spread
  readonly sources: Spread
  readonly nearest: number
  readonly others: number
}

/** @param others  vectors of other topics */
export function usual(library: Nearness, others: Int8Array, query: Int8Array): Usual {
  return {
    chunks: spread(library.chunks),
    sources: spread([library.sources]),
    nearest: library.nearest,
    others: mean(nearestOf(products(others, query))),
  }
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
 * chunk and its source stand out from what is usual, less what speaks for other topics. Chunks
 * without vectors have no evidence.
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
  const nearest = Math.max(near.nearest, usually.nearest)
  const ahead = (nearest - usually.others) / usually.chunks.deviation
  const least = USUAL + OTHERS_WEIGHT * Math.max(0, OTHERS_FAR - ahead)
  let first = 0
  for (const [source, { chunks }] of sources.entries()) {
    const ofSource = SOURCE_WEIGHT * deviations(near.sources[source], usually.sources)
    for (const [i, value] of near.chunks[source].entries()) {
      const ofChunk = CHUNK_WEIGHT * deviations(value, usually.chunks)
      evidence[first + i] = share * (ofChunk + ofSource - least)
    }
    first += chunks.length
  }
  return evidence
}
