import type { Secret } from '@orrery/http'
import * as v from 'valibot'
import { type Embedder, wholeNumbers } from './embedder.ts'

/** Characters of a text that are sent. */
const LENGTH_MAX = 2000

/** Longest waits for an answer, the first of them while a search waits [ms]. */
const URGENT_MS = 5000
const PATIENT_MS = 60_000

export interface EmbeddingServiceOptions {
  /** such as `http://127.0.0.1:11434/v1/embeddings` */
  readonly url: string
  readonly model: string
  /** sent as a bearer token */
  readonly key?: Secret | undefined
  readonly retryMs?: number
}

const ANSWER = v.object({
  data: v.array(v.object({ index: v.number(), embedding: v.array(v.number()) })),
})

/**
 * A model at an address, which gets the texts of the library, of uploads and of queries.
 *
 * @source OpenAI API reference, Create embeddings
 */
export class EmbeddingService implements Embedder {
  readonly name: string
  readonly isEnglish = false
  readonly retryMs: number
  readonly #options: EmbeddingServiceOptions
  readonly #closed = new AbortController()

  constructor(options: EmbeddingServiceOptions) {
    this.#options = options
    this.name = `${options.url}\n${options.model}\n`
    this.retryMs = options.retryMs ?? PATIENT_MS
  }

  async vectors(
    texts: readonly string[],
    { isUrgent = false } = {},
  ): Promise<readonly Int8Array[]> {
    const { url, model, key } = this.#options
    const input = texts.map((text) => text.slice(0, LENGTH_MAX))
    const answer = await fetch(url, {
      method: 'POST',
      headers: {
        'Content-Type': 'application/json',
        ...(key && { Authorization: `Bearer ${key.reveal()}` }),
      },
      body: JSON.stringify({ model, input, encoding_format: 'float' }),
      redirect: 'error',
      signal: AbortSignal.any([
        this.#closed.signal,
        AbortSignal.timeout(isUrgent ? URGENT_MS : PATIENT_MS),
      ]),
    })
    if (!answer.ok) throw new Error(`the embedding service answered ${answer.status}`)
    const { data } = v.parse(ANSWER, await answer.json())
    if (data.length !== texts.length) {
      throw new Error(`the embedding service sent ${data.length} vectors for ${texts.length} texts`)
    }
    return data.toSorted((a, b) => a.index - b.index).map((one) => wholeNumbers(one.embedding))
  }

  async rest(): Promise<void> {}

  async close(): Promise<void> {
    this.#closed.abort(new Error('the service ends'))
  }
}
