import { positiveMutualInformation } from './cooccurrence.ts'
import { spectrum } from './spectrum.ts'
import type { Vocabulary } from './chunk-index.ts'

export const DIMENSIONS = 256

/** A single occurrence gives no neighbourhood. */
const FREQUENCY_MIN = 2

/** Limits memory: 30,000 × 256 numbers are 30 MB. */
const WORDS_MAX = 30_000

/** Power iterations for the common direction. */
const COMMON_ROUNDS = 30

/** Vectors of words: similar neighbourhoods give similar vectors. */
export interface WordVectors {
  /** the first words of the vocabulary */
  readonly count: number
  /** count × {@link DIMENSIONS} */
  readonly values: Float32Array
}

/**
 * Trains word vectors: factors the mutual information of neighbours, then removes the direction
 * that all chunks have in common.
 *
 * @param streams  word ids of whole files, for neighbourhood
 * @param chunks   word ids of each chunk
 * @source Arora, Liang, Ma: A Simple but Tough-to-Beat Baseline for Sentence Embeddings, ICLR 2017
 */
export function wordVectors(
  { frequency, weight }: Vocabulary,
  streams: readonly Uint32Array[],
  chunks: readonly Uint32Array[],
  checkpoint: (step: string) => void,
): WordVectors {
  let count = 0
  while (count < Math.min(frequency.length, WORDS_MAX) && frequency[count] >= FREQUENCY_MIN) count++
  const matrix = positiveMutualInformation(streams, count, () => checkpoint('counting neighbours'))
  const { values: sizes, vectors } = spectrum(matrix, DIMENSIONS, () => checkpoint('factoring'))
  const values = new Float32Array(count * DIMENSIONS)
  for (let w = 0; w < count; w++) {
    for (let k = 0; k < vectors.columns; k++) {
      values[w * DIMENSIONS + k] = vectors.values[w * vectors.columns + k] * sizes[k]
    }
  }
  const fitted = { count, values }
  removeDirection(fitted, commonDirection(fitted, weight, chunks, checkpoint))
  return fitted
}

/**
 * The weighted sum of the words' vectors, at length 1.
 *
 * @param out  Float32Array, from `at` on; zero when no word has a vector
 */
export function meaning(
  out: Float32Array,
  at: number,
  words: Uint32Array,
  weight: Float32Array,
  { count, values }: WordVectors,
): void {
  out.fill(0, at, at + DIMENSIONS)
  for (const word of words) {
    if (word >= count) continue
    const from = word * DIMENSIONS
    for (let k = 0; k < DIMENSIONS; k++) out[at + k] += weight[word] * values[from + k]
  }
  scaleToUnit(out, at)
}

/** Scales a vector to length 1; zero stays zero. */
export function scaleToUnit(vector: Float32Array, at: number): void {
  let square = 0
  for (let k = at; k < at + DIMENSIONS; k++) square += vector[k] * vector[k]
  if (square === 0) return
  const length = Math.sqrt(square)
  for (let k = at; k < at + DIMENSIONS; k++) vector[k] /= length
}

/** The first principal direction of the chunks, by power iteration. */
function commonDirection(
  vectors: WordVectors,
  weight: Float32Array,
  chunks: readonly Uint32Array[],
  checkpoint: (step: string) => void,
): Float32Array {
  const means = new Float32Array(chunks.length * DIMENSIONS)
  for (const [i, words] of chunks.entries()) {
    meaning(means, i * DIMENSIONS, words, weight, vectors)
  }
  const direction = new Float32Array(DIMENSIONS).fill(1)
  for (let round = 0; round < COMMON_ROUNDS; round++) {
    checkpoint('finding what all have in common')
    const next = new Float32Array(DIMENSIONS)
    for (let i = 0; i < means.length; i += DIMENSIONS) {
      let along = 0
      for (let k = 0; k < DIMENSIONS; k++) along += means[i + k] * direction[k]
      for (let k = 0; k < DIMENSIONS; k++) next[k] += along * means[i + k]
    }
    scaleToUnit(next, 0)
    direction.set(next)
  }
  return direction
}

function removeDirection({ count, values }: WordVectors, direction: Float32Array): void {
  for (let w = 0; w < count; w++) {
    const at = w * DIMENSIONS
    let along = 0
    for (let k = 0; k < DIMENSIONS; k++) along += values[at + k] * direction[k]
    for (let k = 0; k < DIMENSIONS; k++) values[at + k] -= along * direction[k]
  }
}
