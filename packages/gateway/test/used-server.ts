// One server process for all tests of a file: the one that the files of a worker process share, or
// one on a directory of its own.
import { type Issuer, QUICK_PASSWORDS, openIssuer } from '@orrery/testkit'
import { prepareData } from '@orrery/testkit/prepared-data'
import { afterAll, beforeAll } from 'vitest'
import { type Loose, type Order, openOrders } from './player-client.ts'
import {
  ADMIN,
  MAIN,
  type ServerEnvironment,
  type ServerProcess,
  dataDirectory,
  environment,
  startServer,
  trusting,
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

/** Of the server that files share, beside those of every server under test. */
export const SHARED: Readonly<
  Record<'SERVER_NAME' | 'METRICS_TOKEN' | 'INVITED_PER_PLAYER', string>
> = {
  SERVER_NAME: 'Proving Ground',
  INVITED_PER_PLAYER: '4',
  METRICS_TOKEN: 'metrics-token-of-the-shared-server',
}

/** The issuer of foreign identities that the shared server accepts. */
export const sharedIssuer: Issuer = await openIssuer()

/**
 * A server with variables of its own for the tests of a file, stopped after them. Its world was
 * prepared, and has no account but the environment's admin.
 *
 * @param changes  of the environment; a function is called before the first start
 * @param prepare  is called after the first start
 */
export function usedServer(
  changes: ServerEnvironment | (() => Promise<ServerEnvironment>),
  prepare: () => Promise<void> = async () => {},
): UsedServer {
  const server = restartable({})
  beforeAll(async () => {
    await prepareData(server.variables['DATA_DIR'] ?? '', MAIN)
    Object.assign(server.variables, typeof changes === 'function' ? await changes() : changes)
    await server.restart()
    await prepare()
  })
  afterAll(() => server.end())
  return server
}

/**
 * The server that files share one after the other. It has no account but the environment's admin,
 * the catalog's objects and the default settings; tests may change and replace its world, accounts
 * and clock, and restart it. A file that needs more to be undone has a server of its own.
 *
 * @param prepare  is called once it runs
 */
export function sharedServer(prepare: () => Promise<void> = async () => {}): UsedServer {
  const server = (shared ??= restartable({ ...SHARED, ...trusting(sharedIssuer) }))
  beforeAll(async () => {
    if (beginning === undefined) {
      await prepareData(server.variables['DATA_DIR'] ?? '', MAIN)
      await server.restart()
      beginning = (await server.order('POST', '/api/admin/snapshot')).snapshot_id
    }
    server.forget()
    await server.order('POST', '/api/admin/game/resume')
    await prepare()
  })
  afterAll(async () => {
    try {
      if (!server.running()) await server.restart()
      server.forget()
      await tidy(server.order)
    } catch {
      // After a failed test: the next file has a new one.
      shared = beginning = undefined
      await server.end()
    }
  })
  return server
}

/** Of this worker process, with which it ends. */
let shared: Restartable | undefined

/** Snapshot of its world, in which each file begins. */
let beginning: number | undefined

const CLOCK: readonly (readonly [method: string, path: string, body?: object])[] = [
  ['POST', 'adaptive-tick-rate', { enabled: false }],
  ['POST', 'time-sync', { enabled: false }],
  ['PUT', 'tick-rate', { tick_rate: 1 }],
  ['PUT', 'time-scale', { time_scale: 1 }],
  // It costs nothing until the next file.
  ['POST', 'pause'],
]

/** Deletes what tests have made, and sets the clock back. */
async function tidy(order: Order): Promise<void> {
  const { players } = await order('GET', '/api/admin/players')
  for (const { player_id: id, username, is_admin: isAdmin } of players) {
    if (username === ADMIN.username) continue
    await order('DELETE', `/api/admin/${isAdmin ? 'admins' : 'players'}/${id}`)
  }
  const { snapshots } = await order('GET', '/api/admin/snapshots')
  const isKept = snapshots.some(({ id }: Loose) => id === beginning)
  // A world that was replaced has none of another's snapshots.
  if (!isKept) await order('POST', '/api/admin/game/reset')
  const { backups } = await order('GET', '/api/admin/backups')
  for (const { backup_id: id } of backups) await order('DELETE', `/api/admin/backups/${id}`)
  await order('POST', '/api/admin/registrations/enable')
  await order('POST', '/api/admin/talk', { enabled: false })
  for (const [method, path, body] of CLOCK) await order(method, `/api/admin/game/${path}`, body)
  if (isKept) await order('POST', '/api/admin/restore', { snapshot_id: beginning })
  else beginning = (await order('POST', '/api/admin/snapshot')).snapshot_id
}

interface Restartable extends UsedServer {
  /** its output begins again, and its admin's token is another */
  forget(): void
  /** stops it and removes its directory */
  end(): Promise<void>
}

/** A server that has not been started. */
function restartable(changes: ServerEnvironment): Restartable {
  const directory = dataDirectory()
  const variables = { ...environment(directory.path, { ...QUICK_PASSWORDS, ...changes }) }
  let last: ServerProcess
  let order: Order | undefined
  let outputBegin = 0
  const server: Restartable = {
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
    output: () => last.output().slice(outputBegin),
    forget: () => {
      outputBegin = last.output().length
      order = undefined
    },
    running: () => last.running(),
    stop: () => last.stop(),
    kill: () => last.kill(),
    order: async (...request) => (order ??= await openOrders(server))(...request),
    restart: async (others) => {
      last = await startServer({ ...variables, ...others })
      outputBegin = 0
    },
    end: async () => {
      await (last as ServerProcess | undefined)?.stop()
      directory.remove()
    },
  }
  return server
}
