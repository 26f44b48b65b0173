// Goal: what a player does with keys and panels is what the server's ship does. Method: a real
// server, headless Chromium on a small screen, and the ship as `GET /api/player/ship` states it.
import {
  type OwnShipState,
  type PlayerClient,
  connectSocket,
  createGameClient,
} from '@orrery/client'
import { CHROMIUM_RUNS_HERE } from '@orrery/testkit/browser'
import { IS_NIGHT } from '@orrery/testkit/tier'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type GamePage, openGamePage } from '@orrery/page-kit/game-page'
import { unreachable } from './tools/pointers.ts'

/** Speed of the exhaust of a courier [m/s]. */
const EXHAUST = 24_000

describe.runIf(CHROMIUM_RUNS_HERE)('orders', () => {
  let game: GamePage
  let player: PlayerClient

  beforeAll(async () => {
    game = await openGamePage({ hasFewFrames: true })
    const { page, url } = game
    const client = createGameClient({ url })
    const { token, ship_id: shipId } = await client.register('Dallas', 'correct horse 7b')
    player = client.player(token)
    await page.addInitScript(
      (account) => {
        localStorage.setItem('orrery.account', JSON.stringify(account))
      },
      { username: 'Dallas', token, shipId },
    )
    // The network loses the first request for what the page asks for once.
    for (const path of ['ship-classes', 'systems']) {
      await page.route(`**/api/${path}`, (route) => route.abort(), { times: 1 })
    }
    // What is ordered acts with the next tick.
    await (await game.admin()).game.changeTickRate(10)
    await page.goto(url)
    await page.waitForFunction(() => document.querySelector('.throttle-level')?.textContent)
    // A trajectory that is drawn nowhere need not be long.
    await page.getByLabel('How far ahead').selectOption('3', { force: true })
    await page.getByRole('button', { name: 'Orders', exact: true }).click()
  })

  afterAll(() => game.close())

  /** Waits until the server's ship is as wanted. */
  async function shipThat(is: (ship: OwnShipState) => boolean): Promise<OwnShipState> {
    let ship = await player.ship()
    await expect
      .poll(async () => {
        ship = await player.ship()
        // A wait in vain shows the last ship.
        return is(ship) || JSON.stringify(ship)
      })
      .toBe(true)
    return ship
  }

  /** A tab that is open would close. */
  async function openOrders(): Promise<void> {
    const tab = game.page.locator('.tab-bar').getByRole('button', { name: 'Orders' })
    if ((await tab.getAttribute('aria-expanded')) === 'false') await tab.click()
  }

  /** Chooses a kind of orders. */
  async function choose(kind: string): Promise<void> {
    await game.page.locator('.order-kinds').getByRole('button', { name: kind }).click()
  }

  test('the Δv left is known though the first answer about ships was lost', async () => {
    const left = game.page.locator('.ship-data dt:text-is("Δv left") ~ dd')
    await expect.poll(() => left.textContent()).toMatch(/ km\/s$/)
    // What the lever shows before the ship is known.
    expect(await game.page.locator('.throttle-lever').getAttribute('value')).toBe('0')
  })

  test('keys open and cut the throttle', async () => {
    await game.page.focus('#space')
    await game.page.keyboard.press('z')
    expect(await shipThat(({ thrust_level: thrust }) => thrust > 0)).toHaveProperty(
      'thrust_level',
      1,
    )
    await game.page.keyboard.press('x')
    await shipThat(({ thrust_level: thrust }) => thrust === 0)
  })

  test('ships near are sorted by distance, speed and what they do', async () => {
    const { page, client, url } = game
    const { invitation } = await player.invite({ registrations: 2 })
    const friends = await Promise.all(
      ['Hollis', 'Pavel'].map((name) => client.register(name, 'correct horse 7b', invitation)),
    )
    const socket = connectSocket({ url, token: friends[0].token })
    await socket.opened
    await socket.control({ thrust_level: 0.4 })
    await page.locator('.ships h2 button').dispatchEvent('click')
    const rows = page.locator('.ships li')
    const doing = page.locator('.ship-doing')
    await rows.filter({ hasText: 'burns, 40 %' }).waitFor({ state: 'attached' })
    const online = page.locator('.ships-online')
    await expect.poll(() => online.textContent()).toMatch(/^[1-9]\d* other pilots? (is|are) online/)
    const near = rows.filter({ hasText: 'Hollis' })
    expect(await near.textContent()).toContain('online')
    const shown = await rows.allTextContents()
    expect(shown.length).toBeGreaterThan(1)
    const sort = (words: string): Promise<void> =>
      page.locator('.ship-orders').getByText(words).dispatchEvent('click')
    await sort('What they do')
    await expect.poll(() => doing.first().textContent()).toContain('burns')
    const words = await doing.allTextContents()
    expect(words).toEqual(words.toSorted())
    await sort('Speed')
    await expect.poll(() => doing.first().textContent()).not.toContain('burns')
    await sort('Distance')
    await socket.control({ thrust_level: 0 })
    await expect.poll(() => near.textContent()).not.toContain('burns')
    socket.close()
    await page.locator('.ships h2 button').dispatchEvent('click')
  })

  test('a held key turns the hull, which rests when it goes up', async () => {
    const { page } = game
    await page.keyboard.down('w')
    expect(await shipThat(isPitching)).toHaveProperty('thrust_level', 0)
    await page.keyboard.up('w')
    await shipThat(({ steering: { pointing } }) => pointing === 'rest')
  })

  test.runIf(IS_NIGHT)('keys act by their place: on French and Russian keyboards too', async () => {
    const { page } = game
    const throttle = async (): Promise<number> => (await player.ship()).thrust_level
    // The browser that tests drive knows no layout but that of the United States.
    const give = (type: string, key: string, code = 'KeyW'): Promise<void> =>
      page.locator('#space').evaluate(
        (canvas, [type, key, code]) => {
          canvas.dispatchEvent(new KeyboardEvent(type, { key, code, bubbles: true }))
        },
        [type, key, code] as const,
      )
    for (const letter of ['z', 'ц']) {
      await give('keydown', letter)
      await shipThat(isPitching)
      expect(await throttle()).toBe(0)
      await give('keyup', letter)
      await shipThat(({ steering: { pointing } }) => pointing === 'rest')
    }
  })

  test.runIf(IS_NIGHT)(
    'a stick that is held lets go when another window has the keyboard',
    async () => {
      const { page } = game
      await page.evaluate(() => {
        const buttons = Array.from({ length: 17 }, () => ({ pressed: false, value: 0 }))
        const pad = { mapping: 'standard', id: 'Pad', axes: [0, -1, 0], buttons }
        Object.assign(navigator, { getGamepads: () => [pad] })
        dispatchEvent(new Event('gamepadconnected'))
      })
      await shipThat(isPitching)
      await page.evaluate(() => {
        document.hasFocus = () => false
        dispatchEvent(new Event('blur'))
      })
      const { steering } = await shipThat(({ steering: { pointing } }) => pointing === 'rest')
      expect(steering.mode).not.toBe('free')
      await page.evaluate(() => {
        Reflect.deleteProperty(document, 'hasFocus')
        Reflect.deleteProperty(navigator, 'getGamepads')
        dispatchEvent(new Event('gamepaddisconnected'))
      })
    },
  )

  test('a burn turns the hull, then raises the orbit by the Δv of its form', async () => {
    const { page } = game
    const before = await player.ship()
    await choose('Burn')
    const burn = page.locator('.orders')
    await burn.getByLabel('Δv', { exact: true }).fill('-5')
    await burn.locator('button[type=submit]:visible').click()
    expect(await burn.getByRole('alert').textContent()).toBe(
      'delta_v must be a finite number of m/s above 0',
    )
    await burn.getByLabel('Direction').and(page.locator(':visible')).selectOption('prograde')
    await burn.getByLabel('Δv', { exact: true }).fill('20')
    await burn.getByRole('button', { name: 'Show cost' }).click()
    const apoapsis = burn.locator('.order-cost dt:text-is("Apoapsis") ~ dd')
    expect(await apoapsis.textContent()).toMatch(/ km$/)
    await burn.locator('button[type=submit]:visible').click()
    // The hull turns for ten seconds before.
    const admin = await game.admin()
    await admin.game.changeTimeScale(10)
    const after = await shipThat(
      ({ fuel, thrust_level: thrust }) => thrust === 0 && fuel < before.fuel,
    )
    await admin.game.changeTimeScale(1)
    expect(EXHAUST * Math.log(before.mass / after.mass)).toBeCloseTo(20, 1)
    const raised = (after.orbit.semi_major_axis ?? NaN) - (before.orbit.semi_major_axis ?? NaN)
    expect(raised / axisGain(after, 20)).toBeCloseTo(1, 1)
  })

  test('a button points the hull', async () => {
    const { page } = game
    await page.getByRole('button', { name: 'Point retrograde' }).click()
    const { maneuver } = await shipThat(({ steering }) => steering.pointing === 'retrograde')
    expect(maneuver?.maneuver).toBe('attitude')
    await page.waitForSelector('.steering-mode[data-mode=retrograde][aria-pressed=true]')
    await page.locator('.panel-state').getByText('turning', { exact: true }).waitFor()
    // The fields of maneuvers stay where they are.
    expect(await page.locator('.maneuver-now').count()).toBe(0)
  })

  test('a maneuver shows its cost, starts, shows its phase and is aborted', async () => {
    const { page } = game
    await choose('Maneuver')
    const panel = page.locator('.orders')
    await panel.getByRole('button', { name: 'Show cost' }).click()
    expect(await panel.locator('.order-cost dt').first().textContent()).toBe('Δv')
    // The cost covers no field of a longer form.
    const chosen = panel.locator('select[name=maneuver]')
    await chosen.selectOption('transfer')
    await panel.locator('select[name=depart]').selectOption('dated')
    await panel.locator('input[name=depart-date]').fill('2030-03-01T12:00')
    await chosen.selectOption('set_orbit')
    const { width = 0, height = 0 } = page.viewportSize() ?? {}
    await page.setViewportSize({ width: 1000, height: 600 })
    expect(await unreachable(page, '.orders')).toEqual([])
    await page.setViewportSize({ width, height })
    await chosen.selectOption('circularize')
    const patience = panel.locator('input[name=timeout]:visible')
    await patience.fill('3')
    await panel.getByRole('button', { name: 'Start' }).click()
    const { maneuver: begun } = await shipThat(
      ({ maneuver }) => maneuver?.maneuver === 'circularize',
    )
    const now = panel.getByText(/^Circularize: \w+/)
    await now.waitFor()
    await chosen.selectOption('escape')
    await panel.getByRole('button', { name: 'Change' }).press('Enter')
    const replace = panel.getByRole('button', { name: 'Replace' })
    await replace.waitFor()
    expect(await chosen.evaluate((field) => field === document.activeElement)).toBe(true)
    expect([await chosen.inputValue(), await patience.inputValue()]).toEqual(['circularize', '3'])
    await patience.fill('5')
    await patience.press('Enter')
    await shipThat(({ maneuver }) => maneuver !== null && maneuver.since !== begun?.since)
    await replace.waitFor({ state: 'detached' })
    await panel.getByRole('button', { name: 'Abort' }).click()
    await shipThat(({ maneuver }) => maneuver?.maneuver !== 'circularize')
    await now.waitFor({ state: 'detached' })
  })

  test.runIf(IS_NIGHT)('an alarm calls before what a maneuver does', async () => {
    const { page } = game
    await page.getByRole('button', { name: 'Menu', exact: true }).click()
    await page.getByRole('button', { name: 'Settings' }).click()
    await page.getByRole('group', { name: 'Alarms' }).getByText('On', { exact: true }).click()
    await page.keyboard.press('Escape')
    await page.getByRole('button', { name: 'Orders', exact: true }).click()
    const admin = await game.admin()
    // A minute of the player is most of a revolution then.
    await admin.game.changeTimeScale(50)
    const panel = page.locator('.orders')
    await panel.getByRole('button', { name: 'Start' }).click()
    const called = await page.waitForFunction(() => / in .* - Orrery$/.exec(document.title)?.input)
    expect(await called.jsonValue()).toMatch(/^(?:Burn|Maneuver completed) in /)
    await admin.game.changeTimeScale(1)
    const { maneuver } = await player.ship()
    if (maneuver) await panel.getByRole('button', { name: 'Abort' }).click()
    await shipThat((ship) => ship.maneuver === null)
  })

  test('a rule made in the form is one of the ship', async () => {
    const { page } = game
    const panel = page.locator('.orders')
    await choose('Rules')
    await panel.getByRole('button', { name: 'New rule' }).click()
    await panel.getByLabel('When', { exact: true }).selectOption('maneuver_end')
    await panel.getByLabel('To', { exact: true }).selectOption('normal')
    await panel.getByRole('button', { name: 'Save' }).click()
    const sentence = 'When a maneuver ends, point normal to the orbit.'
    expect(await panel.locator('.rule small').textContent()).toBe(sentence)
    const { rules } = await player.rules.list()
    expect(rules.map(({ condition }) => condition.type)).toEqual(['maneuver_end'])
  })

  test.runIf(IS_NIGHT)('a rendezvous with the target shows its cost first', async () => {
    const { page } = game
    const admin = await game.admin()
    await admin.stations.create({ name: 'Halfway', parent_body: 'Earth', altitude: 500_000 })
    await page.getByRole('button', { name: 'Places', exact: true }).click()
    await page.getByRole('button', { name: /Halfway/ }).click()
    await page.keyboard.press('t')
    await page.getByRole('button', { name: 'Target', exact: true }).click()
    const panel = page.locator('.target')
    await panel.getByRole('button', { name: 'Rendezvous' }).click()
    const deltaV = panel.locator('.order-cost dt:text-is("Δv") ~ dd')
    await panel.getByRole('button', { name: 'Show cost' }).click()
    const least = await deltaV.textContent()
    await panel.getByLabel('Leave').selectOption('soonest')
    await panel.getByRole('button', { name: 'Show cost' }).click()
    await expect.poll(() => deltaV.textContent()).not.toBe(least)
  })

  test('a refused order is a sentence of the server', async () => {
    const { page } = game
    await openOrders()
    await choose('Jump')
    // Until the server has said where gates lead, the order's name does not say so either.
    await page
      .getByText(/^leads to (?!nowhere)/)
      .first()
      .waitFor()
    await page
      .getByRole('button', { name: /^Jump through/ })
      .first()
      .click()
    const notice = page.getByText(/^Jump to .*: The ship is too far: .* at most 200 m/).first()
    const systems = /TRAPPIST-1|Alpha Centauri/
    expect(await notice.textContent()).toMatch(systems)
    await page.getByRole('button', { name: 'Places', exact: true }).click()
    await page.getByRole('button', { name: /Gate/ }).first().click()
    const leadsTo = page.locator('#facts dt:text-is("Leads to") ~ dd')
    await expect.poll(() => leadsTo.textContent()).toMatch(systems)
  })

  test('the browser has nothing to complain of', () => {
    const losses = game.complaints.filter((text) => text.includes('net::ERR_FAILED'))
    expect(game.complaints).toEqual(losses)
  })
})

/** By how much Δv along the flight lengthens the semi-major axis [m]: dε = v dv, ε = -μ/2a. */
function axisGain({ orbit, relative_velocity: v }: OwnShipState, deltaV: number): number {
  const { semi_major_axis: a, period } = orbit
  if (a === null || period === null) return NaN
  const gm = (4 * Math.PI ** 2 * a ** 3) / period ** 2
  return (2 * a * a * Math.hypot(v.x, v.y, v.z) * deltaV) / gm
}

function isPitching({ angular_velocity: { y }, steering: { pointing } }: OwnShipState): boolean {
  return y > 0.01 && pointing === 'spin'
}
