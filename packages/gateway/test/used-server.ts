// One server process for all tests of a file: the one that the files of a worker process hand on to
// each other, those of the page too, or one on a directory of its own.
import { QUICK_PASSWORDS } from '@orrery/testkit'
import { type KeptServer, endHeld, keptServer, startHeldAgain } from '@orrery/testkit/kept-server'
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
  const server = ofKept()
  beforeAll(async () => {
    await server.begin()
    await server.order('POST', '/api/admin/game/resume')
    await prepare()
  })
  afterAll(() => server.end())
  return server
}

const CLOCK: readonly (readonly [method: string, path: string, body?: object])[] = [
  ['POST', 'adaptive-tick-rate', { enabled: false }],
  ['POST', 'time-sync', { enabled: false }],
  ['PUT', 'tick-rate', { tick_rate: 1 }],
  ['PUT', 'time-scale', { time_scale: 1 }],
  // It costs nothing until the next file.
  ['POST', 'pause'],
]

/** Deletes what tests have made, and sets the clock back; returns the snapshot of the beginning. */
async function tidied(order: Order, beginning: number | undefined): Promise<number> {
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
  if (!isKept || beginning === undefined) {
    return (await order('POST', '/api/admin/snapshot')).snapshot_id
  }
  await order('POST', '/api/admin/restore', { snapshot_id: beginning })
  return beginning
}

interface Restartable extends UsedServer {
  /** stops it and removes its directory */
  end(): Promise<void>
}

/** A server that has not been started. */
function restartable(changes: ServerEnvironment): Restartable {
  const directory = dataDirectory()
  const variables = { ...environment(directory.path, { ...QUICK_PASSWORDS, ...changes }) }
  let last: ServerProcess
  let order: Order | undefined
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
    output: () => last.output(),
    running: () => last.running(),
    stop: () => last.stop(),
    kill: () => last.kill(),
    order: async (...request) => (order ??= await openOrders(server))(...request),
    restart: async (others) => {
      last = await startServer({ ...variables, ...others })
    },
    end: async () => {
      await (last as ServerProcess | undefined)?.stop()
      directory.remove()
    },
  }
  return server
}

interface OfKept extends UsedServer {
  /** empties it, unless the file before has left it so */
  begin(): Promise<void>
  end(): Promise<void>
}

/** The server that the files of this process hand on, for one of them. */
function ofKept(): OfKept {
  let kept: KeptServer
  let order: Order | undefined
  let outputBegin = 0
  const output = (): string => {
    const { stdout, stderr } = kept.process.output()
    return stdout + stderr
  }
  const tidy = async (): Promise<void> => {
    order = undefined
    kept.beginning = await tidied(server.order, kept.beginning)
    kept.isUsed = false
  }
  const server: OfKept = {
    get variables() {
      return kept.variables
    },
    get url() {
      return kept.url
    },
    get port() {
      return Number(new URL(kept.url).port)
    },
    get pid() {
      return kept.process.pid
    },
    output: () => output().slice(outputBegin),
    running: () => kept.process.running(),
    stop: () => kept.process.stop(),
    kill: async () => void (await kept.process.kill()),
    order: async (...request) => (order ??= await openOrders(server))(...request),
    restart: async (changes) => {
      await startHeldAgain(kept, changes)
      outputBegin = 0
    },
    begin: async () => {
      kept = await keptServer(MAIN)
      if (kept.isUsed) await tidy()
      kept.beginning ??= (await server.order('POST', '/api/admin/snapshot')).snapshot_id
      outputBegin = output().length
      kept.isUsed = true
    },
    end: async () => {
      try {
        if (!kept.process.running()) await server.restart()
        await tidy()
      } catch {
        // After a failed test: the next file has a new one.
        await endHeld(kept)
      }
    },
  }
  return server
}
