// Goal: the page stays useful when its graphics card goes away, and where there is none. Method:
// the page of a real server in headless Chromium, whose context is lost and restored, and in one
// without WebGL.
import { CHROMIUM_RUNS_HERE, launchBrowser } from '@orrery/testkit/browser'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type GamePage, openGamePage } from './open-game-page.ts'
import { pictureOf } from './picture.ts'

describe.runIf(CHROMIUM_RUNS_HERE)('a page', () => {
  let game: GamePage

  beforeAll(async () => {
    game = await openGamePage()
    await game.page.goto(game.url)
    await game.page.waitForSelector('#space.ready')
  })

  afterAll(() => game.close())

  test('goes on by itself when a lost context is restored', async () => {
    const { page } = game
    const context = await page.evaluateHandle(() => {
      const canvas = document.querySelector<HTMLCanvasElement>('#space')
      return canvas?.getContext('webgl2')?.getExtension('WEBGL_lose_context')
    })
    await context.evaluate((extension) => extension?.loseContext())
    const notice = page.getByText('The graphics card is not available')
    await notice.waitFor()
    await context.evaluate((extension) => extension?.restoreContext())
    await notice.waitFor({ state: 'detached' })
    const brightest = async (): Promise<number> =>
      (await pictureOf(page)).brightness.reduce((most, light) => Math.max(most, light), 0)
    await expect.poll(brightest).toBeGreaterThan(100)
  })

  test('offers all but the picture without WebGL', async () => {
    const { browser, close } = await launchBrowser()
    await using stack = new AsyncDisposableStack()
    stack.defer(close)
    const page = await browser.newPage()
    await page.goto(game.url)
    await page.getByText('This browser draws no WebGL 2').waitFor()
    await page.waitForFunction(() => {
      return document.querySelector('#facts-name')?.textContent === 'Earth'
    })
    await expect.poll(() => page.locator('.label:visible').count()).toBeGreaterThan(0)
  })
})
