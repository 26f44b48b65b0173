// One server process for all tests of a file, on a directory of its own.
import { afterAll, beforeAll, vi } from 'vitest'
import {
  STARTING_TEST_MS_MAX,
  type ServerEnvironment,
  type ServerProcess,
  dataDirectory,
  environment,
  startServer,
} from './server-process.ts'

export interface UsedServer {
  /** complete once the first server has started */
  readonly variables: ServerEnvironment
  /** starts it again, after a stop or a kill */
  readonly restart: (changes?: ServerEnvironment) => Promise<ServerProcess>
}

/**
 * Starts a server before the tests, and stops the last one started after them. Tests of the file
 * have the time to start it again.
 *
 * @param changes  of the environment; a function is called before the first start
 * @param use  receives the first server, and prepares it
 */
export function usedServer(
  changes: ServerEnvironment | (() => Promise<ServerEnvironment>),
  use: (server: ServerProcess) => Promise<void> | void,
): UsedServer {
  const directory = dataDirectory()
  const variables = { ...environment(directory.path, typeof changes === 'object' ? changes : {}) }
  let last: ServerProcess | undefined
  const restart: UsedServer['restart'] = async (others) =>
    (last = await startServer({ ...variables, ...others }))
  vi.setConfig({ testTimeout: STARTING_TEST_MS_MAX, hookTimeout: STARTING_TEST_MS_MAX })
  beforeAll(async () => {
    if (typeof changes === 'function') Object.assign(variables, await changes())
    await use(await restart())
  })
  afterAll(async () => {
    await last?.stop()
    directory.remove()
  })
  return { variables, restart }
}
