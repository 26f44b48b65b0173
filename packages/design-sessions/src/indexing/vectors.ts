import type { Logger } from '@orrery/http'
import { hash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { setImmediate } from 'node:timers/promises'
import type postgres from 'postgres'
import { errorText } from '../plain-text.ts'
import type { ChunkIndex } from './chunk-index.ts'
import { type SourceVectors, evidenceOf, meaningsOf, nearness, usual } from './meaning.ts'
import { UploadVectors } from './upload-vectors.ts'
import type { Embedder } from '../sentences/embedder.ts'
import { englishShare } from '../words/tokens.ts'

/** Vectors that are made and stored together. */
const BATCH = 32

/** Sentences about cooking, sports, gardens and whatever else no library is about, one a line. */
const OTHER_TOPICS = new URL('../words/other-topics.txt', import.meta.url)

/** Parts of a long text whose meaning counts: each takes time. */
const PARTS_MAX = 3

/** Vectors of the library. */
interface Ready {
  readonly index: ChunkIndex
  readonly vectors: SourceVectors
  /** of other topics */
  readonly others: Int8Array
}

/** What the meaning of each part of a query says for the chunks of some indexes, as evidence. */
export type Meanings = readonly (ReadonlyMap<ChunkIndex, Float32Array> | undefined)[]

export interface VectorsParts {
  readonly sql: postgres.Sql
  readonly model: Embedder
  readonly logger: Logger
  /** texts that no query about the library is near to */
  readonly otherTopics?: readonly string[] | undefined
}

/** The vectors of the library and of uploads, made in the background, once for each text. */
export class Vectors {
  readonly #parts: VectorsParts
  readonly #uploads: UploadVectors
  readonly #otherTopics: readonly string[]
  #ready: Ready | undefined
  #index: ChunkIndex | undefined
  #made = 0
  #failure: string | undefined
  #making: Promise<void> = Promise.resolve()
  #retry: NodeJS.Timeout | undefined
  #isClosed = false

  constructor(parts: VectorsParts) {
    this.#parts = parts
    this.#uploads = new UploadVectors(parts.sql, parts.model)
    this.#otherTopics = parts.otherTopics ?? readFileSync(OTHER_TOPICS, 'utf8').trim().split('\n')
  }

  get status(): { state: 'ready' | 'making' | 'unavailable'; made: number; error: string | null } {
    const isReady = this.#index !== undefined && this.#ready?.index === this.#index
    const state = this.#failure !== undefined ? 'unavailable' : isReady ? 'ready' : 'making'
    return { state, made: this.#made, error: this.#failure ?? null }
  }

  /** Makes the vectors that a new index lacks. */
  make(index: ChunkIndex | undefined): void {
    this.#index = index
    this.#made = 0
    this.#next(async () => {
      if (index && this.#isCurrent(index)) await this.#make(index)
    })
  }

  /** Makes the vectors of a version's uploads, unless it is known to have them. */
  makeUploads(index: ChunkIndex): void {
    if (this.#uploads.of(index)) return
    this.#next(() => this.#uploads.make(index, () => this.#isClosed))
  }

  /** One after the other. */
  #next(make: () => Promise<void>): void {
    this.#making = this.#making
      .then(() => (this.#failure === undefined ? make() : undefined))
      .catch((error: unknown) => this.#fail(error))
  }

  #fail(error: unknown): void {
    if (this.#isClosed || this.#failure !== undefined) return
    const { logger, model } = this.#parts
    this.#failure = errorText(error)
    logger.warn({ err: error }, 'the search goes by words alone')
    if (model.retryMs === undefined) return
    this.#retry = setTimeout(() => {
      this.#failure = undefined
      this.make(this.#index)
    }, model.retryMs)
  }

  /**
   * Nothing until all vectors of the library are made, and for parts in languages that the model
   * does not know.
   *
   * @param parts    the whole text, and its parts if there are several
   * @param uploads  of a version
   */
  async evidence(
    index: ChunkIndex,
    parts: readonly string[],
    uploads?: ChunkIndex,
  ): Promise<Meanings> {
    if (uploads) this.makeUploads(uploads)
    const ready = this.#ready
    if (ready?.index !== index || this.#failure !== undefined) return []
    const { model } = this.#parts
    const found: Meanings[number][] = []
    for (const [i, part] of parts.entries()) {
      const isMeant = parts.length === 1 || (i > 0 && i <= PARTS_MAX)
      const isKnown = (stem: string): boolean => index.word(stem) !== undefined
      const share = !isMeant ? 0 : model.isEnglish ? englishShare(part, isKnown) : 1
      try {
        const [vector] = share > 0 ? await model.vectors([part], { isUrgent: true }) : []
        found.push(vector && this.#compared(ready, vector, share, uploads))
      } catch (error) {
        this.#fail(error)
        return []
      }
      // Comparing takes milliseconds and blocks other requests.
      await setImmediate()
    }
    return found
  }

  #compared(
    { index, vectors, others }: Ready,
    query: Int8Array,
    share: number,
    uploads: ChunkIndex | undefined,
  ): Meanings[number] {
    const near = nearness(index, vectors, query)
    const usually = usual(near, others, query)
    const found = new Map([[index, evidenceOf(index, near, usually, share)]])
    const ofUploads = uploads && this.#uploads.of(uploads)
    if (uploads && ofUploads) {
      found.set(uploads, evidenceOf(uploads, nearness(uploads, ofUploads, query), usually, share))
    }
    return found
  }

  async close(): Promise<void> {
    this.#isClosed = true
    clearTimeout(this.#retry)
    await this.#parts.model.close()
    await this.#making
  }

  #isCurrent(index: ChunkIndex): boolean {
    return !this.#isClosed && this.#index === index
  }

  async #make(index: ChunkIndex): Promise<void> {
    const { sql, model } = this.#parts
    const keyOf = (text: string): string => hash('sha256', model.name + text)
    const ofSources = index.sources.map(({ chunks }) => chunks.flatMap(meaningsOf))
    const texts = new Map(
      [...ofSources.flat(), ...this.#otherTopics].map((text) => [keyOf(text), text]),
    )
    const made = new Map<string, Uint8Array>()
    const kept = await sql<{ hash: string; vector: Uint8Array }[]>`
      select encode(hash, 'hex') as hash, vector from chunk_vector`
    for (const { hash: key, vector } of kept) made.set(key, vector)
    const missing = [...texts].filter(([key]) => !made.has(key))
    this.#made = texts.size - missing.length
    for (let at = 0; at < missing.length; at += BATCH) {
      if (!this.#isCurrent(index)) return
      const some = missing.slice(at, at + BATCH)
      const vectors = await model.vectors(some.map(([, text]) => text))
      const rows = some.map(([key], i) => {
        const vector = Buffer.from(vectors[i].buffer)
        made.set(key, vector)
        return { hash: Buffer.from(key, 'hex'), vector }
      })
      this.#made += rows.length
      await sql`insert into chunk_vector ${sql(rows)} on conflict do nothing`
    }
    const gone = [...made.keys()]
      .filter((key) => !texts.has(key))
      .map((key) => Buffer.from(key, 'hex'))
    if (gone.length > 0) await sql`delete from chunk_vector where hash in ${sql(gone)}`
    // What making them has taken goes back, and the first query waits for no start.
    if (missing.length > 0) await model.rest()
    await model.vectors(['ready'])
    const joined = (some: readonly string[]): Int8Array =>
      new Int8Array(Buffer.concat(some.map((text) => made.get(keyOf(text)) ?? Buffer.alloc(0))))
    this.#ready = { index, vectors: ofSources.map(joined), others: joined(this.#otherTopics) }
  }
}
