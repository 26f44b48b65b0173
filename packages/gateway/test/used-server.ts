// One server process for all tests of a file, on a directory of its own.
import { afterAll, beforeAll, vi } from 'vitest'
import { type Order, openOrders } from './player-client.ts'
import {
  STARTING_TEST_MS_MAX,
  type ServerEnvironment,
  type ServerProcess,
  dataDirectory,
  environment,
  startServer,
} from './server-process.ts'

/** The server that was started last. */
export interface UsedServer extends ServerProcess {
  /** complete once the first server has started */
  readonly variables: ServerEnvironment
  /** as the environment's admin */
  readonly order: Order
  /** starts it again, after a stop or a kill */
  restart(changes?: ServerEnvironment): Promise<void>
}

/**
 * Starts a server before the tests, and stops the last one started after them. Tests of the file
 * have the time to start it again.
 *
 * @param changes  of the environment; a function is called before the first start
 * @param prepare  is called after the first start
 */
export function usedServer(
  changes: ServerEnvironment | (() => Promise<ServerEnvironment>),
  prepare: () => Promise<void> = async () => {},
): UsedServer {
  const directory = dataDirectory()
  const variables = { ...environment(directory.path, typeof changes === 'object' ? changes : {}) }
  let last: ServerProcess
  let order: Order
  const server: UsedServer = {
    variables,
    get url() {
      return last.url
    },
    get port() {
      return last.port
    },
    get pid() {
      return last.pid
    },
    output: () => last.output(),
    running: () => last.running(),
    stop: () => last.stop(),
    kill: () => last.kill(),
    order: (...request) => order(...request),
    restart: async (others) => {
      last = await startServer({ ...variables, ...others })
    },
  }
  vi.setConfig({ testTimeout: STARTING_TEST_MS_MAX, hookTimeout: STARTING_TEST_MS_MAX })
  beforeAll(async () => {
    if (typeof changes === 'function') Object.assign(variables, await changes())
    await server.restart()
    order = await openOrders(server)
    await prepare()
  })
  afterAll(async () => {
    await (last as ServerProcess | undefined)?.stop()
    directory.remove()
  })
  return server
}
