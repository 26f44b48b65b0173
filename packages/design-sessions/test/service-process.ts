// The real service as a child process, on a data directory of its own.
import { spawn } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll } from 'vitest'
import { PATIENCE_MS } from './patience.ts'

const MAIN = fileURLToPath(new URL('../src/main.ts', import.meta.url))

/** Variables that a process needs and that do not configure the service. */
const SURROUNDINGS = 'PATH HOME TMPDIR TEMP SystemRoot NODE_OPTIONS NODE_COMPILE_CACHE'.split(' ')

const RENDERING = { RENDER_SECONDS_MAX: String(PATIENCE_MS / 1000), RENDER_WARM: 'false' }

/** Variables of a service process; undefined ones are not set. */
export type ServiceEnvironment = Readonly<Record<string, string | undefined>>

/** A service that listens. */
export interface ServiceProcess {
  /** such as `http://127.0.0.1:41234`, without a slash at the end */
  readonly url: string
  readonly pid: number | undefined
  /** stdout and stderr so far */
  output(): string
  /** SIGTERM; resolves with the exit code, null when a signal ended it */
  stop(): Promise<number | null>
  kill(): Promise<void>
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

/** The service of one test file. */
export interface TestService extends ServiceProcess {
  /** DATA_DIR */
  readonly data: string
  /** KNOWLEDGE_DIR, empty unless the file puts something into it or sets another */
  readonly library: string
  /** Starts it again on the same directories, after `stop` or `kill`. */
  start(variables?: ServiceEnvironment): Promise<void>
}

/** Starts a service on new directories before the tests of a file, and stops it after them. */
export function useService(variables: ServiceEnvironment = {}): TestService {
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

interface Child {
  readonly pid: number | undefined
  readonly output: { stdout: string; stderr: string }
  readonly exited: Promise<number | null>
  signal(name: 'SIGTERM' | 'SIGKILL'): void
  onStdout(listener: () => void): void
}

function child(variables: ServiceEnvironment, args: readonly string[] = []): Child {
  const env: NodeJS.ProcessEnv = {}
  for (const name of SURROUNDINGS) {
    if (process.env[name] !== undefined) env[name] = process.env[name]
  }
  for (const [name, value] of Object.entries(variables)) {
    if (value !== undefined) env[name] = value
  }
  const service = spawn(process.execPath, [MAIN, ...args], {
    env,
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const output = { stdout: '', stderr: '' }
  for (const name of ['stdout', 'stderr'] as const) {
    service[name].setEncoding('utf8').on('data', (text: string) => {
      output[name] += text
    })
  }
  // An aborted test run leaves no service behind.
  const end = (): void => void service.kill('SIGKILL')
  process.once('exit', end)
  const exited = new Promise<number | null>((resolve) => {
    service.on('close', (code) => {
      process.off('exit', end)
      resolve(code)
    })
  })
  return {
    pid: service.pid,
    output,
    exited,
    signal: (name) => void service.kill(name),
    onStdout: (listener) => void service.stdout.on('data', listener),
  }
}

/** Starts a service on any free port and waits until it listens. */
export async function startService(variables: ServiceEnvironment): Promise<ServiceProcess> {
  const service = child({ DESIGN_SESSIONS_PORT: '0', ...RENDERING, ...variables })
  const url = await new Promise<string>((resolve, reject) => {
    const timer = setTimeout(() => {
      service.signal('SIGKILL')
      reject(new Error(`No start within ${PATIENCE_MS} ms: ${service.output.stderr}`))
    }, PATIENCE_MS)
    service.onStdout(() => {
      const found = /listens on (http:\/\/127\.0\.0\.1:\d+)\/\n/.exec(service.output.stdout)?.[1]
      if (found === undefined) return
      clearTimeout(timer)
      resolve(found)
    })
    void service.exited.then((code) => {
      clearTimeout(timer)
      reject(new Error(`The service ended with ${code}: ${service.output.stderr}`))
    })
  })
  return {
    url,
    pid: service.pid,
    output: () => service.output.stdout + service.output.stderr,
    stop: () => {
      service.signal('SIGTERM')
      return service.exited
    },
    kill: async () => {
      service.signal('SIGKILL')
      await service.exited
    },
  }
}

/** Starts a service that must end by itself, and waits for that. */
export async function endedStart(
  variables: ServiceEnvironment,
  args: readonly string[] = [],
): Promise<Refusal> {
  const service = child(variables, args)
  const timer = setTimeout(() => service.signal('SIGKILL'), PATIENCE_MS)
  const code = await service.exited
  clearTimeout(timer)
  return { code, ...service.output }
}
