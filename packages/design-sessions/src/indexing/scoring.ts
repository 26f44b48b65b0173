import type { ChunkIndex, Postings } from './chunk-index.ts'
import { RELATED } from '../words/related-words.ts'
import { significantShare, tokens } from '../words/tokens.ts'

/** A word of a query and those that may stand in its place. */
export interface Concept {
  readonly stem: string
  readonly weight: number
  readonly related: readonly Variant[]
}

/** A query, or a part of a long one. */
export interface QueryPart {
  readonly concepts: readonly Concept[]
  /** 0-1: how far a text that holds all its words answers it */
  readonly literalShare: number
}

interface Variant {
  readonly stem: string
  /** how far it stands for the word of the query, 0-1 */
  readonly share: number
}

/** Share of a related word in the place of the word itself. */
const RELATED_SHARE = 0.6

/** Share of significant words from which a text that holds all of them answers a query. */
const SIGNIFICANT_MIN = 2 / 3

/** Words of a query that count, those of highest weight: each takes time. */
const CONCEPTS_MAX = 64

/** A query of so few words looks for each of them: an unknown one does not hide the others. */
const FEW = 2
const UNKNOWN_AMONG_FEW = 0.03

/**
 * A query with its words; those that the library does not know are rare ones.
 *
 * @param others  further indexes that are searched
 */
export function queryPart(
  text: string,
  library: ChunkIndex,
  others: readonly ChunkIndex[] = [],
): QueryPart {
  const stems = [...new Set(tokens(text))]
  const isKnown = (stem: string): boolean => others.some(({ word }) => word(stem) !== undefined)
  const all = stems.map((stem) => {
    const share = stems.length > FEW || isKnown(stem) ? 1 : UNKNOWN_AMONG_FEW
    return conceptOf(stem, library, share * library.weightOfUnknown)
  })
  return {
    concepts: all.toSorted((a, b) => b.weight - a.weight).slice(0, CONCEPTS_MAX),
    literalShare: Math.min(1, significantShare(text) / SIGNIFICANT_MIN),
  }
}

/** @param unknown  weight of a word that is not known */
function conceptOf(stem: string, library: ChunkIndex, unknown: number): Concept {
  const own = known([stem], library).at(0)?.weight
  const similar = own === undefined && !RELATED.has(stem) ? library.similar(stem) : []
  const named = similar.length > 0 ? similar[0].stem : stem
  const related = known([...(RELATED.get(named) ?? [])], library)
  const others = [
    ...related,
    ...known(
      similar.map((other) => other.stem),
      library,
    ),
  ]
  const mean = others.reduce((sum, other) => sum + other.weight, 0) / others.length
  const weight = own ?? (others.length > 0 ? Math.min(library.weightOfUnknown, mean) : unknown)
  return {
    stem,
    weight,
    related: related.map((other) => ({
      stem: other.stem,
      share: RELATED_SHARE * Math.min(1, other.weight / weight),
    })),
  }
}

/** The words among some that an index knows, with their weights. */
function known(
  stems: readonly string[],
  { word, weight }: ChunkIndex,
): readonly { readonly stem: string; readonly weight: number }[] {
  return stems.flatMap((stem) => {
    const number = word(stem)
    return number === undefined ? [] : [{ stem, weight: weight[number] }]
  })
}

/** Saturation of term frequency and length normalisation of BM25: usual, and for whole sources. */
const CHUNKS = { saturation: 1.2, lengthShare: 0.75 }
const SOURCES = { saturation: 20, lengthShare: 0.75 }

/** The background of a library: high scores count more, and a few sources of nothing are added. */
const BACKGROUND = { power: 4, sources: 10, least: 0.03 }

/** Weights of a chunk's match and of its source's, beside the source's ratio to the background. */
const CHUNK_WEIGHT = 3
const SOURCE_WEIGHT = -4

/** Weight of a query's length up to some words: many say more, and stand out less. */
const LENGTH_WEIGHT = 0.8
const LENGTH_MAX = 20

/** Evidence at which half of the chunks are relevant, and the steepness there. */
const EVEN = 3.31
const STEEPNESS = 3

/** Weight of how far a source is ahead of the others, or behind the first, up to some evidence. */
const LEAD_WEIGHT = 0.5
const LEAD_MAX = 3

/** Share of a query's words that a chunk needs to count as holding its text. */
const LITERAL_MIN = 0.7

/**
 * Scores of all chunks from 0 to 1; above 0.5 is relevant.
 *
 * The evidence is how far a chunk's source stands out among all, and how much of the query the
 * chunk itself answers; a logistic curve fitted to judged queries makes it a probability. A chunk
 * that holds nearly all words of the query is relevant by itself, unless most of these are words
 * that say little. With evidence of meaning the best source of a query is more likely, and the
 * others are less.
 *
 * @param meaning  evidence of other kind for each chunk
 */
export function scores(
  index: ChunkIndex,
  { concepts, literalShare }: QueryPart,
  meaning?: Float32Array,
): Float32Array {
  const out = new Float32Array(index.chunks.length)
  const literal = new Float32Array(out.length)
  const known = concepts.map((concept) => ({
    weight: concept.weight,
    words: wordsOf(index, concept),
  }))
  const inChunks = shares(index.inChunks, known, CHUNKS, literal)
  const inSources = shares(index.inSources, known, SOURCES)
  const { power, sources, least } = BACKGROUND
  const sum = inSources.reduce((total, share) => total + share ** power, 0)
  const background = (sum / (inSources.length + sources)) ** (1 / power) + least
  const base = LENGTH_WEIGHT * Math.log(Math.min(concepts.length, LENGTH_MAX)) - EVEN
  for (let chunk = 0; chunk < out.length; chunk++) {
    const source = inSources[index.sourceOf[chunk]]
    const own = inChunks[chunk]
    const evidence = source / background + CHUNK_WEIGHT * own + SOURCE_WEIGHT * source
    out[chunk] = STEEPNESS * (base + evidence) + (meaning?.[chunk] ?? 0)
  }
  const lead = meaning && leads(index, out)
  for (let chunk = 0; chunk < out.length; chunk++) {
    const own = inChunks[chunk]
    const ahead = lead ? LEAD_WEIGHT * lead[index.sourceOf[chunk]] : 0
    const likely = 1 / (1 + Math.exp(-out[chunk] - ahead))
    const held = literalShare * Math.max(0, (literal[chunk] - LITERAL_MIN) / (1 - LITERAL_MIN)) ** 2
    out[chunk] = likely + (1 - likely) * held * (0.9 + 0.1 * own)
  }
  return out
}

/** How far each source is ahead of all others, or behind the first one, by its best chunk. */
function leads({ sources, sourceOf }: ChunkIndex, evidence: Float32Array): Float32Array {
  const best = new Float32Array(sources.length).fill(-Infinity)
  for (const [chunk, value] of evidence.entries()) {
    best[sourceOf[chunk]] = Math.max(best[sourceOf[chunk]], value)
  }
  const [first, second = first] = best.toSorted().toReversed()
  return best.map((value) =>
    Math.max(-LEAD_MAX, Math.min(LEAD_MAX, value - (value === first ? second : first))),
  )
}

/** Words of an index that stand for a concept. */
interface Known {
  readonly weight: number
  readonly words: readonly {
    readonly word: number
    readonly share: number
    readonly isOwn: boolean
  }[]
}

/** The concept's own word, or those that are spelt like it, and related ones. */
function wordsOf(index: ChunkIndex, { stem, related }: Concept): Known['words'] {
  const own = index.word(stem) === undefined ? index.similar(stem) : [{ stem, share: 1 }]
  const found = new Map<number, Known['words'][number]>()
  for (const [isOwn, variants] of [
    [true, own],
    [false, related],
  ] as const) {
    for (const variant of variants) {
      const word = index.word(variant.stem)
      if (word !== undefined && !found.has(word))
        found.set(word, { word, share: variant.share, isOwn })
    }
  }
  return [...found.values()]
}

/**
 * The weighted share of the query's concepts in each text. Of a concept, the word and related ones
 * add up as independent signs of it.
 *
 * @param literal  receives the share of the query's own words that each text holds
 * @source Robertson, Zaragoza: The Probabilistic Relevance Framework: BM25 and Beyond (2009), 3.15
 */
function shares(
  { start, text, count, length, meanLength }: Postings,
  concepts: readonly Known[],
  { saturation, lengthShare }: typeof CHUNKS,
  literal?: Float32Array,
): Float32Array {
  const out = new Float32Array(length.length)
  const signs = new Float32Array(length.length)
  const held = new Float32Array(length.length)
  const total = concepts.reduce((sum, { weight }) => sum + weight, 0)
  for (const { weight, words } of concepts) {
    const found: number[] = []
    for (const { word, share, isOwn } of words) {
      for (let p = start[word]; p < start[word + 1]; p++) {
        const at = text[p]
        const norm = saturation * (1 - lengthShare + (lengthShare * length[at]) / meanLength)
        if (signs[at] === 0) found.push(at)
        signs[at] += (1 - signs[at]) * share * (count[p] / (count[p] + norm))
        if (isOwn) held[at] = Math.max(held[at], share)
      }
    }
    for (const at of found) {
      out[at] += (weight / total) * signs[at]
      if (literal) literal[at] += (weight / total) * held[at]
      signs[at] = held[at] = 0
    }
  }
  return out
}
