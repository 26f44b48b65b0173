/** The design session service in a new directory. */
import { startService } from '@orrery/testkit'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'

/** Between two looks at the state of the index. */
const POLL_MS = 20

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

/** Makes a record, and gives its id. */
export async function made(url: string, body: object): Promise<string> {
  const response = await post(url, body)
  if (response.status !== 201) throw new Error(`${url}: ${response.status}`)
  const { id } = (await response.json()) as { id: string }
  return id
}

/** A version of a new project, and both by their addresses. */
export async function newVersion(
  api: string,
): Promise<{ readonly project: string; readonly version: string }> {
  const client = await made(`${api}/clients`, { name: 'Acme' })
  const id = await made(`${api}/clients/${client}/projects`, { name: 'Shop' })
  const project = `${api}/projects/${id}`
  return { project, version: `${api}/versions/${await made(`${project}/versions`, {})}` }
}

interface IndexStatus {
  readonly indexed: boolean
  readonly vectors: { readonly state: string }
}

/** Reads the state of the index until it is as wished. */
export async function indexed(api: string, isSo: (status: IndexStatus) => boolean): Promise<void> {
  for (;;) {
    const answer = await fetch(`${api}/knowledge/reindex/status`)
    if (isSo((await answer.json()) as IndexStatus)) return
    await setTimeout(POLL_MS)
  }
}
