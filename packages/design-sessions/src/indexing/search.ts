import { hash } from 'node:crypto'
import { setImmediate } from 'node:timers/promises'
import type { ChunkIndex, SourcedChunk } from './chunk-index.ts'
import type { SearchRequest, SearchResult, SourceType } from './knowledge-items.ts'
import { type Concept, conceptsOf, scores } from './scoring.ts'
import { spellings, tokens } from './tokens.ts'

/** A hit, as a number in its index. */
interface Hit {
  readonly index: ChunkIndex
  readonly chunk: number
  readonly score: number
}

/** A query in parts, each as its concepts. */
export type Query = readonly (readonly Concept[])[]

/** The parts of a text, with the weights of the library. */
export function queryOf(text: string, library: ChunkIndex): Query {
  if (tokens(text).length === 0) return []
  return queryParts(text).map((part) => conceptsOf(part, library))
}

/** The best results of some indexes, best first. */
export async function search(
  indexes: readonly ChunkIndex[],
  query: Query,
  request: SearchRequest,
): Promise<readonly SearchResult[]> {
  if (query.length === 0) return []
  const found: Hit[] = []
  for (const index of indexes) found.push(...best(index, await bestScores(index, query), request))
  const first = found.toSorted((a, b) => b.score - a.score).slice(0, request.topK)
  return first.map((hit) => result(hit, request.query))
}

/** The best score of each chunk over all parts of the query. */
export async function bestScores(index: ChunkIndex, query: Query): Promise<Float32Array> {
  const all = new Float32Array(index.chunks.length)
  for (const concepts of query) {
    const some = scores(index, concepts)
    for (let chunk = 0; chunk < all.length; chunk++) all[chunk] = Math.max(all[chunk], some[chunk])
    // Scoring a large library takes milliseconds and blocks other requests.
    await setImmediate()
  }
  return all
}

/** The best chunks of an index, best first; equal scores in its order. */
function best(
  index: ChunkIndex,
  all: Float32Array,
  { topK, minScore, excludeFiles = [], priority, sourceTypes }: SearchRequest,
): Hit[] {
  const excluded = new Set(excludeFiles)
  const isExcluded = index.sources.map(
    ({ name }) => excluded.has(name) || sourceTypes?.includes(typeOf(name)) === false,
  )
  const found: Hit[] = []
  for (const [chunk, score] of all.entries()) {
    if (found.length === topK && score <= found[topK - 1].score) continue
    if (shownScore(score) < minScore || isExcluded[index.sourceOf[chunk]]) continue
    if (priority !== undefined && index.chunks[chunk].priority !== priority) continue
    let place = found.length
    while (place > 0 && found[place - 1].score < score) place--
    found.splice(place, 0, { index, chunk, score })
    if (found.length > topK) found.pop()
  }
  return found
}

/** With four decimals. */
function shownScore(score: number): number {
  return Math.round(score * 10_000) / 10_000
}

function typeOf(name: string): SourceType {
  const [kind] = /^(?:upload|decision|question|document)(?=:)/.exec(name) ?? ['knowledge_file']
  return kind as SourceType
}

function result({ index, chunk, score }: Hit, query: string): SearchResult {
  const found = index.chunks[chunk]
  const { source, section, item, priority, content } = found
  return {
    id: chunkId(found),
    source_file: source.name,
    source_type: typeOf(source.name),
    section,
    checklist_item: item,
    priority,
    content,
    score: shownScore(score),
    matched_terms: matchedTerms(query, index, chunk),
  }
}

/** The same for the same text at the same place: a UUID of version 8. */
function chunkId({ source, section, content }: SourcedChunk): string {
  const digits = hash('sha256', JSON.stringify([source.name, section, content]))
  const parts = [digits.slice(0, 8), digits.slice(8, 12), `8${digits.slice(13, 16)}`]
  return [...parts, `8${digits.slice(17, 20)}`, digits.slice(20, 32)].join('-')
}

/** Words of a query in a chunk as they were written, highest weight first. */
function matchedTerms(
  query: string,
  { inChunks, weight, word }: ChunkIndex,
  chunk: number,
): string[] {
  const found: { word: string; weight: number }[] = []
  for (const [stem, spelling] of spellings(query)) {
    const number = word(stem)
    if (number === undefined) continue
    const texts = inChunks.text.subarray(inChunks.start[number], inChunks.start[number + 1])
    if (texts.includes(chunk)) found.push({ word: spelling, weight: weight[number] })
  }
  return found.toSorted((a, b) => b.weight - a.weight).map((one) => one.word)
}

/** Fewer words carry too little meaning. */
const PART_WORDS_MIN = 10

/** Each part scores every chunk. */
const PARTS_MAX = 8

/** After a sentence or a clause, and between lines. */
const ENDS = /(?<=[.!?;:])\s+|\n+/u

/**
 * Splits a long text into parts: the mean of a project's description is near none of its topics.
 *
 * @returns the text, followed by its parts if there are several
 */
export function queryParts(text: string): readonly string[] {
  const sentences = text.split(ENDS).map((words) => ({ words, count: tokens(words).length }))
  const total = sentences.reduce((sum, { count }) => sum + count, 0)
  const least = Math.max(PART_WORDS_MIN, total / PARTS_MAX)
  const parts: string[] = []
  let part: string[] = []
  let size = 0
  for (const { words, count } of sentences) {
    part.push(words)
    size += count
    if (size < least) continue
    parts.push(part.join(' '))
    part = []
    size = 0
  }
  if (size > 0) parts.push(part.join(' '))
  return parts.length > 1 ? [text, ...parts] : [text]
}
