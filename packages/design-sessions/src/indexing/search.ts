import { hash } from 'node:crypto'
import { setImmediate } from 'node:timers/promises'
import { PUBLIC_CLOUDS, providersOf } from './applicable-files.ts'
import type { ChunkIndex, SourceText, SourcedChunk } from './chunk-index.ts'
import type { SearchRequest, SearchResult, SourceType } from './knowledge-items.ts'
import { type QueryPart, queryPart, scores } from './scoring.ts'
import type { Meanings } from './vectors.ts'
import { spellings, tokens } from '../words/tokens.ts'

/** A hit, as a number in its index. */
interface Hit {
  readonly index: ChunkIndex
  readonly chunk: number
  readonly score: number
}

/** The whole of a query, and its parts if there are several. */
export type Query = readonly QueryPart[]

/**
 * The parts of a text, with the weights of the library.
 *
 * @param others  further indexes that are searched
 */
export function queryOf(text: string, library: ChunkIndex, others?: readonly ChunkIndex[]): Query {
  if (tokens(text).length === 0) return []
  return queryParts(text).map((part) => queryPart(part, library, others))
}

/** What a search goes by beside its request. */
export interface Scope {
  readonly meanings?: Meanings | undefined
  /** of the project; files of others come later, unless the query names them */
  readonly providers?: readonly string[]
  /** whether an item is shown; without it passages are shown, too */
  readonly isShown?: ((file: string, item: string) => boolean) | undefined
}

/** The best results of some indexes, the library first; best first. */
export async function search(
  indexes: readonly ChunkIndex[],
  query: Query,
  request: SearchRequest,
  scope: Scope = {},
): Promise<readonly SearchResult[]> {
  if (query.length === 0) return []
  const found: Hit[] = []
  for (const index of indexes) {
    const all = await bestScores(index, query, scope.meanings)
    laterOthers(index, all, request.query, scope.providers ?? [])
    found.push(...shown(index, all, request, scope))
  }
  const spelt = spellings(request.query)
  return spread(found, request.topK).map((hit) => result(hit, spelt))
}

/** Score of a file of another provider than the project's, of its own. */
const OTHER_PROVIDER = 0.5

/**
 * Lowers the scores of files of providers that neither the project has nor the query names; without
 * a project, of public clouds beside those that the query names.
 */
function laterOthers(
  { sources, sourceOf }: ChunkIndex,
  all: Float32Array,
  query: string,
  providers: readonly string[],
): void {
  const words = query.toLowerCase().split(/[^a-z0-9]+/)
  const named = new Set([...providers, ...words, ...providersOf({ cloud_providers: words })])
  const hasProject = providers.length > 0
  if (!hasProject && ![...PUBLIC_CLOUDS].some((cloud) => named.has(cloud))) return
  const isOther = sources.map(({ name }) => {
    const provider = providerOf(name)
    return (
      provider !== undefined &&
      (hasProject || PUBLIC_CLOUDS.has(provider)) &&
      !provider.split('-').some((part) => named.has(part)) &&
      !named.has(provider)
    )
  })
  for (let chunk = 0; chunk < all.length; chunk++) {
    if (isOther[sourceOf[chunk]]) all[chunk] *= OTHER_PROVIDER
  }
}

/** The provider that a file of the library is about. */
function providerOf(name: string): string | undefined {
  const [, provider] = /^providers\/([^/]+)\//.exec(name) ?? []
  return provider ?? [...PUBLIC_CLOUDS].find((cloud) => name.startsWith(`frameworks/${cloud}-`))
}

/** Hits that show several files. */
const FIRST = 5

/** Chunks of a file among the first hits. */
const OF_ONE_FILE = 2

/**
 * The best hits, with at most two chunks of a file among the first five where there are others;
 * further ones follow with a score that is not above these.
 */
function spread(found: readonly Hit[], topK: number): readonly Hit[] {
  const sorted = found.toSorted((a, b) => b.score - a.score)
  const counts = new Map<SourceText, number>()
  const first: Hit[] = []
  const rest: Hit[] = []
  for (const hit of sorted) {
    const { source } = hit.index.chunks[hit.chunk]
    const count = counts.get(source) ?? 0
    const isFirst = first.length < FIRST && count < OF_ONE_FILE
    if (isFirst) counts.set(source, count + 1)
    ;(isFirst ? first : rest).push(hit)
  }
  const most = first.at(FIRST - 1)?.score ?? 1
  const later = rest.slice(0, topK).map((hit) => ({ ...hit, score: Math.min(hit.score, most) }))
  return [...first, ...later].slice(0, topK)
}

/** The best score of each chunk over all parts of the query. */
export async function bestScores(
  index: ChunkIndex,
  query: Query,
  meanings: Meanings = [],
): Promise<Float32Array> {
  const all = new Float32Array(index.chunks.length)
  for (const [i, part] of query.entries()) {
    const some = scores(index, part, meanings[i]?.get(index))
    for (let chunk = 0; chunk < all.length; chunk++) all[chunk] = Math.max(all[chunk], some[chunk])
    // Scoring a large library takes milliseconds and blocks other requests.
    await setImmediate()
  }
  return all
}

/** The chunks of an index that a request asks for. */
function shown(
  index: ChunkIndex,
  all: Float32Array,
  { minScore, excludeFiles = [], priority, sourceTypes }: SearchRequest,
  { isShown }: Scope,
): Hit[] {
  const excluded = new Set(excludeFiles)
  const isExcluded = index.sources.map(
    ({ name }) => excluded.has(name) || sourceTypes?.includes(typeOf(name)) === false,
  )
  const found: Hit[] = []
  for (const [chunk, score] of all.entries()) {
    if (shownScore(score) < minScore || isExcluded[index.sourceOf[chunk]]) continue
    const { priority: own, item, source } = index.chunks[chunk]
    if (priority !== undefined && own !== priority) continue
    if (isShown && (item === null || !isShown(source.name, item))) continue
    found.push({ index, chunk, score })
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

function result({ index, chunk, score }: Hit, spelt: ReadonlyMap<string, string>): SearchResult {
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
    matched_terms: matchedTerms(spelt, index, chunk),
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
  spelt: ReadonlyMap<string, string>,
  { inChunks, weight, word }: ChunkIndex,
  chunk: number,
): string[] {
  const found: { word: string; weight: number }[] = []
  for (const [stem, spelling] of spelt) {
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
