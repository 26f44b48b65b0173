// Goal: what keeps a player from flying is said, with a way on, and the rest of the page goes on.
// Method: the page of a real server in headless Chromium, through proxies, without a ship, and with
// a ship that runs into Earth.
import { CHROMIUM_RUNS_HERE } from '@orrery/testkit/browser'
import { IS_NIGHT, byTier } from '@orrery/testkit/tier'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type GamePage, openGamePage } from '@orrery/page-kit/game-page'
import { startProxy } from './tools/proxy.ts'

const PASSWORD = 'correct horse 7b'

/** What a proxy does to them. */
const SOCKETS = byTier<readonly ('refused' | 'renamed')[]>({
  gate: ['refused'],
  night: ['refused', 'renamed'],
})

const REFUSED = 'The server answers but takes no connection.'

describe.runIf(CHROMIUM_RUNS_HERE)('an obstacle', () => {
  let game: GamePage
  let account: { username: string; token: string; shipId: string }

  beforeAll(async () => {
    game = await openGamePage({ hasFewFrames: true })
    const { token, ship_id: shipId } = await game.client.register('Kane', PASSWORD)
    account = { username: 'Kane', token, shipId }
  })

  afterAll(() => game.close())

  /** Opens the page as a player. */
  async function openAs(player: typeof account, url = game.url): Promise<Page> {
    const { page } = game
    await page.goto(`${url}/health/live`)
    await page.evaluate((text) => {
      localStorage.setItem('orrery.account', text)
    }, JSON.stringify(player))
    await page.goto(url)
    return page
  }

  test.each(SOCKETS)('sockets that a proxy has %s', async (sockets) => {
    const proxy = await startProxy(game.url, sockets)
    const page = await openAs(account, proxy.url)
    await page.getByText(REFUSED).waitFor()
    const first = await page.textContent('#date')
    await page.waitForFunction((text) => {
      return document.querySelector('#date')?.textContent !== text
    }, first)
    expect(await page.getByRole('button', { name: 'Try now' }).isVisible()).toBe(true)
    await game.leave()
    proxy.close()
  })

  test('an account without a ship', async () => {
    const page = await openAs({
      username: 'Chief_1',
      token: await game.server.adminToken(),
      shipId: '',
    })
    await page.getByText('Chief_1 has no ship now. An administrator can assign one.').waitFor()
    await page.getByRole('button', { name: 'Orders', exact: true }).click()
    await page.getByText('There is no ship to give orders to.').waitFor()
    expect(await page.locator('.account-user').getAttribute('data-connected')).toBe('true')
  })

  test.runIf(IS_NIGHT)('the ground', async () => {
    const admin = await game.admin()
    const page = await openAs(account)
    await page.locator('.account-user[data-connected=true]').waitFor()
    await page.getByRole('button', { name: 'Orders', exact: true }).click()
    const log = page.locator('[role=log]')
    await page.getByRole('button', { name: 'Point retrograde' }).click()
    await log.getByText('Point retrograde').waitFor({ state: 'attached' })
    await page.focus('#space')
    await page.keyboard.press('z')
    await log.getByText('Full throttle').waitFor({ state: 'attached' })
    await admin.game.changeTimeScale(100)
    await page.locator('.notice').getByText('The ship ran into Earth.').waitFor()
    const { maneuver, ship_id: shipId } = await game.client.player(account.token).ship()
    expect({ maneuver, shipId }).toEqual({ maneuver: null, shipId: account.shipId })
  })

  test('the other star system is one choice away', async () => {
    const { page } = game
    await game.leave()
    await page.evaluate(() => localStorage.clear())
    await page.goto(game.url)
    await page.getByRole('button', { name: 'Places', exact: true }).click()
    await page.getByLabel('Star system').selectOption({ index: 1 })
    await page.waitForFunction(() => {
      const name = document.querySelector('#facts-name')?.textContent
      return name !== undefined && name !== '' && name !== 'Earth'
    })
    await expect.poll(() => page.locator('.label:visible').count()).toBeGreaterThan(0)
  })
})
