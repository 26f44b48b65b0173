import type { Logger } from '@orrery/http'
import { hash } from 'node:crypto'
import { setImmediate } from 'node:timers/promises'
import type postgres from 'postgres'
import { errorText } from '../plain-text.ts'
import type { ChunkIndex } from './chunk-index.ts'
import { evidenceOf } from './meaning.ts'
import { DIMENSIONS, type SentenceModel } from '../sentences/sentence-model.ts'
import { englishShare } from '../words/tokens.ts'

/** Vectors that are stored together. */
const BATCH = 32

/** Parts of a long text whose meaning counts: each takes time. */
const PARTS_MAX = 3

/** Vectors of an index's chunks, one after the other. */
interface Ready {
  readonly index: ChunkIndex
  readonly vectors: Int8Array
}

export interface VectorsParts {
  readonly sql: postgres.Sql
  readonly model: SentenceModel
  readonly logger: Logger
}

/** The vectors of the library, made once for each text and kept; in the background. */
export class Vectors {
  readonly #parts: VectorsParts
  #ready: Ready | undefined
  #index: ChunkIndex | undefined
  #made = 0
  #failure: string | undefined
  #making: Promise<void> = Promise.resolve()
  #isClosed = false

  constructor(parts: VectorsParts) {
    this.#parts = parts
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
    const before = this.#making
    const make = async (): Promise<void> => {
      await before
      if (index && this.#isCurrent(index)) await this.#make(index)
    }
    this.#making = make().catch((error) => {
      if (this.#isClosed) return
      this.#failure = errorText(error)
      this.#parts.logger.warn({ err: error }, 'the search goes by words alone')
    })
  }

  /**
   * What the meanings of a query's parts say for each chunk of an index, as evidence; nothing until
   * all vectors are made, and for parts that are not English.
   *
   * @param parts  the whole text, and its parts if there are several
   */
  async evidence(
    index: ChunkIndex,
    parts: readonly string[],
  ): Promise<readonly (Float32Array | undefined)[]> {
    const ready = this.#ready
    if (ready?.index !== index || this.#failure !== undefined) return []
    const found: (Float32Array | undefined)[] = []
    for (const [i, part] of parts.entries()) {
      const isMeant = parts.length === 1 || (i > 0 && i <= PARTS_MAX)
      const share = isMeant ? englishShare(part, (stem) => index.word(stem) !== undefined) : 0
      try {
        const vector = share > 0 && (await this.#parts.model.vector(part, { isUrgent: true }))
        found.push(vector ? evidenceOf(index, ready.vectors, vector, share) : undefined)
      } catch (error) {
        this.#failure = errorText(error)
        return []
      }
      // Comparing takes milliseconds and blocks other requests.
      await setImmediate()
    }
    return found
  }

  async close(): Promise<void> {
    this.#isClosed = true
    await this.#parts.model.close()
    await this.#making
  }

  #isCurrent(index: ChunkIndex): boolean {
    return !this.#isClosed && this.#index === index
  }

  async #make(index: ChunkIndex): Promise<void> {
    const { sql, model } = this.#parts
    const hashes = index.chunks.map(({ content }) => hash('sha256', content))
    const made = new Map<string, Uint8Array>()
    const kept = await sql<{ hash: string; vector: Uint8Array }[]>`
      select encode(hash, 'hex') as hash, vector from chunk_vector`
    for (const { hash: key, vector } of kept) made.set(key, vector)
    const texts = new Map(index.chunks.map(({ content }, i) => [hashes[i], content]))
    const missing = [...texts].filter(([key]) => !made.has(key))
    this.#made = texts.size - missing.length
    for (let at = 0; at < missing.length; at += BATCH) {
      const rows: { hash: Buffer; vector: Buffer }[] = []
      for (const [key, text] of missing.slice(at, at + BATCH)) {
        if (!this.#isCurrent(index)) return
        const vector = await model.vector(text)
        const bytes = Buffer.from(vector.buffer)
        made.set(key, bytes)
        rows.push({ hash: Buffer.from(key, 'hex'), vector: bytes })
        this.#made++
      }
      await sql`insert into chunk_vector ${sql(rows)} on conflict do nothing`
    }
    const vectors = new Int8Array(index.chunks.length * DIMENSIONS)
    for (const [i, key] of hashes.entries()) {
      const vector = made.get(key)
      if (vector)
        vectors.set(new Int8Array(vector.buffer, vector.byteOffset, DIMENSIONS), i * DIMENSIONS)
    }
    const gone = [...made.keys()]
      .filter((key) => !texts.has(key))
      .map((key) => Buffer.from(key, 'hex'))
    if (gone.length > 0) await sql`delete from chunk_vector where hash in ${sql(gone)}`
    // What making them has taken goes back, and the first query waits for no start.
    if (missing.length > 0) await model.rest()
    await model.vector('ready')
    this.#ready = { index, vectors }
  }
}
