import { HttpError } from '@orrery/http'
import * as v from 'valibot'
import type { SourcedChunk } from './chunk-index.ts'
import type { ChunkCheckpoint, Corpus, EmbeddingProvider } from './embedding.ts'

/** A service with the embeddings call of the OpenAI API. */
export interface RemoteEmbeddingOptions {
  /** base of `/embeddings`; from the configuration, never from a request */
  readonly base: string
  readonly model: string
  readonly key?: string
}

const BATCH = 64

/** Shorter than the time of a stop: signals are checked between batches. */
const BATCH_MS_MAX = 10_000

/** A search waits for it. */
const QUERY_MS_MAX = 5000
const DIMENSIONS_MAX = 4096

/** A batch of the longest vectors has about 6 MB as JSON. */
const REPLY_BYTES_MAX = 16_777_216

const REPLY = v.object({
  data: v.array(
    v.object({
      index: v.pipe(v.number(), v.integer(), v.minValue(0)),
      embedding: v.pipe(v.array(v.number()), v.minLength(1), v.maxLength(DIMENSIONS_MAX)),
    }),
  ),
})

/** Vectors of an earlier index, to be reused. */
export type KnownVectors = (chunk: SourcedChunk) => Float32Array | undefined

function remoteId({ base, model }: RemoteEmbeddingOptions): string {
  return `${new URL(base).host}/${model}`
}

export class RemoteEmbedding implements EmbeddingProvider {
  readonly id: string
  readonly knowsLibraryOnly = false
  #dims: number
  readonly #options: RemoteEmbeddingOptions
  readonly #known: KnownVectors

  /** @param dims  of an existing index; 0 takes those of the first reply */
  constructor(
    options: RemoteEmbeddingOptions,
    { known = () => undefined, dims = 0 }: { known?: KnownVectors; dims?: number } = {},
  ) {
    this.#dims = dims
    this.#options = options
    this.#known = known
    this.id = remoteId(options)
  }

  async embedChunks({ chunks }: Corpus, checkpoint: ChunkCheckpoint): Promise<Float32Array> {
    const texts = chunks.map(({ title, section, content }) => `${title}\n${section}\n${content}`)
    const vectors = chunks.map(this.#known)
    const missing = vectors.flatMap((vector, i) => (vector ? [] : [i]))
    for (let start = 0; start < missing.length; start += BATCH) {
      checkpoint(start)
      const batch = missing.slice(start, start + BATCH)
      const found = await this.#request(
        batch.map((i) => texts[i]),
        BATCH_MS_MAX,
      )
      for (const [k, i] of batch.entries()) vectors[i] = found[k]
    }
    this.#dims ||= vectors[0]?.length ?? 0
    const out = new Float32Array(texts.length * this.#dims)
    for (const [i, vector] of vectors.entries()) if (vector) out.set(vector, i * this.#dims)
    return out
  }

  async embedQuery(text: string): Promise<Float32Array> {
    try {
      const [vector] = await this.#request([text], QUERY_MS_MAX)
      return vector
    } catch (error) {
      const unavailable = new HttpError(503, 'busy', 'The embedding service does not answer')
      unavailable.cause = error
      throw unavailable
    }
  }

  async #request(input: readonly string[], msMax: number): Promise<Float32Array[]> {
    const { base, model, key } = this.#options
    const reply = await fetch(`${base.replace(/\/$/, '')}/embeddings`, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        ...(key !== undefined && { authorization: `Bearer ${key}` }),
      },
      body: JSON.stringify({ model, input }),
      // A redirect could lead anywhere.
      redirect: 'error',
      signal: AbortSignal.timeout(msMax),
    })
    if (!reply.ok) throw new Error(`the embedding service answers ${reply.status}`)
    const { data } = v.parse(REPLY, JSON.parse(await limitedText(reply)))
    const vectors = data
      .toSorted((a, b) => a.index - b.index)
      .map(({ embedding }) => unit(embedding))
    this.#dims ||= vectors[0]?.length ?? 0
    const isWhole = vectors.length === input.length
    if (!isWhole || vectors.some(({ length }) => length !== this.#dims)) {
      throw new Error(`the embedding service answers with other vectors than were asked for`)
    }
    return vectors
  }
}

async function limitedText(reply: Response): Promise<string> {
  let text = ''
  const decoder = new TextDecoder()
  for await (const bytes of reply.body ?? []) {
    text += decoder.decode(bytes, { stream: true })
    if (text.length > REPLY_BYTES_MAX) throw new Error('the embedding service answers too much')
  }
  return text
}

/** A unit vector, padded with zeros to a multiple of four for the scan. */
function unit(numbers: readonly number[]): Float32Array {
  const vector = new Float32Array(Math.ceil(numbers.length / 4) * 4)
  const length = Math.hypot(...numbers)
  if (length > 0) for (const [i, number] of numbers.entries()) vector[i] = number / length
  return vector
}
