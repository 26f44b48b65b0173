/** A page of headless Chromium that can import modules of the repository. */
import type { Browser, Page } from 'playwright-core'
import { type BrowserOptions, launchBrowser, sharedBrowser } from './browser.ts'
import { startSourceServer } from './source-server.ts'

export { CHROMIUM_RUNS_HERE } from './browser.ts'

export interface OpenPage {
  readonly page: Page
  /** such as `http://127.0.0.1:41234` */
  readonly origin: string
  readonly version: string
  close(): Promise<void>
}

interface PageOptions extends BrowserOptions {
  /** what it may import, by paths such as `/packages/sim/src/index.ts` */
  readonly modules?: readonly string[]
}

/** A page of a browser of its own. */
export async function openPage({ modules, ...options }: PageOptions = {}): Promise<OpenPage> {
  const { browser, close } = await launchBrowser(options)
  return openIn(browser, modules, close)
}

/** A page of the browser that the process shares. */
export async function openSharedPage({ modules, ...options }: PageOptions = {}): Promise<OpenPage> {
  return openIn(await sharedBrowser(options), modules, () => Promise.resolve())
}

async function openIn(
  browser: Browser,
  modules: readonly string[] = [],
  close: () => Promise<void>,
): Promise<OpenPage> {
  await using opened = new AsyncDisposableStack()
  opened.defer(close)
  const server = await startSourceServer(modules)
  opened.defer(() => server.close())
  const context = await browser.newContext()
  opened.defer(() => context.close())
  const page = await context.newPage()
  await page.goto(server.url)
  const kept = opened.move()
  return {
    page,
    origin: new URL(server.url).origin,
    version: browser.version(),
    close: () => kept.disposeAsync(),
  }
}
