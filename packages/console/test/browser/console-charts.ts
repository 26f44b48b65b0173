// The charts of the operators' console, as part of its tests.
import { expect, test } from 'vitest'
import type { MapParts } from './console-map.ts'

const DAY_MINUTES = 1440

/** In the page: keeps what charts write, under the language that Chromium has without one. */
export function watchCharts(): void {
  Object.defineProperty(navigator, 'language', { value: 'en-US@posix', configurable: true })
  const texts: string[] = []
  Object.assign(globalThis, { chartTexts: texts })
  const { prototype } = CanvasRenderingContext2D
  const fill = Reflect.get(prototype, 'fillText')
  prototype.fillText = function (text, ...place) {
    if (this.canvas.closest('.chart')) texts.push(text)
    Reflect.apply(fill, this, [text, ...place])
  }
}

/** Registers the tests; the console of a fresh server shows its overview. */
export function chartTests(parts: () => Pick<MapParts, 'desk'>): void {
  test('the last hour is an hour long, in UTC, whatever has been measured', async () => {
    const { page } = parts().desk
    await page.locator('.chart[aria-label^="from "]').first().waitFor()
    const texts = await page.evaluate(() => Reflect.get(globalThis, 'chartTexts') as string[])
    const minutes = [...new Set(texts)]
      .filter((text) => /^\d\d:\d\d$/.test(text))
      .map((text) => 60 * Number(text.slice(0, 2)) + Number(text.slice(3)))
    expect(minutes.length).toBeGreaterThan(1)
    const now = Math.floor(Date.now() / 60_000) % DAY_MINUTES
    for (const minute of minutes) {
      expect((now - minute + DAY_MINUTES) % DAY_MINUTES).toBeLessThanOrEqual(65)
    }
  })
}
