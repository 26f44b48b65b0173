// Goal: the page shows where a ship goes. Method: a real server and headless Chromium; the marks
// that the page lists are compared with the orbit that the server states.
import { type PlayerClient, createGameClient } from '@orrery/client'
import { CHROMIUM_RUNS_HERE } from '@orrery/testkit/browser-page'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type GamePage, openGamePage } from '@orrery/page-kit/game-page'

/** [m] */
const EARTH_RADIUS = 6.3781e6
const J2 = 1.083e-3

describe.runIf(CHROMIUM_RUNS_HERE)('trajectory', () => {
  let opened: GamePage
  let player: PlayerClient

  beforeAll(async () => {
    opened = await openGamePage({ hasFewFrames: true })
    const client = createGameClient({ url: opened.url })
    const username = 'Hohmann'
    const { token, ship_id: shipId } = await client.register(username, 'correct horse 7b')
    player = client.player(token)
    await opened.page.addInitScript((account) => {
      localStorage.setItem('orrery.account', account)
    }, JSON.stringify({ username, token, shipId }))
    await opened.page.goto(opened.url)
  })

  afterAll(() => opened.close())

  /** What is listed, by name: an altitude or Δv. */
  const details = async (): Promise<Readonly<Record<string, string>>> => {
    const rows = await opened.page
      .locator('.trajectory-panel li button')
      .evaluateAll((buttons) =>
        buttons.map(({ children }) => [children[0].textContent, children[2].textContent]),
      )
    return Object.fromEntries(rows)
  }

  test('a forecast comes by itself', async () => {
    // On a small picture the panel waits in its sheet. A round orbit has no marks.
    const way = opened.page.locator('.trajectory-panel :is(li, p:has-text("steady orbit"))')
    await way.first().waitFor({ state: 'attached' })
    expect(await details()).not.toHaveProperty('Impact')
  })

  test('a burn changes the way, and its apsides are where the orbit has them', async () => {
    const { page } = opened
    await page.locator('#space').focus()
    await page.keyboard.press('1')
    await expect.poll(async () => (await player.ship()).steering.mode).toBe('locked')
    await page.keyboard.press('z')
    await expect.poll(async () => (await details())['Burn ends']).toBeTruthy()
    const height = async (): Promise<number> => {
      const { apoapsis_altitude: high, periapsis_altitude: low } = (await player.ship()).orbit
      return (high ?? 0) - (low ?? 0)
    }
    await expect.poll(height).toBeGreaterThan(1e5)
    await page.keyboard.press('x')
    await expect
      .poll(async () => Object.keys(await details()).toSorted())
      .toEqual(['Apoapsis', 'Periapsis'])
    const listed = await details()
    const { orbit } = await player.ship()
    // Within a revolution oblateness changes the axis by 3 J2 R² / a at most, and as much the
    // distance from the focus to the middle (short-period terms: Kozai 1959).
    const slack = (6 * J2 * EARTH_RADIUS ** 2) / (orbit.semi_major_axis ?? NaN)
    for (const [name, altitude] of [
      ['Apoapsis', orbit.apoapsis_altitude],
      ['Periapsis', orbit.periapsis_altitude],
    ] as const) {
      const shown = 1000 * Number(listed[name].replaceAll(/[, km]/g, ''))
      expect(Math.abs(shown - (altitude ?? NaN))).toBeLessThan(slack)
    }
  })

  test('the map shows the body, and the way back leads to the ship', async () => {
    const { page } = opened
    await page.locator('#space').focus()
    await page.keyboard.press('m')
    await page.waitForFunction(() => location.hash.includes('Earth'))
    await page.keyboard.press('m')
    await page.waitForFunction(() => location.hash === '')
    expect(opened.complaints).toEqual([])
  })
})
