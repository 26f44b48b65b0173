/** A page of headless Chromium that can import the repository's own modules. */
import type { Page } from 'playwright-core'
import { launchBrowser } from './browser.ts'
import { startSourceServer } from './source-server.ts'

export { CHROMIUM_RUNS_HERE } from './browser.ts'

export interface OpenPage {
  readonly page: Page
  /** such as `http://127.0.0.1:41234` */
  readonly origin: string
  readonly version: string
  close(): Promise<void>
}

/** @param hasGraphics  whether it can use WebGL */
export async function openPage({
  hasGraphics = false,
}: { readonly hasGraphics?: boolean } = {}): Promise<OpenPage> {
  const server = await startSourceServer()
  try {
    const { browser, close } = await launchBrowser({ hasGraphics })
    const page = await browser.newPage()
    await page.goto(server.url)
    return {
      page,
      origin: new URL(server.url).origin,
      version: browser.version(),
      close: async () => {
        await close()
        server.close()
      },
    }
  } catch (error) {
    server.close()
    throw error
  }
}
