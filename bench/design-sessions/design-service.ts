/** The design session service in a new directory. */
import { startService } from '@orrery/testkit'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/**
 * Starts a service, does something with it, and ends it.
 *
 * @param prepare  fills a directory with the knowledge library before the start
 * @param use      with the address of the API
 */
export async function withDesignService<Result>(
  prepare: (library: string) => void,
  use: (url: string) => Promise<Result>,
): Promise<Result> {
  const directory = await mkdtemp(join(tmpdir(), 'orrery-bench-'))
  const library = join(directory, 'library')
  prepare(library)
  const service = startService({
    main: import.meta.resolve('@orrery/design-sessions/main'),
    variables: {
      DESIGN_SESSIONS_PORT: '0',
      LOG_LEVEL: 'error',
      DATA_DIR: join(directory, 'data'),
      KNOWLEDGE_DIR: library,
    },
  })
  try {
    return await use(`${await service.ready}/api/v1`)
  } finally {
    await service.stop()
    await rm(directory, { recursive: true })
  }
}

export function post(url: string, body: object): Promise<Response> {
  const headers = { 'content-type': 'application/json' }
  return fetch(url, { method: 'POST', headers, body: JSON.stringify(body) })
}
