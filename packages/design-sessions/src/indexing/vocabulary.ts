/** The words of a set of chunks and how much each one tells. */
export interface Vocabulary {
  /** most frequent first; a word's place is its id */
  readonly terms: readonly string[]
  /** how often each occurs */
  readonly frequency: Uint32Array
  /** inverse document frequency */
  readonly weight: Float32Array
  /** what a word weighs that is not in it */
  readonly weightOfUnknown: number
}

/** The chunks' words as ids, in order; those that are not in the vocabulary are left out. */
export function termIds(tokens: readonly string[], ids: ReadonlyMap<string, number>): Uint32Array {
  const found = tokens.map((token) => ids.get(token)).filter((id) => id !== undefined)
  return Uint32Array.from(found)
}

/** The id of each term. */
export function idsOf(terms: readonly string[]): Map<string, number> {
  return new Map(terms.map((term, id) => [term, id]))
}

/** @param texts  words of each chunk */
export function vocabularyOf(texts: readonly (readonly string[])[]): Vocabulary {
  const found = new Map<string, { frequency: number; chunks: number; last: number }>()
  for (const [index, text] of texts.entries()) {
    for (const token of text) {
      let entry = found.get(token)
      if (!entry) found.set(token, (entry = { frequency: 0, chunks: 0, last: -1 }))
      entry.frequency++
      if (entry.last !== index) entry.chunks++
      entry.last = index
    }
  }
  const sorted = [...found].toSorted(
    ([a, { frequency: ofA }], [b, { frequency: ofB }]) => ofB - ofA || (a < b ? -1 : 1),
  )
  return {
    terms: sorted.map(([term]) => term),
    frequency: Uint32Array.from(sorted, ([, { frequency }]) => frequency),
    weight: Float32Array.from(sorted, ([, { chunks }]) => inverseFrequency(chunks, texts.length)),
    weightOfUnknown: inverseFrequency(0, texts.length),
  }
}

/**
 * How much it tells that a word occurs which occurs in some of all chunks.
 *
 * @source Robertson, Zaragoza: The Probabilistic Relevance Framework: BM25 and Beyond (2009), 3.3,
 *   with one added under the logarithm, which keeps it positive
 */
function inverseFrequency(chunks: number, all: number): number {
  return Math.log(1 + (all - chunks + 0.5) / (chunks + 0.5))
}
