// Goal: a player plans burns in fields and on the map, sees where they lead, and the ship flies
// them. Method: a real server, headless Chromium, and the ship as the server states it.
import { type OwnShipState, type PlayerClient, createGameClient } from '@orrery/client'
import { CHROMIUM_RUNS_HERE } from '@orrery/testkit/browser'
import { IS_NIGHT } from '@orrery/testkit/tier'
import { loadAxe, violations } from '@orrery/testkit/violations'
import type { Locator } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type GamePage, openGamePage } from '@orrery/page-kit/game-page'
import { unreachable } from './tools/pointers.ts'

describe.runIf(CHROMIUM_RUNS_HERE)('plans', () => {
  let game: GamePage
  let player: PlayerClient
  let panel: Locator

  beforeAll(async () => {
    game = await openGamePage({ hasFewFrames: true, viewport: { width: 1280, height: 1000 } })
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
  const fault = (): Locator => panel.locator('.order-fault:not(:empty)')
  const notice = (): Locator => game.page.locator('.notice.error')
  const reading = (name: string): Locator => panel.locator(`dt:text-is("${name}") ~ dd`)
  /** Below the buttons before it [px]: what is above them has heights of its own. */
  const heightOfFlyIt = async (): Promise<number> => {
    const above = panel.getByRole('button', { name: 'Add a node' })
    const [from, to] = await Promise.all([above.boundingBox(), flyIt().boundingBox()])
    return (to?.y ?? NaN) - (from?.y ?? NaN)
  }
  const field = (label: string): Locator => panel.getByLabel(label, { exact: true })

  test('a node is added, and its Δv is typed or stepped by keys and the wheel', async () => {
    await panel.getByRole('button', { name: 'Add a node' }).click()
    expect(await fault().textContent()).toBe('Node 1 has no Δv yet.')
    expect(await flyIt().isDisabled()).toBe(true)
    const height = await heightOfFlyIt()
    await field('Prograde').fill('40')
    await expect.poll(() => reading('Periapsis').textContent()).toMatch(/ km$/)
    expect(await heightOfFlyIt()).toBe(height)
    await field('Normal').focus()
    await game.page.keyboard.press('Shift+ArrowDown')
    await game.page.keyboard.press('ArrowUp')
    await expect.poll(() => field('Normal').inputValue()).toBe('-9')
    await field('Normal').evaluate((input) => {
      input.addEventListener('wheel', () => input.setAttribute('data-turned', ''), { once: true })
    })
    // What appears above the field may move it away from the pointer.
    while ((await field('Normal').getAttribute('data-turned')) === null) {
      await field('Normal').hover()
      await game.page.mouse.wheel(0, -100)
    }
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

  test('a target has its closest approach after the last burn', async () => {
    const { page } = game
    const approach = panel.locator('.plan-marks [data-kind="approach"]')
    await page.locator('.places .panel-head button').click()
    await page
      .locator('.places')
      .getByRole('button', { name: 'Earth Station', exact: true })
      .click()
    await page.locator('#facts').getByRole('button', { name: 'Target' }).click()
    await expect
      .poll(() => approach.first().textContent())
      .toMatch(/^Closest to Earth Station [\d.,]+ k?m at [\d.,]+ k?m\/s in \d/)
    await page.locator('.target').getByRole('button', { name: 'Drop' }).click()
    await expect.poll(() => approach.count()).toBe(0)
    await page.locator('.places .panel-head button').click()
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

  /** The middle of a knob on the map [px]. */
  async function knobAt(kind: string): Promise<{ x: number; y: number }> {
    const box = await game.page.locator(`.plan-knob.${kind}:visible`).boundingBox()
    if (!box) throw new Error(`No knob ${kind}`)
    return { x: box.x + box.width / 2, y: box.y + box.height / 2 }
  }

  /** Drags a knob so far away from the middle of its node [px]. */
  async function drag(kind: string, pixels: number): Promise<void> {
    const { mouse } = game.page
    const [middle, from] = [await knobAt('middle'), await knobAt(kind)]
    const [dx, dy] = [from.x - middle.x, from.y - middle.y]
    const share = pixels / Math.hypot(dx, dy)
    await mouse.move(from.x, from.y)
    await mouse.down()
    await mouse.move(from.x + share * dx, from.y + share * dy, { steps: 8 })
    await mouse.up()
  }

  test.runIf(IS_NIGHT)(
    'on the map a handle is dragged, or stepped by keys and the wheel',
    async () => {
      const { page } = game
      await page.focus('#space')
      await page.keyboard.press('m')
      await page.waitForFunction(() => location.hash.includes('Earth'))
      await page.locator('.plan-knob.middle:visible').waitFor()
      const value = async (label: string): Promise<number> =>
        Number(await field(label).inputValue())
      const before = await value('Prograde')
      await drag('prograde', 40)
      await expect.poll(() => value('Prograde')).toBeCloseTo(before + 20, 0)
      await drag('retrograde', 40)
      await expect.poll(() => value('Prograde')).toBeCloseTo(before, 0)
      const handle = page.getByRole('slider', { name: 'Node 1, radial out' })
      await handle.focus()
      await page.keyboard.press('Shift+ArrowUp')
      await page.keyboard.press('ArrowLeft')
      await expect.poll(() => value('Radial out')).toBe(9)
      const { x, y } = await knobAt('radial-out')
      await page.mouse.move(x, y)
      await page.mouse.wheel(0, 100)
      await expect.poll(() => value('Radial out')).toBe(8)
      expect(await handle.getAttribute('aria-valuetext')).toBe('8.000 m/s')
      expect(await violations(page)).toEqual([])
    },
  )

  test.runIf(IS_NIGHT)(
    'a node is dragged along the way, and a click on the way adds one',
    async () => {
      const { page } = game
      const middle = page.getByRole('slider', { name: 'Node 1, time' })
      const seconds = async (): Promise<number> =>
        Number(await middle.getAttribute('aria-valuenow'))
      const place = await knobAt('middle')
      const before = await seconds()
      await middle.focus()
      await page.keyboard.press('Shift+ArrowRight')
      await page.keyboard.press('Shift+ArrowRight')
      await expect.poll(seconds).toBeGreaterThan(before + 150)
      const { x, y } = await knobAt('middle')
      await page.mouse.move(x, y)
      await page.mouse.down()
      await page.mouse.move(place.x, place.y, { steps: 8 })
      await page.mouse.up()
      await expect.poll(async () => Math.abs((await seconds()) - before)).toBeLessThan(60)
      await panel.getByRole('button', { name: 'Delete all' }).click()
      await page.locator('.plan-knob:visible').first().waitFor({ state: 'detached' })
      await page.mouse.click(place.x, place.y)
      await panel.locator('.plan-node').waitFor()
      await expect.poll(async () => Math.abs((await seconds()) - before)).toBeLessThan(60)
      await field('Prograde').fill('40')
      await field('Normal').fill('-8')
    },
  )

  test.runIf(IS_NIGHT)('on a phone of 320 px everything is reached', async () => {
    const { page } = game
    await page.setViewportSize({ width: 320, height: 568 })
    const tab = page.locator('.tab-bar').getByRole('button', { name: 'Orders' })
    if ((await tab.getAttribute('aria-expanded')) === 'false') await tab.click()
    expect(await unreachable(page, '.slot.right')).toEqual([])
    expect(await violations(page)).toEqual([])
    await page.setViewportSize({ width: 1280, height: 1000 })
  })

  test('the plan is flown as one order', async () => {
    const before = await player.ship()
    const soon = Date.parse((await game.client.status()).game_time) + 300_000
    await field('Time (UTC)').fill(new Date(soon).toISOString().slice(0, 19))
    await flyIt().click()
    // An order that is refused leaves the nodes, and says why.
    await expect
      .poll(() =>
        panel.locator('.plan-node, .order-fault:not(:empty)').or(notice()).allTextContents(),
      )
      .toEqual([])
    await shipThat(({ maneuver }) => maneuver?.maneuver === 'plan')
    await panel.getByRole('button', { name: 'Open the order' }).click()
    expect(await field('Normal').inputValue()).toBe('-8')
    await panel.getByRole('button', { name: 'Delete all' }).click()
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
