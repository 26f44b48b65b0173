import type { Pause } from '../pauses.ts'
import type { Chunk } from './markdown.ts'
import { type SimilarWord, SimilarWords } from '../words/similar-words.ts'
import { OTHER_NAMES, tokens } from '../words/tokens.ts'

/** A file, or another text that is found as a whole. */
export interface SourceText {
  /** path below the library's root, or such as `upload:{id}:{name}` */
  readonly name: string
  readonly title: string
  readonly chunks: readonly Chunk[]
}

/** A chunk and its origin. */
export interface SourcedChunk extends Chunk {
  readonly source: SourceText
}

/** Where words occur in texts. */
export interface Postings {
  /** texts that hold word w, ascending: start[w] .. start[w + 1] of the next two */
  readonly start: Uint32Array
  readonly text: Uint32Array
  /** occurrences of the word in the text */
  readonly count: Uint32Array
  /** words of each text */
  readonly length: Uint32Array
  readonly meanLength: number
}

/** Everything that a search needs of a set of sources. */
export interface ChunkIndex {
  readonly sources: readonly SourceText[]
  readonly chunks: readonly SourcedChunk[]
  /** number of each chunk's source */
  readonly sourceOf: Uint32Array
  readonly inChunks: Postings
  readonly inSources: Postings
  /** the number of a word; undefined for an unknown one */
  readonly word: (stem: string) => number | undefined
  /** known words in the place of an unknown one, by its spelling */
  readonly similar: (stem: string) => readonly SimilarWord[]
  /** inverse document frequency of each word */
  readonly weight: Float32Array
  readonly weightOfUnknown: number
}

/** Occurrences of a title's word in its source: titles are short and say what it is about. */
const TITLE_COUNT = 10

/** Words of a text and their numbers of occurrences, in turns. */
type Counts = Uint32Array

interface Counted {
  readonly source: Counts
  readonly chunks: readonly Counts[]
}

/** Builds indexes; words of unchanged sources are counted once. */
export class IndexBuilder {
  readonly #words = new Map<string, number>()
  readonly #counted = new WeakMap<SourceText, Counted>()

  /** @param onChunks  called with the number of chunks that are counted so far */
  async build(
    sources: readonly SourceText[],
    pause: Pause,
    onChunks: (count: number) => Promise<void> = async () => {},
  ): Promise<ChunkIndex> {
    const chunks: SourcedChunk[] = []
    const sourceOf: number[] = []
    const counted: Counted[] = []
    for (const [number, source] of sources.entries()) {
      counted.push(await this.#countedOf(source, pause))
      for (const chunk of source.chunks) {
        chunks.push({ ...chunk, source })
        sourceOf.push(number)
      }
      await onChunks(chunks.length)
      await pause()
    }
    const size = this.#words.size
    const all = counted.flatMap((of) => of.chunks)
    const inChunks = await postingsOf(all, size, pause)
    const inSources = await postingsOf(
      counted.map(({ source }) => source),
      size,
      pause,
    )
    const weight = new Float32Array(size)
    for (let w = 0; w < size; w++) {
      weight[w] = inverseFrequency(inChunks.start[w + 1] - inChunks.start[w], chunks.length)
    }
    const spelt = once(() => new SimilarWords([...this.#words.keys(), ...OTHER_NAMES.keys()]))
    return {
      sources,
      chunks,
      sourceOf: Uint32Array.from(sourceOf),
      inChunks,
      inSources,
      word: (stem) => {
        const number = this.#words.get(stem)
        // A later index may know more words.
        return number !== undefined && number < size ? number : undefined
      },
      similar: (stem) =>
        spelt()
          .like(stem)
          .map(({ stem: like, share }) => ({ stem: OTHER_NAMES.get(like) ?? like, share })),
      weight,
      weightOfUnknown: inverseFrequency(0, chunks.length),
    }
  }

  async #countedOf(source: SourceText, pause: Pause): Promise<Counted> {
    const known = this.#counted.get(source)
    if (known) return known
    const name = source.name.replace(/^\w+:[\da-f-]{36}:/, '').replace(/\.\w+$/, '')
    const place = tokens(`${source.title} ${name.replaceAll(/[-_/]/g, ' ')}`)
    const whole = new Map<number, number>()
    for (const stem of place) this.#count(whole, stem, TITLE_COUNT)
    const chunks: Counts[] = []
    for (const { section, content } of source.chunks) {
      const own = new Map<number, number>()
      for (const stem of tokens(content)) {
        this.#count(own, stem)
        this.#count(whole, stem)
      }
      for (const stem of [...place, ...tokens(section)]) this.#count(own, stem)
      chunks.push(inTurns(own))
      await pause()
    }
    const counted = { source: inTurns(whole), chunks }
    this.#counted.set(source, counted)
    return counted
  }

  #count(counts: Map<number, number>, stem: string, count = 1): void {
    let number = this.#words.get(stem)
    if (number === undefined) this.#words.set(stem, (number = this.#words.size))
    counts.set(number, (counts.get(number) ?? 0) + count)
  }
}

function inTurns(counts: ReadonlyMap<number, number>): Counts {
  return Uint32Array.from([...counts].flat())
}

/** @param size  number of words */
async function postingsOf(texts: readonly Counts[], size: number, pause: Pause): Promise<Postings> {
  const start = new Uint32Array(size + 1)
  for (const text of texts) {
    for (let i = 0; i < text.length; i += 2) start[text[i] + 1]++
    await pause()
  }
  for (let w = 0; w < size; w++) start[w + 1] += start[w]
  const next = start.slice()
  const postings = { text: new Uint32Array(start[size]), count: new Uint32Array(start[size]) }
  const length = new Uint32Array(texts.length)
  let total = 0
  for (const [number, text] of texts.entries()) {
    for (let i = 0; i < text.length; i += 2) {
      const at = next[text[i]]++
      postings.text[at] = number
      postings.count[at] = text[i + 1]
      length[number] += text[i + 1]
    }
    total += length[number]
    await pause()
  }
  return { start, ...postings, length, meanLength: total / texts.length }
}

/**
 * Inverse document frequency of a word.
 *
 * @source Robertson, Zaragoza: The Probabilistic Relevance Framework: BM25 and Beyond (2009), 3.3,
 *   with one added under the logarithm, which keeps it positive
 */
function inverseFrequency(texts: number, all: number): number {
  return Math.log(1 + (all - texts + 0.5) / (texts + 0.5))
}

function once<Value>(make: () => Value): () => Value {
  let made: Value | undefined
  return () => (made ??= make())
}
