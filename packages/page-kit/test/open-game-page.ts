// The page of a real server in a real browser.
import { sharedBrowser } from '@orrery/testkit/browser'
import { IS_NIGHT, testPatience } from '@orrery/testkit/tier'
import type { Page, ViewportSize } from 'playwright-core'
import { PageServer, sharedPageServer } from './page-server.ts'

const VIEWPORT: ViewportSize = { width: 480, height: 360 }

/** A locator that finds nothing fails in time for the others of its file. */
const WAIT_MS_MAX = Math.max(20_000, 10_000 * testPatience()) * (IS_NIGHT ? 10 : 1)

interface GamePageOptions {
  /** whether it draws: its other parts work without WebGL, and cost far less */
  readonly hasGraphics?: boolean
  /** whether a server of its own is there for it, which may be stopped and reset */
  readonly hasOwnServer?: boolean
  /** whether its frames come seldom by day: no test there measures or drags what moves */
  readonly hasFewFrames?: boolean
  readonly viewport?: ViewportSize
  /** the language of the browser */
  readonly locale?: string
}

export interface GamePage {
  readonly url: string
  readonly server: PageServer
  readonly page: Page
  readonly client: PageServer['client']
  /** errors and breaches of the page's policy that the browser has reported */
  readonly complaints: readonly string[]
  admin: PageServer['admin']
  /** Opens what is no page of the game, so that a link with another hash loads one. */
  leave(): Promise<void>
  close(): Promise<void>
}

/** Added to the wait for each frame where few suffice: they are most of a page's cost. */
const FRAME_DELAY_MS = 400

/** Without a graphics card Chromium itself reads each picture back, and warns of that. */
const OF_THE_BROWSER = /GL Driver Message .* GPU stall due to ReadPixels/

export async function openGamePage({
  hasGraphics = false,
  hasOwnServer = false,
  hasFewFrames = false,
  viewport = VIEWPORT,
  // The machine's own language may be one that no browser of a player has, such as POSIX.
  locale = 'en-GB',
}: GamePageOptions = {}): Promise<GamePage> {
  await using opened = new AsyncDisposableStack()
  const server = await (hasOwnServer ? PageServer.start() : sharedPageServer())
  if (hasOwnServer) opened.defer(() => server.remove())
  const browser = await sharedBrowser({ hasGraphics })
  const context = await browser.newContext({ viewport, reducedMotion: 'reduce', locale })
  opened.defer(() => context.close())
  context.setDefaultTimeout(WAIT_MS_MAX)
  if (hasFewFrames && !IS_NIGHT) await context.addInitScript(slowFrames, FRAME_DELAY_MS)
  const page = await context.newPage()
  const complaints: string[] = []
  page.on('pageerror', (error) => complaints.push(error.message))
  page.on('console', (message) => {
    const isComplaint = ['error', 'warning'].includes(message.type())
    if (isComplaint && !OF_THE_BROWSER.test(message.text())) complaints.push(message.text())
  })
  const kept = opened.move()
  return {
    url: server.url,
    server,
    page,
    client: server.client,
    complaints,
    admin: () => server.admin(),
    // Of the same origin: Chromium starts a process for each change of it.
    leave: async () => void (await page.goto(`${server.url}/health/live`)),
    close: () => kept.disposeAsync(),
  }
}

/** Runs in the page: each frame that it asks for comes later by so much [ms]. */
function slowFrames(laterMs: number): void {
  const { requestAnimationFrame: request, cancelAnimationFrame: cancel } = globalThis
  const asked = new Map<number, number>()
  const requestLater = (draw: FrameRequestCallback): number => {
    const id = Number(
      setTimeout(() => {
        const call = (nowMs: number): void => {
          asked.delete(id)
          draw(nowMs)
        }
        asked.set(id, request(call))
      }, laterMs),
    )
    return id
  }
  const cancelLater = (id: number): void => {
    clearTimeout(id)
    cancel(asked.get(id) ?? 0)
  }
  Object.assign(globalThis, {
    requestAnimationFrame: requestLater,
    cancelAnimationFrame: cancelLater,
  })
}
