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

/**
 * Added to the wait for each frame where few suffice: they are most of a page's cost. The first
 * after what is put in, and the most while the page is only waited for.
 */
const FRAME_DELAYS_MS = [400, 1200] as const

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
  if (hasFewFrames && !IS_NIGHT) await context.addInitScript(slowFrames, FRAME_DELAYS_MS)
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

/**
 * Runs in the page: the longer nothing has been put in, the later comes each frame that it asks
 * for, between the two times [ms].
 */
function slowFrames([leastMs, mostMs]: readonly [number, number]): void {
  const { requestAnimationFrame: request, cancelAnimationFrame: cancel } = globalThis
  const asked = new Map<number, { draw: FrameRequestCallback; timer: number; frame: number }>()
  let lastId = 0
  let inputMs = 0
  const wait = (id: number): void => {
    const one = asked.get(id)
    if (!one || one.frame > 0) return
    const call = (nowMs: number): void => {
      asked.delete(id)
      one.draw(nowMs)
    }
    clearTimeout(one.timer)
    const laterMs = Math.min(Math.max(performance.now() - inputMs, leastMs), mostMs)
    one.timer = Number(setTimeout(() => (one.frame = request(call)), laterMs))
  }
  const begin = (): void => {
    // A frame that comes soon comes all the same while much is typed.
    if (performance.now() - inputMs < leastMs) return
    inputMs = performance.now()
    for (const id of asked.keys()) wait(id)
  }
  const inputs = ['keydown', 'keyup', 'pointerdown', 'pointerup', 'click', 'wheel', 'input']
  for (const name of [...inputs, 'change', 'resize', 'hashchange']) {
    addEventListener(name, begin, { capture: true, passive: true })
  }
  Object.assign(globalThis, {
    requestAnimationFrame: (draw: FrameRequestCallback): number => {
      asked.set(++lastId, { draw, timer: 0, frame: 0 })
      wait(lastId)
      return lastId
    },
    cancelAnimationFrame: (id: number): void => {
      const { timer, frame } = asked.get(id) ?? { timer: 0, frame: 0 }
      asked.delete(id)
      clearTimeout(timer)
      cancel(frame)
    },
  })
}
