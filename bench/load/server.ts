/** The real server in a new directory, with a given number of accounts. */
import { type AdminClient, createGameClient } from '@orrery/client'
import { buildPages } from '@orrery/page-kit/build'
import {
  type ServiceEnvironment,
  type ServiceProcess,
  WITHOUT_LIMITS,
  startService,
} from '@orrery/testkit'
import { progress } from '@orrery/testkit/progress'
import { type Scrape, parseScrape } from '@orrery/testkit/scrape'
import { execFile } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import { type Memory, memory } from './memory.ts'
import { type Pilot, seedPilots } from './pilots.ts'

/** More than there are pilots, and those who join beside them. */
const SOCKETS_MAX = 100_000

/** Most of the ephemeris is made, and code compiled, in this time. */
const SETTLE_MS = 15_000

const LOOK_MS = 50

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

/** A process of a server, as it is measured. */
export interface MeasuredServer {
  readonly url: string
  readonly admin: AdminClient
  readonly pid: number | undefined
  readonly process: ServiceProcess
  /** the server's metrics now */
  scrape(): Promise<Scrape>
  /** the server's memory, once its garbage is collected */
  memory(): Promise<Memory>
}

/** A server to be put under load. */
export interface LoadServer extends Omit<MeasuredServer, 'process'> {
  readonly pilots: readonly Pilot[]
  stop(): Promise<void>
}

/** Variables of all servers here. */
export function variablesOf(directory: string, tokenKey: string): ServiceEnvironment {
  return {
    PORT: '0',
    LOG_LEVEL: 'error',
    DATA_DIR: directory,
    JWT_SECRET_KEY: tokenKey,
    ADMIN_USERNAME: ADMIN.username,
    ADMIN_PASSWORD: ADMIN.password,
    ...WITHOUT_LIMITS,
    SOCKETS_MAX: String(SOCKETS_MAX),
  }
}

/** Starts a process of a server, which can be measured. */
export function startProcess(variables: ServiceEnvironment): ServiceProcess {
  const main = import.meta.resolve('@orrery/gateway/main')
  return startService({ main, nodeArgs: ['--inspect=127.0.0.1:0'], variables })
}

/** Starts one server; it is ended when it does not get ready. */
export async function startMeasured(variables: ServiceEnvironment): Promise<MeasuredServer> {
  const process = startProcess(variables)
  try {
    const inspectorUrl = await process.announced(/Debugger listening on (\S+)/)
    const url = await process.ready
    // A gateway listens before it has the world. A start with many ships keeps a server from
    // answering for longer than a connection is kept.
    const isReady = (): Promise<boolean> =>
      fetch(`${url}/health/ready`).then(
        ({ ok }) => ok,
        (error: unknown) => {
          if (!process.running()) throw error
          return false
        },
      )
    while (!(await isReady())) await sleep(LOOK_MS)
    const game = createGameClient({ url })
    const { token } = await game.adminLogin(ADMIN.username, ADMIN.password)
    const admin = game.admin(token)
    const scrape = async (): Promise<Scrape> => parseScrape(await admin.metrics())
    return { url, admin, pid: process.pid, process, scrape, memory: () => memory(inspectorUrl) }
  } catch (error) {
    await process.kill()
    throw error
  }
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
  try {
    const { process, ...server } = await startMeasured({
      ...variablesOf(directory, tokenKey),
      NATS_URL: options.natsUrl,
      ...(frameBudget !== undefined && { FRAME_BUDGET: String(frameBudget) }),
    })
    const stop = async (): Promise<void> => {
      await process.stop()
      await rm(directory, { recursive: true })
    }
    await settled(server.admin, options.rateHz).catch(async (error: unknown) => {
      await stop()
      throw error
    })
    return { ...server, pilots, stop }
  } catch (error) {
    await rm(directory, { recursive: true, force: true })
    throw error
  }
}

/** Sets the rate, and waits until the work of a start is over. */
export async function settled({ game }: AdminClient, rateHz: number): Promise<void> {
  await game.changeTickRate(rateHz)
  progress.at('the server settles')
  await sleep(SETTLE_MS)
}
