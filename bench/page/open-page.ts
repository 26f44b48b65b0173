/** A page of the game in a browser, and what its frames and its memory cost. */
import { type LaunchedBrowser, launchBrowser } from '@orrery/testkit/browser'
import type { CDPSession, Page, ViewportSize } from 'playwright-core'
import type { Pilot } from '../load/pilots.ts'

/** As a small screen has. */
const SCREEN: ViewportSize = { width: 1280, height: 720 }

/** The page keeps who plays here. */
const ACCOUNT_KEY = 'orrery.account'

export interface OpenPage {
  readonly page: Page
  /** pictures a second, over so many seconds */
  frameRate(seconds: number): Promise<number>
  /** script of the page's own thread per picture, waiting included, over so many seconds [ms] */
  scriptMsPerFrame(seconds: number): Promise<number>
  /** processor time of that script per picture [ms] */
  scriptCpuMsPerFrame(seconds: number): Promise<number>
  /** of the page's own thread, once its garbage is collected [bytes] */
  heapBytes(): Promise<number>
}

export interface Visitor {
  readonly url: string
  /** who plays; a guest when left out */
  readonly pilot?: Pilot
  readonly viewport?: ViewportSize
  /** runs in the page before its own scripts */
  readonly script?: () => void
}

export type Visit = (visitor: Visitor) => Promise<OpenPage>

/** Opens pages in one browser, each with nothing kept from the others. */
export async function withBrowser<Result>(
  measure: (visit: Visit) => Promise<Result>,
): Promise<Result> {
  const { browser, close }: LaunchedBrowser = await launchBrowser({ hasGraphics: true })
  try {
    return await measure(async ({ url, pilot, viewport = SCREEN, script }) => {
      const context = await browser.newContext({ viewport })
      if (pilot) await context.addInitScript(keepAccount, [ACCOUNT_KEY, accountOf(pilot)] as const)
      if (script) await context.addInitScript(script)
      const page = await context.newPage()
      await page.goto(url)
      return opened(page, await context.newCDPSession(page))
    })
  } finally {
    await close()
  }
}

function accountOf({ token, shipId }: Pilot): string {
  return JSON.stringify({ username: 'bench_pilot', token, shipId })
}

function keepAccount([key, account]: readonly [string, string]): void {
  localStorage.setItem(key, account)
}

function opened(page: Page, devtools: CDPSession): OpenPage {
  const frames = (seconds: number): Promise<number> => page.evaluate(countFrames, seconds * 1000)
  return {
    page,
    frameRate: async (seconds) => (await frames(seconds)) / seconds,
    scriptMsPerFrame: async (seconds) => {
      await devtools.send('Profiler.enable')
      await devtools.send('Profiler.start')
      const count = await frames(seconds)
      const { profile } = await devtools.send('Profiler.stop')
      return scriptMs(profile) / count
    },
    scriptCpuMsPerFrame: async (seconds) => {
      await devtools.send('Performance.enable', { timeDomain: 'threadTicks' })
      const before = await scriptSeconds(devtools)
      const count = await frames(seconds)
      const after = await scriptSeconds(devtools)
      await devtools.send('Performance.disable')
      return (1000 * (after - before)) / count
    },
    heapBytes: async () => {
      await devtools.send('HeapProfiler.collectGarbage')
      return (await devtools.send('Runtime.getHeapUsage')).usedSize
    },
  }
}

// The browser's types would declare the browser for all of Node's code, too.
declare const requestAnimationFrame: (callback: (nowMs: number) => void) => void

function countFrames(ms: number): Promise<number> {
  return new Promise((resolve) => {
    const startMs = performance.now()
    let frames = 0
    const count = (nowMs: number): void => {
      if (nowMs - startMs > ms) resolve(frames)
      else requestAnimationFrame(count)
      frames++
    }
    requestAnimationFrame(count)
  })
}

async function scriptSeconds(devtools: CDPSession): Promise<number> {
  const { metrics } = await devtools.send('Performance.getMetrics')
  return metrics.find(({ name }) => name === 'ScriptDuration')?.value ?? NaN
}

/** What is no script: waiting, and the browser's own work. */
const OTHERS = new Set(['(idle)', '(program)'])

interface Profile {
  readonly nodes: readonly { readonly id: number; readonly callFrame: { functionName: string } }[]
  readonly samples?: readonly number[]
  readonly timeDeltas?: readonly number[]
}

function scriptMs({ nodes, samples = [], timeDeltas = [] }: Profile): number {
  const others = nodes.filter(({ callFrame }) => OTHERS.has(callFrame.functionName))
  const isOther = new Set(others.map(({ id }) => id))
  const spent = samples.reduce((sum, id, i) => sum + (isOther.has(id) ? 0 : timeDeltas[i]), 0)
  return spent / 1000
}
