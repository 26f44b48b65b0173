// Goal: the first voyage is offered with the first ship, goes on by what the ship does, and is left
// and taken up. Method: a real server in time lapse, and what the panel and axe say of it.
import { CHROMIUM_RUNS_HERE } from '@orrery/testkit/browser'
import { IS_NIGHT, byTier } from '@orrery/testkit/tier'
import { loadAxe, violations } from '@orrery/testkit/violations'
import type { Locator } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type GamePage, openGamePage } from '@orrery/page-kit/game-page'
import { unreachable } from './tools/pointers.ts'

/** The step at which it is left, and words of the next: by day nothing flies. */
const [LEFT_AT, NEXT] = byTier<[number, string]>({
  gate: [2, 'Point prograde'],
  night: [5, 'Earth Station'],
})

/** Of an apoapsis, above all that the first seconds of the burn bring [km]. */
const HIGH = 2000

describe.runIf(CHROMIUM_RUNS_HERE)('the first voyage', () => {
  let game: GamePage
  let panel: Locator

  beforeAll(async () => {
    game = await openGamePage({ hasFewFrames: true, viewport: { width: 1280, height: 800 } })
    const { page, url } = game
    panel = page.locator('.voyage')
    await page.goto(url)
    await page.locator('.account-entry .primary').click()
    await page.fill('input[name=password]', 'correct horse 7b')
    await page.keyboard.press('Enter')
    await page.waitForFunction(() => document.title.endsWith(' km - Orrery'))
    await page.getByLabel('How far ahead').selectOption('3')
    await (await game.admin()).game.changeTimeScale(20)
  })

  afterAll(() => game.close())

  /** Waits until a step is said to screen readers. */
  async function says(step: number): Promise<void> {
    await panel.getByRole('status').getByText(`${step} of 10`, { exact: true }).waitFor()
  }

  test('is offered with the first ship, and begins with a look around', async () => {
    const { page } = game
    await page.getByRole('button', { name: 'Begin', exact: true }).click()
    await says(1)
    await loadAxe(page)
    expect(await violations(page)).toEqual([])
    await page.focus('#space')
    for (let i = 0; i < 8; i++) await page.keyboard.press('ArrowRight')
    await says(2)
  })

  test.runIf(IS_NIGHT)(
    'goes on when the nose is there, the engine burns and the orbit is higher',
    async () => {
      const { page } = game
      await page.keyboard.press('5')
      await says(3)
      expect(await panel.textContent()).toContain('The nose points up.')
      await page.keyboard.press('1')
      await page.locator('.panel-state').getByText('holding', { exact: true }).waitFor()
      await page.keyboard.press('z')
      await says(4)
      await page.waitForFunction((least) => {
        const row = [...document.querySelectorAll('.orbit-data .row')].find(
          (one) => one.querySelector('dt')?.textContent === 'Apoapsis',
        )
        return Number(row?.lastElementChild?.textContent.replace(/,| km/g, '')) > least
      }, HIGH)
      await page.keyboard.press('x')
      await says(5)
    },
  )

  test('is left, and taken up from the help; after a reload it goes on', async () => {
    const { page } = game
    await panel.getByRole('button', { name: 'Skip' }).click()
    await says(LEFT_AT + 1)
    await panel.getByRole('button', { name: 'Stop' }).click()
    await panel.waitFor({ state: 'detached' })
    await page.getByRole('button', { name: 'Help' }).click()
    await page.getByRole('button', { name: 'Begin or go on' }).click()
    await says(LEFT_AT + 1)
    await page.reload()
    await says(LEFT_AT + 1)
    expect(await panel.textContent()).toContain(NEXT)
  })

  test.runIf(IS_NIGHT)('covers nothing on a narrow phone', async () => {
    const { page } = game
    await page.setViewportSize({ width: 320, height: 568 })
    await loadAxe(page)
    expect(await violations(page)).toEqual([])
    expect(await unreachable(page, '.voyage')).toEqual([])
    const [above, sheet] = [await panel.boundingBox(), await page.locator('.helm').boundingBox()]
    expect((above?.y ?? NaN) + (above?.height ?? NaN)).toBeLessThanOrEqual(sheet?.y ?? NaN)
  })

  test('the browser has nothing to complain of', () => {
    expect(game.complaints).toEqual([])
  })
})
