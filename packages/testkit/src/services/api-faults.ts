import { once } from 'node:events'
import { Worker } from 'node:worker_threads'

/**
 * What Redocly finds in an OpenAPI document, at night Spectral too, or AsyncAPI's parser in one of
 * its own, by the rules that they recommend: such as `redocly error spec at #/paths`.
 */
export async function apiFaults(document: object): Promise<readonly string[]> {
  // They work for seconds; on this thread, connections of a test would time out.
  const thread = new Worker(new URL('api-faults-thread.ts', import.meta.url), {
    workerData: document,
  })
  const [found] = (await once(thread, 'message')) as [readonly string[]]
  return found
}
