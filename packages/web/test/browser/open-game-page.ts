// The page of a real server in a real browser.
import { type AdminClient, type GameClient, createGameClient } from '@orrery/client'
import { type ServiceProcess, startService } from '@orrery/testkit'
import { launchBrowser } from '@orrery/testkit/browser'
import { createHmac, randomBytes } from 'node:crypto'
import { mkdir, mkdtemp, rm, symlink } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Page } from 'playwright-core'
import { buildPage } from '../../build/build-page.ts'

/** The page that tests share; the next run finds it built. */
const BUILT = fileURLToPath(new URL('../../node_modules/.cache/page', import.meta.url))

/** The processor draws: small pictures are quicker. */
const VIEWPORT = { width: 480, height: 360 }

export interface GamePage {
  readonly url: string
  /** of the built page */
  readonly built: string
  readonly page: Page
  readonly client: GameClient
  /** errors and breaches of the page's policy that the browser has reported */
  readonly complaints: readonly string[]
  /** the environment's admin */
  readonly chief: { readonly username: string; readonly password: string }
  admin(): Promise<AdminClient>
  adminToken(): Promise<string>
  /** the same that expires after so many seconds */
  expiringToken(seconds: number): Promise<string>
  stopServer(): Promise<void>
  /** starts it again on the same data and port, with some variables of its own */
  startServer(variables?: Readonly<Record<string, string>>): Promise<void>
  close(): Promise<void>
}

/** Without a graphics card Chromium itself reads each picture back, and warns of that. */
const OF_THE_BROWSER = /GL Driver Message .* GPU stall due to ReadPixels/

/** @param hasGraphics  whether it draws: its other parts work without WebGL, and cost less */
export async function openGamePage({
  hasGraphics = true,
}: { readonly hasGraphics?: boolean } = {}): Promise<GamePage> {
  await using opened = new AsyncDisposableStack()
  await buildPage(BUILT)
  const directory = await mkdtemp(join(tmpdir(), 'orrery-web-'))
  opened.defer(() => rm(directory, { recursive: true, force: true }))
  await mkdir(join(directory, 'data'))
  await symlink(BUILT, join(directory, 'data', 'page'), 'junction')
  let port = '0'
  const chief = { username: 'Chief_1', password: randomBytes(12).toString('base64url') }
  const key = randomBytes(48).toString('base64url')
  const start = (variables: Readonly<Record<string, string>> = {}): ServiceProcess =>
    startService({
      main: import.meta.resolve('@orrery/gateway/main'),
      variables: {
        DATA_DIR: join(directory, 'data'),
        PORT: port,
        JWT_SECRET_KEY: key,
        ADMIN_USERNAME: chief.username,
        ADMIN_PASSWORD: chief.password,
        LOGIN_ATTEMPTS_PER_MINUTE: '1000',
        REGISTRATIONS_PER_HOUR: '0',
        MAX_SHIPS: '2000',
        WORKERS: '1',
        ...variables,
      },
    })
  let server = start()
  opened.defer(async () => void (await server.stop()))
  const { browser, close } = await launchBrowser({ hasGraphics })
  opened.defer(close)
  // The machine's own language may be one that no browser of a player has, such as POSIX.
  const context = await browser.newContext({
    viewport: VIEWPORT,
    reducedMotion: 'reduce',
    locale: 'en-GB',
  })
  // A busy machine is no failure.
  context.setDefaultTimeout(200_000)
  const page = await context.newPage()
  const complaints: string[] = []
  page.on('pageerror', (error) => complaints.push(error.message))
  page.on('console', (message) => {
    const isComplaint = ['error', 'warning'].includes(message.type())
    if (isComplaint && !OF_THE_BROWSER.test(message.text())) complaints.push(message.text())
  })
  const url = await server.ready
  port = new URL(url).port
  const client = createGameClient({ url })
  const adminToken = async (): Promise<string> =>
    (await client.adminLogin(chief.username, chief.password)).token
  const kept = opened.move()
  return {
    url,
    built: BUILT,
    page,
    client,
    complaints,
    chief,
    admin: async () => client.admin(await adminToken()),
    adminToken,
    expiringToken: async (seconds) => {
      const [header, payload = ''] = (await adminToken()).split('.')
      const claims = JSON.parse(Buffer.from(payload, 'base64url').toString())
      const exp = Math.floor(Date.now() / 1000) + seconds
      const content = Buffer.from(JSON.stringify({ ...claims, exp })).toString('base64url')
      const signed = `${header}.${content}`
      return `${signed}.${createHmac('sha256', key).update(signed).digest('base64url')}`
    },
    stopServer: async () => void (await server.stop()),
    startServer: async (variables) => {
      server = start(variables)
      await server.ready
    },
    close: () => kept.disposeAsync(),
  }
}
