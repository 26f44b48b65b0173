import type { Priority } from './knowledge-items.ts'
import type { Chunk } from './markdown.ts'
import { tokens } from './tokens.ts'

/** The words of a set of chunks and their weights. */
export interface Vocabulary {
  /** most frequent first; the index of a word is its id */
  readonly terms: readonly string[]
  /** number of occurrences */
  readonly frequency: Uint32Array
  /** inverse document frequency */
  readonly weight: Float32Array
  /** weight of a word that is not in it */
  readonly weightOfUnknown: number
}

/** Words as ids, in order; unknown ones are left out. */
export function termIds(tokens: readonly string[], ids: ReadonlyMap<string, number>): Uint32Array {
  const found = tokens.map((token) => ids.get(token)).filter((id) => id !== undefined)
  return Uint32Array.from(found)
}

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
 * Inverse document frequency of a word.
 *
 * @source Robertson, Zaragoza: The Probabilistic Relevance Framework: BM25 and Beyond (2009), 3.3,
 *   with one added under the logarithm, which keeps it positive
 */
function inverseFrequency(chunks: number, all: number): number {
  return Math.log(1 + (all - chunks + 0.5) / (chunks + 0.5))
}

/** A chunk and its origin. */
export interface SourcedChunk extends Chunk {
  /** path below the library's root, or `upload:{id}:{name}` */
  readonly source: string
  /** of the file */
  readonly title: string
}

/** All data of a set of chunks that a search needs, except their texts. */
export interface ChunkIndex extends Vocabulary {
  /** chunks that hold term t, ascending: postingStart[t] .. postingStart[t + 1] */
  readonly postingStart: Uint32Array
  readonly postingChunk: Uint32Array
  /** occurrences of the term in the chunk */
  readonly postingCount: Uint16Array
  /** words of each chunk, including title, path and section */
  readonly wordCount: Uint32Array
  /** a unit vector or zero per chunk */
  readonly vectors: Float32Array
  /** names of the sources, and the source of each chunk */
  readonly sources: readonly string[]
  readonly source: Uint32Array
  /** index in {@link PRIORITIES} */
  readonly priority: Uint8Array
}

export const PRIORITIES: readonly (Priority | null)[] = [
  null,
  'critical',
  'recommended',
  'optional',
]

/** The words of a chunk, and those of its title, path and section. */
export interface ChunkWords {
  readonly content: readonly string[]
  readonly place: readonly string[]
}

export function wordsOf({ content, title, source, section }: SourcedChunk): ChunkWords {
  const path = source.replace(/\.\w+$/, '').replaceAll(/[-_/]/g, ' ')
  return { content: tokens(content), place: tokens(`${title} ${path} ${section}`) }
}

export function allWords({ content, place }: ChunkWords): string[] {
  return [...place, ...content]
}

/** The parts of an index that depend only on words. */
export type Postings = Omit<ChunkIndex, 'vectors' | 'sources' | 'source' | 'priority'>

export function postingsOf(words: readonly ChunkWords[]): Postings {
  const texts = words.map(allWords)
  const vocabulary = vocabularyOf(texts)
  const ids = idsOf(vocabulary.terms)
  const counts = texts.map((text) => termCounts(termIds(text, ids)))
  const size = vocabulary.terms.length
  const postingStart = new Uint32Array(size + 1)
  for (const found of counts) for (const term of found.keys()) postingStart[term + 1]++
  for (let t = 0; t < size; t++) postingStart[t + 1] += postingStart[t]
  const postingChunk = new Uint32Array(postingStart[size])
  const postingCount = new Uint16Array(postingStart[size])
  const next = postingStart.slice()
  for (const [chunk, found] of counts.entries()) {
    for (const [term, count] of found) {
      postingChunk[next[term]] = chunk
      postingCount[next[term]++] = Math.min(count, 0xff_ff)
    }
  }
  return {
    ...vocabulary,
    postingStart,
    postingChunk,
    postingCount,
    wordCount: Uint32Array.from(texts, (text) => text.length),
  }
}

function termCounts(words: Uint32Array): Map<number, number> {
  const counts = new Map<number, number>()
  for (const word of words) counts.set(word, (counts.get(word) ?? 0) + 1)
  return counts
}

/** The sources and priorities of an index. */
export function originsOf(
  chunks: readonly SourcedChunk[],
): Pick<ChunkIndex, 'sources' | 'source' | 'priority'> {
  const ids = new Map<string, number>()
  const source = Uint32Array.from(chunks, ({ source }) => {
    const id = ids.get(source) ?? ids.size
    ids.set(source, id)
    return id
  })
  const priority = Uint8Array.from(chunks, ({ priority }) => PRIORITIES.indexOf(priority))
  return { sources: [...ids.keys()], source, priority }
}
