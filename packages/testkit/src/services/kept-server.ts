/**
 * A game server that the test files of one process hand on to each other, whatever their package: a
 * start takes more of a processor than most of those files.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { randomBytes } from 'node:crypto'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { WITHOUT_LIMITS } from './address-limits.ts'
import { type Issuer, openIssuer } from './issuer.ts'
import { prepareData } from './prepared-data.ts'
import { QUICK_PASSWORDS } from './quick-passwords.ts'
import { type ServiceEnvironment, type ServiceProcess, startService } from './service-process.ts'

/** A server that listens at one port, also after another start. */
export interface HeldServer {
  readonly main: string
  /** of the next start */
  variables: ServiceEnvironment
  readonly url: string
  process: ServiceProcess
}

/** One that files hand on. */
export interface KeptServer extends HeldServer {
  /** whether a file has left more than an empty world and the environment's admin */
  isUsed: boolean
  /** snapshot of the world in which files begin that need an empty one */
  beginning?: number
}

/** Of a kept server, beside what every server under test has. */
export const KEPT: Readonly<
  Record<'SERVER_NAME' | 'METRICS_TOKEN' | 'INVITED_PER_PLAYER', string>
> = {
  SERVER_NAME: 'Proving Ground',
  INVITED_PER_PLAYER: '4',
  METRICS_TOKEN: 'metrics-token-of-the-shared-server',
}

/** The issuer of foreign identities that a kept server accepts. */
export const keptIssuer: Issuer = await openIssuer()

let kept: KeptServer | undefined

/** Starts a server on a directory of its own. */
export async function startHeld(main: string, more: ServiceEnvironment): Promise<HeldServer> {
  const directory = mkdtempSync(join(tmpdir(), 'orrery-held-'))
  const data = join(directory, 'data')
  await prepareData(data, main)
  const variables: ServiceEnvironment = {
    DATA_DIR: data,
    PORT: '0',
    JWT_SECRET_KEY: randomBytes(48).toString('base64url'),
    MAX_SHIPS: '2000',
    WORKERS: '1',
    ...WITHOUT_LIMITS,
    ...QUICK_PASSWORDS,
    ...more,
  }
  const process = startService({ main, variables })
  return { main, variables, url: await process.ready, process }
}

/** Starts it again after a stop or a kill, with some variables for this start. */
export async function startHeldAgain(
  server: HeldServer,
  changes: ServiceEnvironment = {},
): Promise<void> {
  const { main, variables, url } = server
  const { port: PORT } = new URL(url)
  server.process = startService({ main, variables: { ...variables, PORT, ...changes } })
  await server.process.ready
}

/** Stops a server and removes its directory. */
export async function endHeld(server: HeldServer): Promise<void> {
  if (kept === server) kept = undefined
  await server.process.stop()
  rmSync(join(server.variables['DATA_DIR'] ?? '', '..'), { recursive: true, force: true })
}

/** The server that files hand on; started by the first one. */
export async function keptServer(main: string): Promise<KeptServer> {
  if (kept) return kept
  // As tests of the gateway have it.
  const admin = { ADMIN_USERNAME: 'Chief_1', ADMIN_PASSWORD: 'admin-pass-9d1f' }
  return (kept = Object.assign(await startHeld(main, { ...KEPT, ...issued(), ...admin }), {
    isUsed: false,
  }))
}

function issued(): ServiceEnvironment {
  const { issuer, audience, keysUrl } = keptIssuer.signIn
  return {
    SIGN_IN_ISSUER: issuer,
    SIGN_IN_AUDIENCE: audience,
    SIGN_IN_KEYS_URL: keysUrl,
  }
}
