/** A page of headless Chromium that can import the repository's own modules. */
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

/** A page of a browser of its own. */
export async function openPage(options: BrowserOptions = {}): Promise<OpenPage> {
  const { browser, close } = await launchBrowser(options)
  return openIn(browser, close)
}

/** A page of the browser that the process shares. */
export async function openSharedPage(options: BrowserOptions = {}): Promise<OpenPage> {
  return openIn(await sharedBrowser(options), () => Promise.resolve())
}

async function openIn(browser: Browser, close: () => Promise<void>): Promise<OpenPage> {
  await using opened = new AsyncDisposableStack()
  opened.defer(close)
  const server = await startSourceServer()
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
