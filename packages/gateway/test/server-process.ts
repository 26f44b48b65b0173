// The real server as a child process, on a database directory of its own.
import { spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const MAIN = fileURLToPath(new URL('../src/main.ts', import.meta.url))

/** What a process needs of the environment that is no configuration of the server. */
const SURROUNDINGS = ['PATH', 'HOME', 'TMPDIR', 'TEMP', 'SystemRoot', 'NODE_OPTIONS']

/** A fresh start makes a database and days of ephemeris, beside whatever else the machine does. */
const START_MS_MAX = 120_000

/** Time for a test or hook that starts a server. */
export const STARTING_TEST_MS_MAX = 150_000

export const ADMIN = { username: 'Chief_1', password: 'admin-pass-9d1f' }

/** Names and texts for a server process; what is undefined is not set. */
export type ServerEnvironment = Readonly<Record<string, string | undefined>>

/** A start that ended by itself. */
export interface Refusal {
  readonly code: number | null
  readonly stdout: string
  readonly stderr: string
}

/** A server that listens. */
export interface ServerProcess {
  /** such as `http://127.0.0.1:41234`, without a slash at the end */
  readonly url: string
  readonly port: number
  readonly pid: number | undefined
  /** all it has written so far, stdout and stderr */
  output(): string
  running(): boolean
  /** SIGTERM; resolves with the exit code, null when a signal ended it */
  stop(): Promise<number | null>
  kill(): Promise<void>
}

/** A key that signs tokens, of 48 random bytes. */
export function randomKey(): string {
  return randomBytes(48).toString('base64url')
}

/** A directory's path under a new temporary one, where nothing is yet, and how to remove it. */
export function dataDirectory(): { readonly path: string; remove(): void } {
  const root = mkdtempSync(join(tmpdir(), 'orrery-gateway-'))
  return { path: join(root, 'data'), remove: () => rmSync(root, { recursive: true, force: true }) }
}

/** A complete environment on a directory: any free port, a small world, an admin. */
export function environment(directory: string, changes: ServerEnvironment): ServerEnvironment {
  return {
    DATA_DIR: directory,
    PORT: '0',
    JWT_SECRET_KEY: randomKey(),
    ADMIN_USERNAME: ADMIN.username,
    ADMIN_PASSWORD: ADMIN.password,
    MAX_SHIPS: '2000',
    WORKERS: '1',
    LOGIN_ATTEMPTS_PER_MINUTE: '1000000',
    ...changes,
  }
}

interface Child {
  readonly pid: number | undefined
  readonly output: { stdout: string; stderr: string }
  readonly exited: Promise<number | null>
  running(): boolean
  signal(name: 'SIGTERM' | 'SIGKILL'): void
  onStdout(listener: () => void): void
}

function child(variables: ServerEnvironment, args: readonly string[] = []): Child {
  const env: NodeJS.ProcessEnv = {}
  for (const name of SURROUNDINGS) {
    if (process.env[name] !== undefined) env[name] = process.env[name]
  }
  for (const [name, value] of Object.entries(variables)) {
    if (value !== undefined) env[name] = value
  }
  const server = spawn(process.execPath, [MAIN, ...args], {
    env,
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const output = { stdout: '', stderr: '' }
  for (const name of ['stdout', 'stderr'] as const) {
    server[name].setEncoding('utf8').on('data', (text: string) => {
      output[name] += text
    })
  }
  // A test run that is broken off must not leave its servers behind.
  const end = (): void => void server.kill('SIGKILL')
  process.once('exit', end)
  const exited = new Promise<number | null>((resolve) => {
    server.on('close', (code) => {
      process.off('exit', end)
      resolve(code)
    })
  })
  return {
    pid: server.pid,
    output,
    exited,
    running: () => server.exitCode === null && server.signalCode === null,
    signal: (name) => void server.kill(name),
    onStdout: (listener) => void server.stdout.on('data', listener),
  }
}

/** Starts a server and waits until it listens. */
export async function startServer(variables: ServerEnvironment): Promise<ServerProcess> {
  const server = child(variables)
  const url = await new Promise<string>((resolve, reject) => {
    const timer = setTimeout(() => {
      server.signal('SIGKILL')
      reject(new Error(`No start within ${START_MS_MAX} ms: ${server.output.stderr}`))
    }, START_MS_MAX)
    server.onStdout(() => {
      const found = /listens on (https?:\/\/127\.0\.0\.1:\d+)\/\n/.exec(server.output.stdout)?.[1]
      if (found === undefined) return
      clearTimeout(timer)
      resolve(found)
    })
    void server.exited.then((code) => {
      clearTimeout(timer)
      reject(new Error(`The server ended with ${code}: ${server.output.stderr}`))
    })
  })
  return {
    url,
    port: Number(new URL(url).port),
    pid: server.pid,
    output: () => server.output.stdout + server.output.stderr,
    running: () => server.running(),
    stop: () => {
      server.signal('SIGTERM')
      return server.exited
    },
    kill: async () => {
      server.signal('SIGKILL')
      await server.exited
    },
  }
}

/** Starts a server and kills it at a moment of its start; resolves with all it has written. */
export async function killedStart(
  variables: ServerEnvironment,
  moment: () => Promise<void>,
): Promise<string> {
  const server = child(variables)
  const ended = server.exited.then((code) => {
    throw new Error(`The server ended with ${code}: ${server.output.stderr}`)
  })
  try {
    await Promise.race([moment(), ended])
  } finally {
    server.signal('SIGKILL')
  }
  await ended.catch(() => undefined)
  return server.output.stdout + server.output.stderr
}

/** Starts a server that must not come up, and waits for its end. */
export async function refusedStart(
  variables: ServerEnvironment,
  args: readonly string[] = [],
): Promise<Refusal> {
  const server = child(variables, args)
  const timer = setTimeout(() => server.signal('SIGKILL'), START_MS_MAX)
  const code = await server.exited
  clearTimeout(timer)
  return { code, ...server.output }
}
