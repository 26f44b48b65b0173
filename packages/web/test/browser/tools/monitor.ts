// Moves a page to a monitor with other pixels.
import type { Page } from 'playwright-core'

/** Returns how to move it; to a monitor of the ratio 1 at last. */
export async function monitorsOf(page: Page): Promise<(ratio: number) => Promise<void>> {
  const { width, height } = page.viewportSize() ?? { width: 0, height: 0 }
  const devtools = await page.context().newCDPSession(page)
  return async (ratio) => {
    await devtools.send('Emulation.setDeviceMetricsOverride', {
      // Chromium looks for media queries at a change of the page's size.
      width: ratio === 1 ? width : width + 1,
      height,
      deviceScaleFactor: ratio,
      mobile: false,
    })
  }
}
