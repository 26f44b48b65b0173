import { setTimeout } from 'node:timers/promises'

/** What is read and dropped of a refused body at most. */
const DRAINED_BYTES_MAX = 4_194_304
const DRAINED_MS_MAX = 250

/**
 * Reads and drops the rest of a refused body before the answer: some clients that still write when
 * the answer comes see a broken connection instead.
 *
 * @returns whether the body came to its end
 */
export async function drainBody(reader: ReadableStreamDefaultReader<Uint8Array>): Promise<boolean> {
  return Promise.race([drained(reader), setTimeout(DRAINED_MS_MAX, false)])
}

async function drained(reader: ReadableStreamDefaultReader<Uint8Array>): Promise<boolean> {
  for (let total = 0; total < DRAINED_BYTES_MAX;) {
    const { done, value } = await reader.read().catch(() => ({ done: true, value: undefined }))
    if (done) return true
    total += value?.byteLength ?? 0
  }
  return false
}
