// Goal: a guest goes to any date that is known, plays, steps, sends a link to it and comes back to
// the present, by keys and on a narrow phone. Method: the page of a real server in headless
// Chromium without WebGL.
import { CHROMIUM_RUNS_HERE } from '@orrery/testkit/browser'
import { IS_NIGHT } from '@orrery/testkit/tier'
import { loadAxe, violations } from '@orrery/testkit/violations'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type GamePage, openGamePage } from '@orrery/page-kit/game-page'

describe.runIf(CHROMIUM_RUNS_HERE)('other dates', () => {
  let game: GamePage

  beforeAll(async () => {
    game = await openGamePage({ hasFewFrames: true })
    await game.page.goto(game.url)
    await game.page.waitForSelector('#space.ready')
    await loadAxe(game.page)
  })

  afterAll(() => game.close())

  const dateIs = (date: RegExp) => expect.poll(() => game.page.textContent('#date')).toMatch(date)

  async function isNow(): Promise<void> {
    await game.page.waitForSelector('#time:not(.other)')
    const shown = Date.parse(((await game.page.textContent('#date')) ?? '').replace(' UTC', 'Z'))
    const { game_time: now } = await game.client.status()
    expect(Math.abs(shown - Date.parse(now))).toBeLessThan(10_000)
  }

  test('a date is typed, stepped from by keys, played, and left for now', async () => {
    const { page } = game
    await page.click('#other-dates')
    await page.getByLabel('Date and time, UTC').fill('2030-01-01T00:00:00')
    await dateIs(/^2030-01-01 00:00:00/)
    expect(await page.textContent('#time')).toContain('not now')
    expect(await page.textContent('.time-bar-note')).toMatch(/^Not now: .* after now\./)
    const slider = page.getByRole('slider', { name: 'Date' })
    await slider.focus()
    await page.keyboard.press('ArrowLeft')
    await dateIs(/^2029-12-31 00:00:00/)
    await expect.poll(() => slider.getAttribute('aria-valuetext')).toMatch(/^2029-12-31/)
    await page.getByRole('combobox', { name: 'Pace' }).selectOption('10,000,000 ×')
    await page.getByRole('button', { name: 'Play forward' }).click()
    await dateIs(/^203[0-9]/)
    expect(await page.textContent('#speed')).toBe('10,000,000 × real time')
    await slider.focus()
    await page.keyboard.press('Space')
    await expect.poll(() => page.textContent('#speed')).toBe('paused')
    await page.getByRole('button', { name: 'Play backward' }).click()
    await dateIs(/^(?:199|200|201|202)/)
    await slider.focus()
    await page.keyboard.press('Home')
    await isNow()
    expect(await page.textContent('.time-bar-said')).toBe('The present')
  })

  test('the slider leads to a date, and its link there, from another page too', async () => {
    const { page, url } = game
    await page.getByRole('combobox', { name: 'Step' }).selectOption('1 year')
    const box = (await page.getByRole('slider', { name: 'Date' }).boundingBox())!
    const y = box.y + box.height / 2
    await page.mouse.move(box.x + box.width * 0.5, y)
    await page.mouse.down()
    await page.mouse.move(box.x + box.width * 0.1, y, { steps: 5 })
    await page.mouse.up()
    await dateIs(/^199/)
    const hash = await page.waitForFunction(() => /\?at=199.*Z$/.exec(location.hash)?.input)
    const date = (await page.textContent('#date'))?.slice(0, 16)
    await game.leave()
    await page.goto(`${url}/${await hash.jsonValue()}`)
    await expect.poll(async () => (await page.textContent('#date'))?.slice(0, 16)).toBe(date)
    await page.getByRole('button', { name: 'Close, back to the present' }).click()
    await isNow()
    await expect.poll(() => page.evaluate(() => location.hash)).not.toContain('at=')
  })

  test.runIf(IS_NIGHT)(
    'a link with an unreadable or unknown date says so and shows now',
    async () => {
      const { page, url } = game
      for (const [at, why] of [
        ['2031-02-30x', 'The date of the link cannot be read. This is the view without it.'],
        [
          '1850-06-01',
          'The date 1850-06-01 is outside of what is known of Sol: 1990-01-12 to 2050',
        ],
      ]) {
        await game.leave()
        await page.goto(`${url}/#Mars/1e8/0/0?at=${at}`)
        await expect.poll(() => page.locator('.notices').textContent()).toContain(why)
        await expect.poll(() => page.textContent('#facts-name')).toBe('Mars')
        await isNow()
      }
    },
  )

  test.runIf(IS_NIGHT)('on a narrow phone it fits, and axe has nothing to refuse', async () => {
    const { page, url } = game
    await page.setViewportSize({ width: 320, height: 568 })
    await game.leave()
    await page.goto(`${url}/#Moon/2e7/0/0?at=2026-08-12T17:45:00Z`)
    await dateIs(/^2026-08-12 17:45:00/)
    await loadAxe(page)
    expect(await violations(page)).toEqual([])
    const outside = await page.locator('.time-bar :is(button, input, select)').evaluateAll(
      (all) =>
        all.filter((one) => {
          const { left, right } = one.getBoundingClientRect()
          return left < 0 || right > innerWidth
        }).length,
    )
    expect(outside).toBe(0)
  })

  test.runIf(IS_NIGHT)(
    'a player sees stations, and the own ship as far as its forecast',
    async () => {
      const { page, url, client } = game
      const username = 'Kepler'
      const { token, ship_id: shipId } = await client.register(username, 'correct horse 7b')
      await page.evaluate(
        (account) => localStorage.setItem('orrery.account', account),
        JSON.stringify({ username, token, shipId }),
      )
      await page.setViewportSize({ width: 1280, height: 800 })
      await game.leave()
      await page.goto(url)
      const way = page.locator('.trajectory-panel :is(li, p:has-text("steady orbit"))')
      await way.first().waitFor({ state: 'attached' })
      await page.keyboard.press('m')
      const places = () =>
        page.locator('.label:is(.own, .station):not([hidden])').evaluateAll((labels) =>
          labels.map((label) => {
            const { x, y } = label.getBoundingClientRect()
            return [x, y].map(Math.round)
          }),
        )
      const frames = () =>
        page.evaluate(async () => {
          for (let i = 0; i < 5; i++) await new Promise((resolve) => requestAnimationFrame(resolve))
        })
      // The camera is on its way at first.
      const resting = async () => {
        for (let last = await places(); ;) {
          await frames()
          const next = await places()
          if (next.length === 2 && JSON.stringify(next) === JSON.stringify(last)) return next
          last = next
        }
      }
      const before = await resting()
      const now = ((await page.textContent('#date')) ?? '').replace(' UTC', 'Z')
      await page.click('#other-dates')
      // A forecast begins at the present, and is renewed; in this time a ship moves two pixels.
      const soon = Date.parse(now) + 8000
      await page.getByLabel('Date and time, UTC').fill(new Date(soon).toISOString().slice(0, 19))
      await page.waitForSelector('#time.other')
      const off = (await resting()).flat().map((value, i) => Math.abs(value - before.flat()[i]))
      expect(Math.max(...off)).toBeLessThan(4)
      const note = page.locator('.time-bar-note')
      await page.getByRole('combobox', { name: 'Step' }).selectOption('1 minute')
      for (let i = 0; i < 9; i++) await page.getByRole('button', { name: 'On 1 minute' }).click()
      const later = new Date(soon + 9 * 60_000).toISOString()
      await dateIs(new RegExp(later.slice(11, 19)))
      await expect
        .poll(() => note.textContent())
        .toContain('Your ship is where its forecast has it.')
      const own = page.locator('.label.own:not([hidden])')
      await own.waitFor({ state: 'visible' })
      await page.getByRole('combobox', { name: 'Step' }).selectOption('1 year')
      await page.getByRole('button', { name: 'On 1 year' }).click()
      await expect.poll(() => note.textContent()).toContain('The forecast of your ship ends at 20')
      await own.waitFor({ state: 'hidden' })
      await page.evaluate(() => (location.hash = '#Earth/2e7/0/60'))
      await isNow()
      await own.waitFor({ state: 'visible' })
    },
  )

  test.runIf(IS_NIGHT)(
    'a player looks back at ships as they were, and whether that is proved',
    async () => {
      const { page, client } = game
      const admin = await game.admin()
      await admin.game.changeTickRate(10)
      await admin.game.changeTimeScale(100)
      const begun = Date.parse((await client.status()).game_time)
      const flown = async () => Date.parse((await client.status()).game_time) - begun
      await expect.poll(flown, { timeout: 60_000 }).toBeGreaterThan(300_000)
      await admin.game.changeTimeScale(1)
      await page.evaluate(() => (location.hash = '#Earth/2e7/0/60'))
      await page.waitForSelector('#time:not(.other)')
      if ((await page.locator('.time-bar').count()) === 0) await page.click('#other-dates')
      const at = new Date(begun + 200_000).toISOString().slice(0, 19)
      await page.getByLabel('Date and time, UTC').fill(at)
      const note = page.locator('.time-bar-note')
      const own = page.locator('.label.own:not([hidden])')
      const sky = page.waitForResponse(/\/api\/player\/past\/[^/]+\/sky\?at=/)
      await page.getByRole('button', { name: 'Look back', exact: true }).click()
      await expect
        .poll(() => note.textContent())
        .toMatch(/The past, flown again: all \d+ digests? eq/)
      const { ships } = await (await sky).json()
      expect(ships).toMatchObject([{ name: 'Kepler' }])
      await own.waitFor({ state: 'visible' })
      await page.getByRole('combobox', { name: 'Pace' }).selectOption('10 ×')
      await page.getByRole('button', { name: 'Play forward' }).click()
      await dateIs(new RegExp(new Date(begun + 210_000).toISOString().slice(11, 18)))
      await own.waitFor({ state: 'visible' })
      await loadAxe(page)
      expect(await violations(page)).toEqual([])
      await page.getByRole('button', { name: 'Now', exact: true }).click()
      await isNow()
      await own.waitFor({ state: 'visible' })
      expect(await note.count()).toBe(0)
    },
  )

  test('the browser has nothing to complain of', () => {
    expect(game.complaints).toEqual([])
  })
})
