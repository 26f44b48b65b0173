// A real server with the page: one that all files of a test process share, or one for a file that
// stops it or puts its world aside.
import { type AdminClient, type GameClient, createGameClient } from '@orrery/client'
import { QUICK_PASSWORDS, type ServiceProcess, startService } from '@orrery/testkit'
import { madeOnce } from '@orrery/testkit/made-once'
import { prepareData } from '@orrery/testkit/prepared-data'
import { createHmac, randomBytes } from 'node:crypto'
import { mkdtemp, rm, symlink } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { buildPages } from '../build/build-pages.ts'

/** The page that tests share; the next run finds it built. */
const BUILT = fileURLToPath(new URL('../../web/node_modules/.cache/page', import.meta.url))

const MAIN = import.meta.resolve('@orrery/gateway/main')

export class PageServer {
  readonly url: string
  readonly client: GameClient
  /** directory of the built page */
  readonly built: string = BUILT
  /** the environment's admin */
  readonly chief: { readonly username: string; readonly password: string }
  #variables: Readonly<Record<string, string>>
  #process: ServiceProcess
  #adminToken: Promise<string> | undefined

  private constructor(process: ServiceProcess, url: string, variables: Record<string, string>) {
    this.url = url
    this.client = createGameClient({ url })
    this.chief = { username: variables['ADMIN_USERNAME'], password: variables['ADMIN_PASSWORD'] }
    this.#variables = { ...variables, PORT: new URL(url).port }
    this.#process = process
  }

  static async start(): Promise<PageServer> {
    // Vite takes seconds of a processor: in a clean clone each process of a run would build.
    await madeOnce('built-page', async () => void (await buildPages(BUILT)))
    const directory = await mkdtemp(join(tmpdir(), 'orrery-web-'))
    await prepareData(directory, MAIN)
    await symlink(BUILT, join(directory, 'page'), 'junction')
    const variables = {
      DATA_DIR: directory,
      PORT: '0',
      JWT_SECRET_KEY: randomBytes(48).toString('base64url'),
      ADMIN_USERNAME: 'Chief_1',
      ADMIN_PASSWORD: randomBytes(12).toString('base64url'),
      LOGIN_ATTEMPTS_PER_MINUTE: '1000',
      REGISTRATIONS_PER_HOUR: '0',
      MAX_SHIPS: '2000',
      WORKERS: '1',
      ...QUICK_PASSWORDS,
    }
    const process = startService({ main: MAIN, variables })
    return new PageServer(process, await process.ready, variables)
  }

  /** Hashed once: a login of an admin takes as long as one of a player. */
  adminToken(): Promise<string> {
    const { username, password } = this.chief
    this.#adminToken ??= this.client.adminLogin(username, password).then(({ token }) => token)
    return this.#adminToken
  }

  async admin(): Promise<AdminClient> {
    return this.client.admin(await this.adminToken())
  }

  /** A token of the admin that expires after so many seconds. */
  async expiringToken(seconds: number): Promise<string> {
    const [header, payload = ''] = (await this.adminToken()).split('.')
    const claims = JSON.parse(Buffer.from(payload, 'base64url').toString())
    const exp = Math.floor(Date.now() / 1000) + seconds
    const content = Buffer.from(JSON.stringify({ ...claims, exp })).toString('base64url')
    const signed = `${header}.${content}`
    const key = this.#variables['JWT_SECRET_KEY']
    return `${signed}.${createHmac('sha256', key).update(signed).digest('base64url')}`
  }

  async stop(): Promise<void> {
    await this.#process.stop()
  }

  /** Starts it again on the same data and port, from then on with some variables more. */
  async startAgain(variables: Readonly<Record<string, string>> = {}): Promise<void> {
    this.#variables = { ...this.#variables, ...variables }
    this.#process = startService({ main: MAIN, variables: this.#variables })
    await this.#process.ready
  }

  /** Ends it for good. */
  async remove(): Promise<void> {
    if ((await shared) === this) shared = undefined
    await this.#process.stop()
    await rm(this.#variables['DATA_DIR'], { recursive: true, force: true })
  }

  /** Its clock is as at its start and registration is open, whatever another file has left. */
  async settle(): Promise<void> {
    const admin = await this.admin()
    if ((await this.client.status()).paused) await admin.game.resume()
    await admin.game.changeTickRate(1)
    await admin.game.changeTimeScale(1)
    await admin.registrations.open()
  }
}

let shared: Promise<PageServer> | undefined

/** The server of all files that one test process runs; it ends with that process. */
export async function sharedPageServer(): Promise<PageServer> {
  shared ??= PageServer.start()
  const server = await shared
  await server.settle()
  return server
}
