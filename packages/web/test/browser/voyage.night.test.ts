// Goal: the first voyage leads by keyboard alone from the first ship to the station and the Moon.
// Method: a real server at scale 1 that hurries through the waits of the autopilot; steps are done
// by what the ship does.
import { type PlayerClient, createGameClient } from '@orrery/client'
import { CHROMIUM_RUNS_HERE } from '@orrery/testkit/browser'
import type { Locator } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type GamePage, openGamePage } from '@orrery/page-kit/game-page'
import { tabAndPress, tabTo } from './tools/by-keyboard.ts'

/** A step takes so long at most [ms]. */
const STEP_MS_MAX = 1_800_000

/** Of the way to the Moon. */
const TICKS_PER_SECOND = 10

/** Waits of the autopilot that are not hurried through, and what is left of the others [ms]. */
const WAIT_MIN = 30_000
const LEFT = 10_000

describe.runIf(CHROMIUM_RUNS_HERE)('the first voyage', () => {
  let game: GamePage
  let player: PlayerClient
  let orders: Locator

  beforeAll(async () => {
    game = await openGamePage({ viewport: { width: 1280, height: 900 }, hasOwnServer: true })
    const { page, url } = game
    await page.goto(url)
    await page.waitForSelector('#facts-name')
    await tabAndPress(page, page.getByRole('button', { name: 'Fly', exact: true }))
    await page.waitForSelector('dialog[open] input[name=password]:focus')
    await page.keyboard.type('correct horse 7b')
    await page.keyboard.press('Enter')
    await page.waitForFunction(() => document.title.endsWith(' km - Orrery'))
    const account = await page.evaluate(() => localStorage.getItem('orrery.account'))
    player = createGameClient({ url }).player(JSON.parse(account ?? '').token)
    orders = page.locator('.orders')
    await tabAndPress(page, page.getByRole('button', { name: 'Begin', exact: true }))
  })

  afterAll(() => game.close())

  /** Waits for what the voyage says, and hurries to where a maneuver changes. */
  async function says(words: string): Promise<void> {
    const panel = game.page.locator('.voyage [role=status]')
    const goOn = async (): Promise<boolean> => {
      if ((await panel.textContent())?.includes(words)) return true
      await hurry()
      return false
    }
    await expect.poll(goOn, { timeout: STEP_MS_MAX, interval: 1000 }).toBe(true)
  }

  async function hurry(): Promise<void> {
    const [{ maneuver }, { game_time: now }] = await Promise.all([
      player.ship(),
      game.client.status(),
    ])
    const next = Date.parse(maneuver?.next_burn_at ?? maneuver?.expected_end ?? '')
    if (!(next > Date.parse(now) + WAIT_MIN)) return
    await (await game.admin()).game.moveClock(new Date(next - LEFT).toISOString())
  }

  test('by a look around, a turn, a burn and a rounder orbit', async () => {
    const { page } = game
    await tabTo(page, page.locator('#space'))
    for (let i = 0; i < 8; i++) await page.keyboard.press('ArrowRight')
    await says('2 of 10')
    await page.keyboard.press('5')
    await says('3 of 10')
    await page.keyboard.press('1')
    await page.getByText('holding', { exact: true }).waitFor({ timeout: STEP_MS_MAX })
    await page.keyboard.press('z')
    await says('4 of 10')
    const { apoapsis_altitude: before } = (await player.ship()).orbit
    await expect
      .poll(async () => (await player.ship()).orbit.apoapsis_altitude ?? 0)
      .toBeGreaterThan((before ?? NaN) + 300_000)
    await page.keyboard.press('x')
    await says('5 of 10')
    await tabAndPress(page, orders.getByRole('button', { name: 'Start' }))
    await says('6 of 10')
    const { apoapsis_altitude: high, periapsis_altitude: low } = (await player.ship()).mean_orbit
    expect((high ?? NaN) - low).toBeLessThan(10_000)
  })

  test('to the station, where it docks and is refuelled', async () => {
    const { page } = game
    await page.keyboard.press('b')
    await page.waitForSelector('.places input:focus')
    await page.keyboard.type('Earth Station')
    await page.keyboard.press('Enter')
    await tabTo(page, page.locator('#space'))
    await page.keyboard.press('t')
    await says('7 of 10')
    const target = page.locator('.target')
    await tabAndPress(page, target.getByRole('button', { name: 'Rendezvous' }))
    await tabAndPress(page, target.getByRole('button', { name: 'Start' }))
    await says('8 of 10')
    await tabAndPress(page, target.getByRole('button', { name: 'Dock' }))
    await says('10 of 10')
    // After a hurry the page may lead the server by a moment.
    const isFull = async (): Promise<boolean> => {
      const { docked_at: station, fuel, fuel_capacity: capacity } = await player.ship()
      return station !== null && fuel === capacity
    }
    await expect.poll(isFull).toBe(true)
  })

  test('to the Moon', async () => {
    const { page } = game
    await tabAndPress(page, orders.getByRole('button', { name: 'Dock', exact: true }))
    await tabAndPress(page, orders.getByRole('button', { name: 'Undock' }))
    await tabAndPress(page, orders.getByRole('button', { name: 'Maneuver', exact: true }))
    const chosen = orders.locator('select[name=maneuver]:visible')
    await tabTo(page, chosen)
    await page.keyboard.type('Tr')
    expect(await chosen.inputValue()).toBe('transfer')
    await tabAndPress(page, orders.locator('button[type=submit]:visible'))
    // A hurry is as quick as ticks are: twenty days.
    await (await game.admin()).game.changeTickRate(TICKS_PER_SECOND)
    await says('The Moon holds the ship.')
    expect((await player.ship()).reference_body).toBe('Moon')
  })
})
