/** The real server in a new directory, with a given number of accounts. */
import { type AdminClient, createGameClient } from '@orrery/client'
import { buildPages } from '@orrery/page-kit/build'
import { WITHOUT_LIMITS, startService } from '@orrery/testkit'
import { progress } from '@orrery/testkit/progress'
import { type Scrape, parseScrape } from '@orrery/testkit/scrape'
import { execFile } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { type Memory, memory } from './memory.ts'
import { type Pilot, seedPilots } from './pilots.ts'

/** More than there are pilots, and those who join beside them. */
const SOCKETS_MAX = 100_000

/** Most of the ephemeris is made, and code compiled, in this time. */
const SETTLE_MS = 15_000

export const ADMIN: { readonly username: string; readonly password: string } = {
  username: 'bench_admin',
  password: randomBytes(12).toString('hex'),
}

const run = promisify(execFile)

/** Binds all threads of a process to one core; false where the system cannot. */
export async function pin(pid: number | undefined, core: number): Promise<boolean> {
  return run('taskset', ['-a', '-p', '-c', String(core), String(pid)]).then(
    () => true,
    () => false,
  )
}

/** A server to be put under load. */
export interface LoadServer {
  readonly url: string
  readonly pilots: readonly Pilot[]
  readonly admin: AdminClient
  readonly pid: number | undefined
  /** the server's metrics now */
  scrape(): Promise<Scrape>
  /** the server's memory, once its garbage is collected */
  memory(): Promise<Memory>
  stop(): Promise<void>
}

/** Starts a server, and waits until the work of a start is over. */
export async function startLoadServer(options: {
  readonly pilots: number
  readonly rateHz: number
  /** whether it serves the pages */
  readonly hasPage?: boolean
  /** fills the data directory before the start */
  readonly prepare?: (dataDirectory: string) => Promise<void>
  /** FRAME_BUDGET of the server [bytes/s]; its default when left out */
  readonly frameBudget?: number
  /** of a bus on which it publishes what becomes durable */
  readonly natsUrl?: string | undefined
}): Promise<LoadServer> {
  const directory = await mkdtemp(join(tmpdir(), 'orrery-bench-'))
  const tokenKey = randomBytes(32).toString('hex')
  const { pilots: count, hasPage = false, frameBudget } = options
  progress.at(`a server with ${count} accounts`)
  if (hasPage) await buildPages(join(directory, 'page'))
  await options.prepare?.(directory)
  const pilots = count === 0 ? [] : await seedPilots({ dataDirectory: directory, tokenKey, count })
  const server = startService({
    main: import.meta.resolve('@orrery/gateway/main'),
    nodeArgs: ['--inspect=127.0.0.1:0'],
    variables: {
      PORT: '0',
      LOG_LEVEL: 'error',
      DATA_DIR: directory,
      JWT_SECRET_KEY: tokenKey,
      ADMIN_USERNAME: ADMIN.username,
      ADMIN_PASSWORD: ADMIN.password,
      ...WITHOUT_LIMITS,
      SOCKETS_MAX: String(SOCKETS_MAX),
      NATS_URL: options.natsUrl,
      ...(frameBudget !== undefined && { FRAME_BUDGET: String(frameBudget) }),
    },
  })
  const stop = async (): Promise<void> => {
    await server.stop()
    await rm(directory, { recursive: true })
  }
  try {
    const inspectorUrl = await server.announced(/Debugger listening on (\S+)/)
    const url = await server.ready
    const game = createGameClient({ url })
    const { token } = await game.adminLogin(ADMIN.username, ADMIN.password)
    const admin = game.admin(token)
    await admin.game.changeTickRate(options.rateHz)
    progress.at('the server settles')
    await new Promise((resolve) => setTimeout(resolve, SETTLE_MS))
    const scrape = async (): Promise<Scrape> => parseScrape(await admin.metrics())
    return { url, pilots, admin, pid: server.pid, scrape, memory: () => memory(inspectorUrl), stop }
  } catch (error) {
    await stop()
    throw error
  }
}
