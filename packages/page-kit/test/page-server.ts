// A real server with the page: one that all files of a test process share, or one for a file that
// stops it or puts its world aside.
import { type AdminClient, type GameClient, createGameClient } from '@orrery/client'
import {
  type HeldServer,
  endHeld,
  keptServer,
  startHeld,
  startHeldAgain,
} from '@orrery/testkit/kept-server'
import { madeOnce } from '@orrery/testkit/made-once'
import { createHmac, randomBytes } from 'node:crypto'
import { existsSync } from 'node:fs'
import { symlink } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { buildPages } from '../build/build-pages.ts'

/** The page that tests share; the next run finds it built. */
const BUILT = fileURLToPath(new URL('../../web/node_modules/.cache/page', import.meta.url))

const NOT_BUILT = 'The page is not built yet'

const MAIN = import.meta.resolve('@orrery/gateway/main')

export class PageServer {
  readonly url: string
  readonly client: GameClient
  /** directory of the built page */
  readonly built: string = BUILT
  /** the environment's admin */
  readonly chief: { readonly username: string; readonly password: string }
  readonly #server: HeldServer
  #adminToken: Promise<string> | undefined

  private constructor(server: HeldServer) {
    const { url, variables } = server
    const { ADMIN_USERNAME: username = '', ADMIN_PASSWORD: password = '' } = variables
    this.url = url
    this.client = createGameClient({ url })
    this.chief = { username, password }
    this.#server = server
  }

  /** Shows the page on a server. */
  static async of(server: HeldServer): Promise<PageServer> {
    // Vite takes seconds of a processor: in a clean clone each process of a run would build.
    await madeOnce('built-page', async () => void (await buildPages(BUILT)))
    const page = join(server.variables['DATA_DIR'] ?? '', 'page')
    if (!existsSync(page)) await symlink(BUILT, page, 'junction')
    // It looks for a page once a second.
    while ((await (await fetch(server.url)).text()).includes(NOT_BUILT)) await sleep(50)
    return new PageServer(server)
  }

  static async start(): Promise<PageServer> {
    const ADMIN_PASSWORD = randomBytes(12).toString('base64url')
    const admin = { ADMIN_USERNAME: 'Chief_1', ADMIN_PASSWORD }
    return PageServer.of(await startHeld(MAIN, { LOGIN_ATTEMPTS_PER_MINUTE: '1000', ...admin }))
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
    const key = this.#server.variables['JWT_SECRET_KEY'] ?? ''
    return `${signed}.${createHmac('sha256', key).update(signed).digest('base64url')}`
  }

  async stop(): Promise<void> {
    await this.#server.process.stop()
  }

  /** Starts it again on the same data and port, from then on with some variables more. */
  async startAgain(variables: Readonly<Record<string, string>> = {}): Promise<void> {
    this.#server.variables = { ...this.#server.variables, ...variables }
    await startHeldAgain(this.#server)
  }

  /** Ends it for good. */
  async remove(): Promise<void> {
    await endHeld(this.#server)
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

/** The server of all files that one test process runs; it ends with that process. */
export async function sharedPageServer(): Promise<PageServer> {
  const kept = await keptServer(MAIN)
  kept.isUsed = true
  const server = await PageServer.of(kept)
  await server.settle()
  return server
}
