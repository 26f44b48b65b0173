// The real server as a child process, on a database directory of its own.
import {
  type Issuer,
  type ServiceEnvironment as ServerEnvironment,
  type ServiceProcess as Service,
  startService,
} from '@orrery/testkit'
import { createLogger } from '@orrery/http'
import { randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gatewayConfig } from '../src/config.ts'
import { startGameServer } from '../src/game-server.ts'

export const MAIN: string = new URL('../src/main.ts', import.meta.url).href

/** A fresh start makes a database and days of ephemeris, on a machine that may be busy. */
const START_MS_MAX = 120_000

export const ADMIN = { username: 'Chief_1', password: 'admin-pass-9d1f' }

export type { ServiceEnvironment as ServerEnvironment } from '@orrery/testkit'

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
  /** stdout and stderr so far */
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

/** The path of a directory that does not exist yet, under a new temporary one. */
export function dataDirectory(): { readonly path: string; remove(): void } {
  const root = mkdtempSync(join(tmpdir(), 'orrery-gateway-'))
  return { path: join(root, 'data'), remove: () => rmSync(root, { recursive: true, force: true }) }
}

/** A complete environment with a directory, any free port, a small world, an admin. */
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
    REGISTRATIONS_PER_HOUR: '0',
    SOCKETS_PER_ADDRESS: '0',
    ...changes,
  }
}

/** Variables of a server that trusts an issuer. */
export function trusting({ signIn }: Issuer): ServerEnvironment {
  return {
    SIGN_IN_ISSUER: signIn.issuer,
    SIGN_IN_AUDIENCE: signIn.audience,
    SIGN_IN_KEYS_URL: signIn.keysUrl,
  }
}

/** Starts a server and waits until it listens. */
export async function startServer(variables: ServerEnvironment): Promise<ServerProcess> {
  const server = startService({ main: MAIN, variables })
  const url = await withinStart(server, server.ready)
  return {
    url,
    port: Number(new URL(url).port),
    pid: server.pid,
    output: () => textOf(server),
    running: () => server.running(),
    stop: () => server.stop(),
    kill: async () => void (await server.kill()),
  }
}

/** Starts a server and kills it at a moment of its start; resolves with its output. */
export async function killedStart(
  variables: ServerEnvironment,
  moment: () => Promise<void>,
): Promise<string> {
  const server = startService({ main: MAIN, variables })
  const ended = server.ended.then((code) => {
    throw new Error(`The server ended with ${code}: ${server.output().stderr}`)
  })
  try {
    await Promise.race([moment(), ended])
  } finally {
    await server.kill()
  }
  await ended.catch(() => undefined)
  return textOf(server)
}

/** Starts a server that must refuse to start, and waits for its end. */
export async function refusedStart(
  variables: ServerEnvironment,
  args: readonly string[] = [],
): Promise<Refusal> {
  const server = startService({ main: MAIN, variables, args })
  const code = await withinStart(server, server.ended)
  return { code, ...server.output() }
}

/** Why a server does not start, as its process would print it; it is tried in this process. */
export async function startRefusal(variables: ServerEnvironment): Promise<string> {
  const logger = createLogger({ level: 'fatal', destination: 'stderr' })
  let error: unknown = new Error('The server has started.')
  try {
    await (await startGameServer(gatewayConfig(variables), logger)).stop()
  } catch (reason) {
    error = reason
  }
  // Any other error is printed with its stack.
  if (!(error instanceof Error && 'code' in error)) throw error
  return error.message
}

/** A busy machine leaves a tick, or two seconds of the database, too little of a processor. */
const OF_BUSY_MACHINES = /"msg":"(?:slow tick|the database is away; commands are refused)"/

/** Log lines above info, without those that a busy machine causes. */
export function loudLines(output: string): readonly string[] {
  const lines = output.match(/^.*"level":"(?:warn|error|fatal)".*$/gm) ?? []
  return lines.filter((line) => !OF_BUSY_MACHINES.test(line))
}

/** Of these, the errors. */
export function errorLines(output: string): readonly string[] {
  return loudLines(output).filter((line) => !line.includes('"level":"warn"'))
}

/** Kills a server whose start takes too long. */
async function withinStart<Result>(server: Service, awaited: Promise<Result>): Promise<Result> {
  const timer = setTimeout(() => void server.kill(), START_MS_MAX)
  return awaited.finally(() => clearTimeout(timer))
}

function textOf(server: Service): string {
  const { stdout, stderr } = server.output()
  return stdout + stderr
}
