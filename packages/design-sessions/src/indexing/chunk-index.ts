import type { Priority } from './knowledge-items.ts'
import type { Chunk } from './markdown.ts'
import { tokens } from './tokens.ts'

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

/** A chunk with where it comes from. */
export interface SourcedChunk extends Chunk {
  /** path below the library's root, or `upload:{id}:{name}` */
  readonly source: string
  /** of the whole file */
  readonly title: string
}

/** Everything about a set of chunks that a search needs but their text. */
export interface ChunkIndex extends Vocabulary {
  /** chunks that hold term t, ascending: postingStart[t] .. postingStart[t + 1] */
  readonly postingStart: Uint32Array
  readonly postingChunk: Uint32Array
  /** how often the chunk holds the term */
  readonly postingCount: Uint16Array
  /** words of each chunk, with those of its title, path and section */
  readonly wordCount: Uint32Array
  /** a direction per chunk, each of length 1 or zero */
  readonly vectors: Float32Array
  /** names of what the chunks come from, and which one each comes from */
  readonly sources: readonly string[]
  readonly source: Uint32Array
  /** place in {@link PRIORITIES} */
  readonly priority: Uint8Array
}

/** How an item's priority is written in an index. */
export const PRIORITIES: readonly (Priority | null)[] = [
  null,
  'critical',
  'recommended',
  'optional',
]

/** The words of a chunk, and those that say where it stands. */
export interface ChunkWords {
  readonly content: readonly string[]
  readonly place: readonly string[]
}

export function wordsOf({ content, title, source, section }: SourcedChunk): ChunkWords {
  const path = source.replace(/\.\w+$/, '').replaceAll(/[-_/]/g, ' ')
  return { content: tokens(content), place: tokens(`${title} ${path} ${section}`) }
}

/** All words of a chunk. */
export function allWords({ content, place }: ChunkWords): string[] {
  return [...place, ...content]
}

/** The parts of an index that depend on words alone. */
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

/** Where chunks come from and how much they matter, as an index holds it. */
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
