import type { ChunkIndex } from './chunk-index.ts'
import { DIMENSIONS } from '../sentences/sentence-model.ts'

/** Chunks of a source that stand for it: the nearest ones. */
const NEAREST = 3

/** Weights of how far a chunk and its source stand out, in deviations, and what is usual. */
const CHUNK_WEIGHT = 0.4
const SOURCE_WEIGHT = 0.5
const USUAL = 1.5

/**
 * What the meaning of a query says for each chunk, added to the evidence of its words: how far the
 * chunk and its source stand out among all by the angle to the query.
 *
 * @param vectors  of all chunks, one after the other
 * @param share    0-1, of the evidence that counts
 */
export function evidenceOf(
  { sources, sourceOf }: ChunkIndex,
  vectors: Int8Array,
  query: Int8Array,
  share: number,
): Float32Array {
  const near = new Float32Array(sourceOf.length)
  for (let chunk = 0; chunk < near.length; chunk++) {
    let sum = 0
    for (let d = 0, at = chunk * DIMENSIONS; d < DIMENSIONS; d++, at++)
      sum += vectors[at] * query[d]
    near[chunk] = sum
  }
  const best = sources.map((): number[] => [])
  for (const [chunk, value] of near.entries()) keepNearest(best[sourceOf[chunk]], value)
  const ofSources = Float32Array.from(
    best,
    (nearest) => nearest.reduce((sum, value) => sum + value, 0) / (nearest.length || 1),
  )
  const [chunks, files] = [deviations(near), deviations(ofSources)]
  return chunks.map(
    (chunk, i) => share * (CHUNK_WEIGHT * chunk + SOURCE_WEIGHT * files[sourceOf[i]] - USUAL),
  )
}

/** How many standard deviations each value is above the mean. */
function deviations(values: Float32Array): Float32Array {
  const mean = values.reduce((sum, value) => sum + value, 0) / values.length
  const variance = values.reduce((sum, value) => sum + (value - mean) ** 2, 0) / values.length
  const deviation = Math.sqrt(variance) || 1
  return values.map((value) => (value - mean) / deviation)
}

/** Adds a value to some of the highest ones, in descending order. */
function keepNearest(nearest: number[], value: number): void {
  if (nearest.length === NEAREST && value <= nearest[NEAREST - 1]) return
  let place = nearest.length
  while (place > 0 && nearest[place - 1] < value) place--
  nearest.splice(place, 0, value)
  if (nearest.length > NEAREST) nearest.pop()
}
