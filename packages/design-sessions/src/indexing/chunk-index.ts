import type { Chunk } from './markdown.ts'
import type { Priority } from './knowledge-items.ts'
import { tokens } from './tokens.ts'
import { idsOf, termIds, vocabularyOf } from './vocabulary.ts'

/** A chunk with where it comes from. */
export interface SourcedChunk extends Chunk {
  /** path below the library's root, or `upload:{id}:{name}` */
  readonly source: string
  /** of the whole file */
  readonly title: string
}

/** Everything about a set of chunks that a search needs but their text. */
export interface ChunkIndex {
  readonly terms: readonly string[]
  /** how often each occurs */
  readonly frequency: Uint32Array
  /** how much each tells */
  readonly weight: Float32Array
  readonly weightOfUnknown: number
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
