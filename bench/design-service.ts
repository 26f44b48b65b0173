/** The design session service in a process and a directory of its own. */
import { spawn } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'

const MAIN = fileURLToPath(import.meta.resolve('@orrery/design-sessions/main'))

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
  const service = spawn(process.execPath, [MAIN], {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: {
      ...process.env,
      DESIGN_SESSIONS_PORT: '0',
      LOG_LEVEL: 'error',
      DATA_DIR: join(directory, 'data'),
      KNOWLEDGE_DIR: library,
    },
  })
  const ended = new Promise((resolve) => service.once('exit', resolve))
  try {
    return await use(`${await announced(service.stdout)}api/v1`)
  } finally {
    if (service.exitCode === null && service.kill()) await ended
    await rm(directory, { recursive: true })
  }
}

/** Where a service listens, once it says so. */
async function announced(stdout: NodeJS.ReadableStream): Promise<string> {
  for await (const line of createInterface(stdout)) {
    const url = /listens on (\S+)/.exec(line)?.[1]
    if (url !== undefined) return url
  }
  throw new Error('the service ended before it listened')
}

export function post(url: string, body: object): Promise<Response> {
  const headers = { 'content-type': 'application/json' }
  return fetch(url, { method: 'POST', headers, body: JSON.stringify(body) })
}
