// Goal: who wants German flies by it. Method: a browser in German and a real server; an order is
// given by keyboard alone and acts; axe finds nothing wrong on a narrow phone, and nothing is cut.
import { type PlayerClient, createGameClient } from '@orrery/client'
import { type GamePage, openGamePage } from '@orrery/page-kit/game-page'
import { CHROMIUM_RUNS_HERE } from '@orrery/testkit/browser'
import { IS_NIGHT } from '@orrery/testkit/tier'
import { loadAxe, violations } from '@orrery/testkit/violations'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { tabAndPress, tabTo } from './tools/by-keyboard.ts'
import { unreachable } from './tools/pointers.ts'

describe.runIf(CHROMIUM_RUNS_HERE)('the page in German', () => {
  let game: GamePage

  beforeAll(async () => {
    const viewport = { width: 1280, height: 900 }
    game = await openGamePage({ hasFewFrames: true, viewport, locale: 'de-AT' })
    await game.page.goto(game.url)
    await game.page.waitForSelector('#facts-name')
  })

  afterAll(() => game.close())

  function language(): Promise<string> {
    return game.page.evaluate(() => document.documentElement.lang)
  }

  async function player(): Promise<PlayerClient> {
    const account = await game.page.evaluate(() => localStorage.getItem('orrery.account'))
    return createGameClient({ url: game.url }).player(JSON.parse(account ?? '').token)
  }

  test('comes to a browser that wants it, with names and numbers in its way', async () => {
    const { page } = game
    expect(await language()).toBe('de')
    expect(await page.locator('#facts-name').textContent()).toBe('Erde')
    expect(await page.locator('#facts-list').textContent()).toContain('Radius6.371 km')
  })

  test('a maneuver is ordered by keyboard alone', async () => {
    const { page } = game
    await tabAndPress(page, page.getByRole('button', { name: 'Fliegen', exact: true }))
    await page.waitForSelector('dialog[open] input[name=password]:focus')
    await page.keyboard.type('correct horse 7b')
    await page.keyboard.press('Enter')
    await page.waitForFunction(() => /^Erde, \d+,\d km - /.test(document.title))
    const orders = page.locator('.orders')
    const chosen = orders.locator('select[name=maneuver]:visible')
    await tabTo(page, chosen)
    await page.keyboard.type('Tr')
    expect(await chosen.inputValue()).toBe('transfer')
    const altitude = orders.locator('input[name=altitude]:visible')
    await tabTo(page, altitude)
    await page.keyboard.type('1.500,5')
    await tabAndPress(page, orders.getByRole('button', { name: 'Starten' }))
    const pilot = await player()
    const ordered = async (): Promise<unknown> => (await pilot.ship()).maneuver?.maneuver
    await expect.poll(ordered, { timeout: 60_000 }).toBe('transfer')
    await page.getByRole('log').getByText('Manöver starten: Transfer').waitFor()
  })

  test.runIf(IS_NIGHT)('nothing is wrong or out of reach on a narrow phone', async () => {
    const { page } = game
    await page.setViewportSize({ width: 320, height: 640 })
    const tabs = page.locator('.tab-bar button')
    await loadAxe(page)
    for (const tab of await tabs.all()) {
      if ((await tab.getAttribute('aria-expanded')) !== 'true') await tab.click()
      expect(await violations(page)).toEqual([])
      const slot = await tab.getAttribute('aria-controls')
      expect(await unreachable(page, `#${slot}`)).toEqual([])
    }
    const isTooWide = await page.evaluate(() => document.documentElement.scrollWidth > innerWidth)
    expect(isTooWide).toBe(false)
  })

  test.runIf(IS_NIGHT)('English is chosen in the settings, and holds after that', async () => {
    const { page } = game
    await page.setViewportSize({ width: 1280, height: 900 })
    await tabAndPress(page, page.getByRole('button', { name: 'Einstellungen' }))
    await tabTo(page, page.locator('input[name=language]').first())
    await page.keyboard.press('ArrowRight')
    await page.getByRole('button', { name: 'Settings' }).waitFor()
    expect(await language()).toBe('en')
  })

  test('the browser has nothing to complain of', () => {
    expect(game.complaints).toEqual([])
  })
})
