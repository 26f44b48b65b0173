import { hash } from 'node:crypto'
import type postgres from 'postgres'
import type { Embedder } from '../sentences/embedder.ts'
import type { ChunkIndex } from './chunk-index.ts'
import { type SourceVectors, meaningsOf } from './meaning.ts'

/** Chunks of an upload, and of a version's uploads, whose meaning counts: each takes time. */
const CHUNKS_MAX = 256
const OF_VERSION_MAX = 2048

/** Texts whose vectors are made together. */
const BATCH = 32

/** An upload whose vectors are wanted. */
interface WantedUpload {
  readonly id: string
  readonly texts: readonly string[]
  readonly digest: Buffer
}

/** The vectors of versions' uploads, made once for equal texts and kept. */
export class UploadVectors {
  readonly #sql: postgres.Sql
  readonly #model: Embedder
  /** of each index that is searched; more of them come while they are made */
  readonly #made = new WeakMap<ChunkIndex, (Int8Array | undefined)[]>()

  constructor(sql: postgres.Sql, model: Embedder) {
    this.#sql = sql
    this.#model = model
  }

  /** Those that are made so far; undefined when none were asked for. */
  of(index: ChunkIndex): SourceVectors | undefined {
    return this.#made.get(index)
  }

  /** Finds the kept vectors of an index, and makes the others. */
  async make(index: ChunkIndex, isClosed: () => boolean): Promise<void> {
    if (this.#made.has(index) || index.sources.length === 0) return
    const made: (Int8Array | undefined)[] = index.sources.map(() => undefined)
    this.#made.set(index, made)
    try {
      const all = wantedUploads(index, this.#model.name)
      const kept = await this.#kept(all)
      for (const [source, one] of all.entries()) {
        if (isClosed()) return
        const key = one.digest.toString('hex')
        const vectors = kept.get(key) ?? (await this.#vectors(one.texts))
        kept.set(key, vectors)
        made[source] = vectors
        await this.#keep(one, vectors)
      }
    } catch (error) {
      this.#made.delete(index)
      throw error
    }
  }

  async #vectors(texts: readonly string[]): Promise<Int8Array> {
    const vectors: number[] = []
    for (let at = 0; at < texts.length; at += BATCH) {
      const some = await this.#model.vectors(texts.slice(at, at + BATCH))
      for (const vector of some) vectors.push(...vector)
    }
    return Int8Array.from(vectors)
  }

  async #kept(all: readonly WantedUpload[]): Promise<Map<string, Int8Array>> {
    const rows = await this.#sql<{ key: string; vectors: Uint8Array }[]>`
      select distinct on (digest) encode(digest, 'hex') as key, vectors from upload_vector
      where digest in ${this.#sql(all.map(({ digest }) => digest))}`
    return new Map(rows.map(({ key, vectors }) => [key, new Int8Array(vectors)]))
  }

  /** Nothing happens when the upload has been deleted. */
  async #keep({ id, digest }: WantedUpload, vectors: Int8Array): Promise<void> {
    await this.#sql`
      insert into upload_vector (upload_id, digest, vectors)
      select id, ${digest}, ${Buffer.from(vectors.buffer)} from upload
      where id = ${id} for key share
      on conflict (upload_id) do update set digest = excluded.digest, vectors = excluded.vectors
      where upload_vector.digest <> excluded.digest`
  }
}

function wantedUploads({ sources }: ChunkIndex, model: string): readonly WantedUpload[] {
  let left = OF_VERSION_MAX
  return sources.map(({ name, chunks }) => {
    const some = chunks.slice(0, Math.min(CHUNKS_MAX, left))
    left -= some.length
    const texts = some.flatMap(meaningsOf)
    const [, id] = name.split(':')
    return { id, texts, digest: hash('sha256', model + JSON.stringify(texts), 'buffer') }
  })
}
