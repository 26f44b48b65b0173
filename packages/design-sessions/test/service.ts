// The real service as a child process, on a data directory of its own: one for the tests of a file,
// or one that many files share.
import { cpSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Logger, createLogger } from '@orrery/http'
import { startService as startProcess, type ServiceEnvironment } from '@orrery/testkit'
import { afterAll, beforeAll } from 'vitest'
import { serviceConfig, startService as openService } from '../src/index.ts'
import { OWN_LIBRARY } from './indexing/fixture.ts'

const MAIN = import.meta.resolve('../src/main.ts')

const LISTENING = { DESIGN_SESSIONS_PORT: '0' }

/** Vectors take a minute of a processor; what they find has its own tests. */
const SEARCHING = { KNOWLEDGE_VECTORS: 'false' }

/** No render is late on a busy machine, where processes of a low priority would starve. */
const RENDERING = { RENDER_SECONDS_MAX: '600', RENDER_WARM: 'false', RENDER_NICENESS: '0' }

/** Variables of a service that listens anywhere and does nothing that no test waits for. */
export const QUIET: ServiceEnvironment = { ...LISTENING, ...RENDERING, ...SEARCHING }

/** A service that listens. */
export interface ServiceProcess {
  /** such as `http://127.0.0.1:41234`, without a slash at the end */
  readonly url: string
  readonly pid: number | undefined
  /** stdout and stderr so far */
  output(): string
  /** SIGTERM; resolves with the exit code, null when a signal ended it */
  stop(): Promise<number | null>
  kill(): Promise<number | null>
}

/** How a start that failed ended. */
export interface Refusal {
  readonly code: number | null
  readonly stdout: string
  readonly stderr: string
}

/** Directories of one service, all temporary. */
export interface ServiceDirectories {
  /** does not exist yet */
  readonly path: string
  /** an empty library: indexing the shipped one takes seconds */
  readonly emptyLibrary: string
  remove(): void
}

export function dataDirectory(): ServiceDirectories {
  const root = mkdtempSync(join(tmpdir(), 'orrery-design-sessions-'))
  const emptyLibrary = join(root, 'knowledge')
  mkdirSync(emptyLibrary)
  const remove = (): void => rmSync(root, { recursive: true, force: true })
  return { path: join(root, 'data'), emptyLibrary, remove }
}

/** Starts a service on any free port and waits until it listens. */
export async function startService(variables: ServiceEnvironment): Promise<ServiceProcess> {
  const started = startProcess({ main: MAIN, variables: { ...QUIET, ...variables } })
  return {
    url: await started.ready,
    pid: started.pid,
    output: () => started.output().stdout + started.output().stderr,
    stop: () => started.stop(),
    kill: () => started.kill(),
  }
}

/** Starts a service that must end by itself, and waits for that. */
export async function endedStart(
  variables: ServiceEnvironment,
  args: readonly string[] = [],
): Promise<Refusal> {
  const started = startProcess({ main: MAIN, variables, args })
  return { code: await started.ended, ...started.output() }
}

/** Why a service does not start, as its process would print it; it is tried in this process. */
export async function startRefusal(
  variables: ServiceEnvironment,
  logger: Logger = createLogger({ level: 'fatal', destination: 'stderr' }),
): Promise<string> {
  let error: unknown = new Error('The service has started')
  try {
    await (await openService(serviceConfig({ ...QUIET, ...variables }), logger)).stop()
  } catch (reason) {
    error = reason
  }
  // Any other error is printed with its stack.
  if (!(error instanceof Error && 'code' in error)) throw error
  return error.message
}

/** A service of a test file. */
export interface TestService {
  readonly url: string
  readonly pid: number | undefined
  /** DATA_DIR */
  readonly data: string
  /** KNOWLEDGE_DIR */
  readonly library: string
  /** stdout and stderr since the file began */
  output(): string
}

/** A service that no other file uses. */
export interface OwnService extends TestService, Pick<ServiceProcess, 'stop' | 'kill'> {
  /** Starts it again on the same directories, after `stop` or `kill`. */
  start(variables?: ServiceEnvironment): Promise<void>
}

/**
 * Starts a service on new directories before the tests of a file, and stops it after them. Its
 * library is empty unless the file puts something into it or sets another.
 */
export function useOwnService(variables: ServiceEnvironment = {}): OwnService {
  const directory = dataDirectory()
  const { path: data, emptyLibrary: library } = directory
  let running: ServiceProcess | undefined
  const service = (): ServiceProcess => {
    if (running === undefined) throw new Error('The service has not been started')
    return running
  }
  const start = async (more: ServiceEnvironment = {}): Promise<void> => {
    const environment = { DATA_DIR: data, KNOWLEDGE_DIR: library, ...variables, ...more }
    running = await startService(environment)
  }
  beforeAll(() => start())
  afterAll(async () => {
    await running?.stop()
    directory.remove()
  })
  return {
    data,
    library,
    start,
    get url() {
      return service().url
    },
    get pid() {
      return service().pid
    },
    output: () => service().output(),
    stop: () => service().stop(),
    kill: () => service().kill(),
  }
}

/** Files of the shipped library, at least one of every group, and its conditions. */
const PARTS = [
  'conditions.txt',
  'general/backup-and-restore.md',
  'general/databases.md',
  'general/disaster-recovery.md',
  'general/high-availability.md',
  'general/networking.md',
  'general/security.md',
  'failures/dns-outage.md',
  'patterns/microservices.md',
  'providers/aws/compute.md',
  'providers/vmware/vsan.md',
  'compliance/gdpr.md',
  'frameworks/nist-csf.md',
]

type Shared = Omit<TestService, 'output'> & Pick<ServiceProcess, 'output'>

let shared: Promise<Shared> | undefined

/** The first file of a test process starts it; it ends with the process. */
async function startShared(): Promise<Shared> {
  const directory = dataDirectory()
  process.once('exit', () => directory.remove())
  const { path: data, emptyLibrary: library } = directory
  for (const part of PARTS) cpSync(join(OWN_LIBRARY, part), join(library, part))
  const service = await startService({ DATA_DIR: data, KNOWLEDGE_DIR: library })
  return { ...service, data, library }
}

/**
 * A service with a small library, which files that neither stop nor configure it share: each uses
 * clients and projects of its own.
 */
export function useService(): TestService {
  let running: Shared | undefined
  let before = 0
  const service = (): Shared => {
    if (running === undefined) throw new Error('The service has not been started')
    return running
  }
  beforeAll(async () => {
    running = await (shared ??= startShared())
    before = running.output().length
  })
  return {
    get url() {
      return service().url
    },
    get pid() {
      return service().pid
    },
    get data() {
      return service().data
    },
    get library() {
      return service().library
    },
    output: () => service().output().slice(before),
  }
}
