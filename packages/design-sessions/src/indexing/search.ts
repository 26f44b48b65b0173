import { setImmediate } from 'node:timers/promises'
import type postgres from 'postgres'
import { PRIORITIES } from './chunk-index.ts'
import type { EmbeddingProvider } from './embedding.ts'
import { type ChunkText, chunkTexts, generationsFor } from './generations.ts'
import type { SearchRequest, SearchResult } from './knowledge-items.ts'
import type { LoadedIndex, LoadedIndexes } from './loaded-indexes.ts'
import { type IndexQuery, scores } from './scoring.ts'
import { spellings, tokens } from './tokens.ts'

/** Attempts when the index is replaced during a search. */
const ATTEMPTS_MAX = 3

/** A hit without its text. */
interface Hit {
  readonly generation: string
  readonly index: LoadedIndex
  readonly ordinal: number
  readonly score: number
}

/** @returns undefined without an index */
export async function search(
  sql: postgres.Sql,
  indexes: LoadedIndexes,
  request: SearchRequest,
): Promise<readonly SearchResult[] | undefined> {
  for (let attempt = 1; ; attempt++) {
    const found = await hits(sql, indexes, request)
    if (!found) return undefined
    const texts = await textsOf(sql, found)
    const results = found.flatMap((hit, i) => result(hit, texts[i], request) ?? [])
    // Texts disappear with their upload, or when the index is replaced.
    if (results.length === found.length || attempt === ATTEMPTS_MAX) return results
  }
}

async function hits(
  sql: postgres.Sql,
  indexes: LoadedIndexes,
  request: SearchRequest,
): Promise<readonly Hit[] | undefined> {
  const generations = await generationsFor(sql, request.versionId)
  if (!generations.library || generations.library.chunks === 0) return undefined
  const library = await indexes.library(generations.library.id)
  const provider = library && indexes.provider(library.stored)
  if (!provider) return undefined
  if (tokens(request.query).length === 0) return []
  // A trained model understands a long text as a whole, and each call may cost money.
  const texts = provider.knowsLibraryOnly ? queryParts(request.query) : [request.query]
  const queries: PreparedQuery[] = []
  for (const text of texts) {
    queries.push(preparedQuery(text, library, provider, await provider.embedQuery(text)))
  }
  const inIndex = async (id: string, index: LoadedIndex): Promise<Hit[]> =>
    best(id, index, await bestScores(index, queries, provider), request)
  const found = await inIndex(generations.library.id, library)
  if (generations.uploads) {
    const { id } = generations.uploads
    const uploads = await indexes.uploads(id)
    if (uploads) found.push(...(await inIndex(id, uploads)))
  }
  return found.toSorted((a, b) => b.score - a.score).slice(0, request.topK)
}

/** A query for the library, or for the uploads beside it. */
type PreparedQuery = (of: LoadedIndex) => IndexQuery

function preparedQuery(
  text: string,
  library: LoadedIndex,
  { knowsLibraryOnly }: EmbeddingProvider,
  vector: Float32Array,
): PreparedQuery {
  const words = [...new Set(tokens(text))]
  const { weight, weightOfUnknown, terms: libraryTerms } = library.stored.index
  return (of) => {
    const query = { mass: 0, knownMass: 0, weight: 0 }
    const terms: number[] = []
    for (const word of words) {
      const known = library.termIds.get(word)
      const own = of.termIds.get(word)
      const wordWeight = known === undefined ? weightOfUnknown : weight[known]
      query.weight += wordWeight
      query.mass += wordWeight * wordWeight
      if ((known ?? own) !== undefined) query.knownMass += wordWeight * wordWeight
      if (own !== undefined) terms.push(own)
    }
    if (!knowsLibraryOnly) query.knownMass = query.mass
    return {
      ...query,
      libraryTerms: libraryTerms.length,
      terms: Uint32Array.from(terms).toSorted(),
      vector,
    }
  }
}

/** The best score of each chunk over all parts of the query. */
async function bestScores(
  index: LoadedIndex,
  queries: readonly PreparedQuery[],
  provider: EmbeddingProvider,
): Promise<Float32Array> {
  const all = new Float32Array(index.stored.index.source.length).fill(-Infinity)
  for (const query of queries) {
    const some = scores(index.stored.index, query(index), provider)
    for (let chunk = 0; chunk < all.length; chunk++) all[chunk] = Math.max(all[chunk], some[chunk])
    // Scoring a large library takes milliseconds and blocks other requests.
    await setImmediate()
  }
  return all
}

/** The best chunks of an index, best first; equal scores in the order of the library. */
function best(
  generation: string,
  index: LoadedIndex,
  all: Float32Array,
  { topK, minScore, excludeFiles = [], priority }: SearchRequest,
): Hit[] {
  const { sources, source, priority: priorities } = index.stored.index
  const excluded = new Set(excludeFiles)
  const isExcluded = sources.map((name) => excluded.has(name))
  const wanted = priority === undefined ? undefined : PRIORITIES.indexOf(priority)
  const found: Hit[] = []
  for (const [ordinal, score] of all.entries()) {
    if (found.length === topK && score <= found[topK - 1].score) continue
    if (shownScore(score) < minScore || isExcluded[source[ordinal]]) continue
    if (wanted !== undefined && priorities[ordinal] !== wanted) continue
    let place = found.length
    while (place > 0 && found[place - 1].score < score) place--
    found.splice(place, 0, { generation, index, ordinal, score })
    if (found.length > topK) found.pop()
  }
  return found
}

/** Clamped to 0-1, with four decimals. */
function shownScore(score: number): number {
  return Math.round(Math.min(1, Math.max(0, score)) * 10_000) / 10_000
}

async function textsOf(
  sql: postgres.Sql,
  found: readonly Hit[],
): Promise<readonly (ChunkText | undefined)[]> {
  const texts = new Map<string, ReadonlyMap<number, ChunkText>>()
  for (const [generation, of] of Map.groupBy(found, ({ generation }) => generation)) {
    const ordinals = of.map(({ ordinal }) => ordinal)
    texts.set(generation, await chunkTexts(sql, generation, ordinals))
  }
  return found.map(({ generation, ordinal }) => texts.get(generation)?.get(ordinal))
}

function result(
  { index, ordinal, score }: Hit,
  text: ChunkText | undefined,
  { query }: SearchRequest,
): SearchResult | undefined {
  if (!text) return undefined
  const { ordinal: _, ...shown } = text
  return {
    ...shown,
    source_type: text.source_file.startsWith('upload:') ? 'upload' : 'knowledge_file',
    score: shownScore(score),
    matched_terms: matchedTerms(query, index, ordinal),
  }
}

/** Words of a query in a chunk as they were written, highest weight first. */
function matchedTerms(query: string, { stored, termIds }: LoadedIndex, chunk: number): string[] {
  const { postingStart, postingChunk, weight } = stored.index
  const found: { word: string; weight: number }[] = []
  for (const [token, word] of spellings(query)) {
    const id = termIds.get(token)
    if (id === undefined) continue
    if (holds(postingChunk, postingStart[id], postingStart[id + 1], chunk)) {
      found.push({ word, weight: weight[id] })
    }
  }
  return found.toSorted((a, b) => b.weight - a.weight).map(({ word }) => word)
}

/** Binary search in a range of ascending numbers. */
function holds(numbers: Uint32Array, from: number, to: number, sought: number): boolean {
  let low = from
  let high = to
  while (low < high) {
    const middle = (low + high) >>> 1
    if (numbers[middle] < sought) low = middle + 1
    else high = middle
  }
  return low < to && numbers[low] === sought
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
