// Goal: a player plans burns in fields and on the map, sees where they lead, and the ship flies
// them. Method: a real server, headless Chromium, and the ship as the server states it.
import { type OwnShipState, type PlayerClient, createGameClient } from '@orrery/client'
import { CHROMIUM_RUNS_HERE } from '@orrery/testkit/browser'
import { loadAxe, violations } from '@orrery/testkit/violations'
import type { Locator } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type GamePage, openGamePage } from '@orrery/page-kit/game-page'
import { unreachable } from './pointers.ts'

describe.runIf(CHROMIUM_RUNS_HERE)('plans', () => {
  let game: GamePage
  let player: PlayerClient
  let panel: Locator

  beforeAll(async () => {
    game = await openGamePage({ viewport: { width: 1280, height: 720 } })
    const { page, url } = game
    const { token, ship_id: shipId } = await createGameClient({ url }).register(
      'Oberth',
      'correct horse 7b',
    )
    player = createGameClient({ url }).player(token)
    await page.addInitScript(
      (account) => {
        localStorage.setItem('orrery.account', JSON.stringify(account))
      },
      { username: 'Oberth', token, shipId },
    )
    await page.goto(url)
    await page.waitForFunction(() => document.querySelector('.throttle-level')?.textContent)
    await page.locator('.order-kinds').getByRole('button', { name: 'Plan' }).click()
    panel = page.locator('.planning')
    await loadAxe(page)
  })

  afterAll(() => game.close())

  const flyIt = (): Locator => panel.getByRole('button', { name: 'Fly it' })
  const fault = (): Locator => panel.locator('.order-fault')
  const reading = (name: string): Locator => panel.locator(`dt:text-is("${name}") ~ dd`)
  const field = (label: string): Locator => panel.getByLabel(label, { exact: true })

  test('a node is added, and its Δv is typed or stepped by keys and the wheel', async () => {
    await panel.getByRole('button', { name: 'Add a node' }).click()
    expect(await fault().textContent()).toBe('Node 1 has no Δv yet.')
    expect(await flyIt().isDisabled()).toBe(true)
    await field('Prograde').fill('40')
    await field('Normal').focus()
    await game.page.keyboard.press('Shift+ArrowDown')
    await game.page.keyboard.press('ArrowUp')
    await field('Normal').hover()
    await game.page.mouse.wheel(0, -100)
    await expect.poll(() => field('Normal').inputValue()).toBe('-8')
    expect(await panel.locator('.plan-node').textContent()).toContain('40.79 m/s')
    expect(await field('Prograde').inputValue()).toBe('40')
  })

  test('readings say where it leads, and the page has nothing that axe refuses', async () => {
    await expect.poll(() => reading('Δv').textContent()).toBe('40.79 m/s')
    expect(await reading('Then around').textContent()).toBe('Earth')
    expect(await reading('Apoapsis').textContent()).toMatch(/ km$/)
    expect(await fault().count()).toBe(0)
    expect(await violations(game.page)).toEqual([])
  })

  test('what cannot be flown is a sentence, and nothing is sent', async () => {
    const time = await field('Time (UTC)').inputValue()
    await field('Time (UTC)').fill('2001-01-01T00:00:00')
    await expect.poll(() => fault().textContent()).toMatch(/^Node 1 is in the past/)
    expect(await flyIt().isDisabled()).toBe(true)
    await field('Time (UTC)').fill(time)
    await field('Prograde').fill('99999')
    await expect.poll(() => fault().textContent()).toMatch(/^Node 1 takes more fuel than there is/)
    await field('Prograde').fill('40')
    await expect.poll(() => fault().count()).toBe(0)
    expect((await player.ship()).maneuver?.maneuver).not.toBe('plan')
  })

  test('on a phone of 320 px everything is reached', async () => {
    const { page } = game
    await page.setViewportSize({ width: 320, height: 568 })
    const tab = page.locator('.tab-bar').getByRole('button', { name: 'Orders' })
    if ((await tab.getAttribute('aria-expanded')) === 'false') await tab.click()
    expect(await unreachable(page, '.slot.right')).toEqual([])
    expect(await violations(page)).toEqual([])
    await page.setViewportSize({ width: 1280, height: 720 })
  })

  test('the plan is flown as one order', async () => {
    const before = await player.ship()
    const soon = Date.parse((await game.client.status()).game_time) + 300_000
    await field('Time (UTC)').fill(new Date(soon).toISOString().slice(0, 19))
    await flyIt().click()
    await shipThat(({ maneuver }) => maneuver?.maneuver === 'plan')
    expect(await panel.locator('.plan-node').count()).toBe(0)
    const admin = await game.admin()
    await admin.game.changeTimeScale(100)
    const after = await shipThat(({ maneuver }) => maneuver === null)
    await admin.game.changeTimeScale(1)
    expect(after.last_maneuver).toMatchObject({ maneuver: 'plan', outcome: 'completed' })
    const exhaust = 24_000
    expect(exhaust * Math.log(before.mass / after.mass)).toBeCloseTo(Math.hypot(40, 8), 2)
  })

  test('the browser has nothing to complain of', () => {
    expect(game.complaints).toEqual([])
  })

  /** Waits until the server's ship is as wanted. */
  async function shipThat(is: (ship: OwnShipState) => boolean): Promise<OwnShipState> {
    let ship = await player.ship()
    await expect
      .poll(async () => {
        ship = await player.ship()
        return is(ship) || JSON.stringify(ship.maneuver)
      })
      .toBe(true)
    return ship
  }
})
