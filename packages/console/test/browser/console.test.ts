// Goal: an operator does by the console all that an admin may do, and knows when the server is
// away. Method: the console of a real server, used by its buttons, labels and palette.
import { connectSocket } from '@orrery/client'
import { CHROMIUM_RUNS_HERE } from '@orrery/testkit/browser'
import { IS_NIGHT, byTier } from '@orrery/testkit/tier'
import { loadAxe, violations } from '@orrery/testkit/violations'
import type { Page, Route } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { OPERATIONS } from '../operations.ts'
import { chartTests, watchCharts } from './console-charts.ts'
import { clockTests } from './console-clock.ts'
import { ConsoleDesk, HOSTILE, chooseBeforeClosed } from './console-desk.ts'
import { mapTests } from './console-map.ts'
import { tokenTests } from './console-tokens.ts'
import { worldTests } from './console-worlds.ts'
import { type GamePage, openGamePage } from '@orrery/page-kit/game-page'

const PASSWORD = 'correct horse 7b'

/** In a minute, of an address, after the server's restart. */
const LOGIN_ATTEMPTS = 8

/** Operations that are other names of what the console does, or that the status answers too. */
const ALIASES = ['changeRegistrations', 'loginAdminLegacy', 'readRegistrations']
/** The server of these tests has no modules. */
const OF_MODULES = ['commandShipModule', 'readShipModules', 'switchModule']

describe.runIf(CHROMIUM_RUNS_HERE)("the operators' console", () => {
  let game: GamePage
  let page: Page
  let desk: ConsoleDesk
  const succeeded = new Set<string>()

  beforeAll(async () => {
    game = await openGamePage({ hasOwnServer: true, hasFewFrames: true })
    page = game.page
    desk = new ConsoleDesk(page, game.server.chief.username)
    page.on('response', (answer) => {
      const { pathname } = new URL(answer.url())
      if (answer.ok()) succeeded.add(`${answer.request().method()} ${pathname}`)
    })
    await page.setViewportSize({ width: 1280, height: 800 })
    await page.addInitScript(watchCharts)
    const devtools = await page.context().newCDPSession(page)
    await devtools.send('Emulation.setTimezoneOverride', { timezoneId: 'Asia/Kolkata' })
    await page.goto(`${game.url}/admin`)
    await loadAxe(page)
  })

  afterAll(() => game.close())

  test('a wrong password is a sentence; the right one opens the overview', async () => {
    expect(await violations(page)).toEqual([])
    await desk.signIn('wrong password')
    await page.getByText('Name or password is wrong, or this is no admin.').waitFor()
    await desk.signIn(game.server.chief.password)
    await page.getByText('running', { exact: true }).waitFor()
    await page.locator('footer', { hasText: `, Node ${process.version}, PostgreSQL ` }).waitFor()
    await page.locator('.chart canvas').first().waitFor()
    await page.locator('.chart[aria-label^="from "]').first().waitFor()
    expect(await violations(page)).toEqual([])
  })

  test.runIf(IS_NIGHT)('a chart that does not load says so', async () => {
    await page.route(/chart-drawing/, (route) => route.abort())
    await page.reload()
    await page.getByText('The chart does not load. Reload the page.').first().waitFor()
    await page.unroute(/chart-drawing/)
    await page.reload()
    await page.getByText('running', { exact: true }).waitFor()
    await page.locator('.chart canvas').first().waitFor()
    expect(await page.getByText('The chart does not load. Reload the page.').count()).toBe(0)
    await loadAxe(page)
  })

  chartTests(() => ({ desk }))

  test('the palette does nothing before a command is named, and gives the focus back', async () => {
    const opener = page.getByRole('button', { name: 'Commands' })
    await opener.focus()
    await page.keyboard.press('Enter')
    await page.locator('.palette input').waitFor()
    await page.keyboard.press('Enter')
    expect(await page.locator('.palette [aria-selected=true]').count()).toBe(0)
    await page.keyboard.press('t')
    await page.keyboard.press('Enter')
    await desk.dialog().getByLabel('Ticks per second').waitFor()
    await page.keyboard.press('Escape')
    await desk.dialog().waitFor({ state: 'detached' })
    expect(await desk.focused()).toBe('Commands /')
    expect((await game.client.status()).paused).toBe(false)
  })

  test('a dialog stays that is opened before the browser reports the end of the last', async () => {
    await desk.choose('t')
    await desk.dialog().getByLabel('Ticks per second').waitFor()
    await page.evaluate(chooseBeforeClosed, 's')
    expect(await desk.dialog().getByLabel('Game seconds per second').isVisible()).toBe(true)
    await page.keyboard.press('Escape')
  })

  clockTests(() => ({ game, desk }))

  test('players are found and changed by their rows, and deleted after a question', async () => {
    for (const name of ['Pilot_1', 'Pilot_2']) await game.client.register(name, PASSWORD)
    await desk.section('Accounts')
    const players = desk.table('Players')
    await players.getByLabel('Search').fill('pILOT')
    await page.keyboard.press('Enter')
    await players.getByText('2 in all').waitFor()
    const row = (what: string, name: string): Promise<void> =>
      players.getByRole('button', { name: `${what}: ${name}` }).click()
    await row('Password', 'Pilot_1')
    await desk.fillIn({ 'New password': 'another horse 7b' })
    await desk.confirm()
    await game.client.login('Pilot_1', 'another horse 7b')
    await row('Move', 'Pilot_1')
    await desk.fillIn({ 'Star system': 'TRAPPIST-1' })
    await desk.confirm()
    await desk.outcome(/^The ship went from sol to trappist-1\./)
    await row('Debug', 'Pilot_1')
    await desk.dialog().getByText('Debug of this ship is off.').waitFor()
    await desk.confirm()
    await desk.outcome(/^Debug of the ship is on\./)
    await row('Role', 'Pilot_1')
    await desk
      .dialog()
      .getByRole('heading', { name: /: Pilot_1$/ })
      .waitFor()
    await desk.warned(/^Pilot_1 is a player already\.$/)
    await desk.fillIn({ Role: 'admin' })
    await desk.dialog().getByRole('button', { name: 'Show what it does' }).press('Enter')
    await desk.warned(/^Pilot_1 becomes an admin/)
    expect(await desk.focused()).toBe('Cancel')
    await desk.confirm()
    await desk.outcome(/^The account's role is admin\./)
    expect(await desk.focused()).toBe('Role: Pilot_1')
    await row('Delete', 'Pilot_2')
    await desk.warned(/^Pilot_2 and the ship are deleted\./)
    expect(await violations(page)).toEqual([])
    await page.keyboard.press('Escape')
    await players.getByText('2 in all').waitFor()
    await row('Delete', 'Pilot_2')
    await desk.warned(/^Pilot_2/)
    // Another admin was quicker.
    const admin = await game.admin()
    const [other] = (await admin.players.list({ search: 'Pilot_2' })).players
    await admin.players.remove(other?.player_id ?? '')
    await page.keyboard.press('Enter')
    await desk
      .dialog()
      .getByText(/\(E009\)/)
      .waitFor()
    await page.keyboard.press('Escape')
    await row('Delete', 'Pilot_1')
    await desk.warned(/^Pilot_1/)
    await desk.confirm()
    await players.getByText('0 in all').waitFor()
  })

  test.runIf(IS_NIGHT)('a failure that comes late does not cover newer rows', async () => {
    const players = desk.table('Players')
    const held = Promise.withResolvers<Route>()
    await page.route(/search=late/, (route) => held.resolve(route))
    await players.getByLabel('Search').fill('late')
    await page.keyboard.press('Enter')
    const route = await held.promise
    await players.getByLabel('Search').fill('chief')
    await page.keyboard.press('Enter')
    await players.getByText('1 in all').waitFor()
    const failed = page.waitForEvent('requestfailed')
    await route.abort()
    await failed
    // The page has shown what it does about it.
    await page.evaluate(() => new Promise((resolve) => setTimeout(resolve)))
    expect(await players.locator('.fault').textContent()).toBe('')
    await page.unroute(/search=late/)
    await players.getByRole('button', { name: 'Filter' }).focus()
  })

  test.runIf(IS_NIGHT)('admins are made, get a ship and a password, and go', async () => {
    // Blanks around a password are a part of it.
    const spaced = ` ${PASSWORD} `
    await desk.perform('c', { Name: 'Chief_2', 'New password': spaced })
    await desk.outcome(/^Chief_2 is an admin\./)
    const admins = desk.table('Admins')
    await game.client.login('Chief_2', spaced)
    await desk.perform('g', { Account: 'chief_2' })
    expect(await desk.outcome(/^The ship is /)).toMatch(/[0-9a-f]{8}-/)
    await admins.getByRole('button', { name: 'Password: Chief_2' }).click()
    await desk.fillIn({ 'New password': 'another horse 7b' })
    await desk.confirm()
    await desk.outcome(/^The password is changed\. Other sessions have ended\./)
    await admins.getByRole('button', { name: 'Delete: Chief_2' }).click()
    await desk.warned(/^Chief_2 is deleted with the ship/)
    await desk.confirm()
    await desk.outcome(/^The admin is deleted\./)
  })

  test('names of players are shown as they are, wherever they stand', async () => {
    const { token, ship_id } = await game.client.register('Mallory', PASSWORD)
    const socket = connectSocket({ url: game.url, token })
    await socket.opened
    await socket.rename(HOSTILE)
    socket.close()
    await desk.section('Worlds')
    await page.getByRole('button', { name: 'Make a snapshot' }).click()
    await desk.outcome(/^Snapshot \d+, tick/)
    await desk.perform('b', { Name: HOSTILE, Body: 'Earth', 'Altitude [m]': '900000' })
    await desk.outcome(/^<img src=x onerror=alert\(1\)> is placed\./)
    await page
      .getByRole('button', { name: /^Restore: / })
      .first()
      .click()
    await desk.warned(/^Stations that disappear: <img src=x onerror=alert\(1\)>\.$/)
    await page.keyboard.press('Escape')
    await desk.perform('j', { Name: HOSTILE, 'Larger body': 'Sun', 'Smaller body': 'Mars' })
    await desk.section('Places')
    await desk.table('Stations').getByText(HOSTILE).waitFor()
    await desk.table('Jump gates').getByText(HOSTILE).waitFor()
    for (const title of ['Stations', 'Jump gates']) {
      await desk
        .table(title)
        .getByRole('button', { name: `Remove: ${HOSTILE}` })
        .click()
      await desk.warned(/^<img src=x onerror=alert\(1\)> is removed\./)
      await desk.confirm()
      await desk.table(title).getByText(HOSTILE).waitFor({ state: 'detached' })
    }
    await desk.section('Log')
    await desk.table('Audit').getByText(HOSTILE).first().waitFor()
    await desk.table('Audit').getByText(game.server.chief.username).first().waitFor()
    await desk.perform('l', { Level: 'verbose' })
    await page.getByText('logged: verbose', { exact: true }).waitFor()
    await page.getByLabel('Ship').fill(ship_id)
    await page.keyboard.press('Enter')
    await page.getByText('No maneuver is logged.').waitFor()
    expect(await page.locator('img').count()).toBe(0)
    expect(await violations(page)).toEqual([])
  })

  mapTests(() => ({ game, desk }))

  worldTests(() => ({ game, desk }))
  tokenTests(() => desk)

  test('a server that is away is named, and comes back by itself', async () => {
    await desk.section('Map')
    await page.getByText(/^\d+ ships?$/).waitFor()
    await game.server.stop()
    await page.getByText('The server does not answer. What is shown is old.').waitFor()
    await page.getByText('The connection is lost. The map tries again by itself.').waitFor()
    await game.server.startAgain({ LOGIN_ATTEMPTS_PER_MINUTE: String(LOGIN_ATTEMPTS) })
    await page.getByText('running', { exact: true }).waitFor()
    await expect.poll(() => page.locator('.map-away').textContent()).toBe('')
    for (const name of byTier({ gate: [], night: ['Map', 'Overview'] })) {
      await desk.section(name)
      await page.setViewportSize({ width: 360, height: 740 })
      // Pictures follow the width of the page a moment later.
      await expect.poll(() => page.evaluate(() => document.documentElement.scrollWidth)).toBe(360)
      await page.setViewportSize({ width: 1280, height: 800 })
    }
  })

  test('on a phone all sections are seen, and the name of a row with its buttons', async () => {
    await page.setViewportSize({ width: 390, height: 844 })
    await desk.section('Accounts')
    await desk.table('Admins').getByRole('button', { name: 'Password: Chief_1' }).waitFor()
    const parts = page.locator('nav a, .listing td, .row-actions button, h2')
    const outside = await parts.evaluateAll((found) =>
      found
        .map((part) => ({ text: part.textContent, box: part.getBoundingClientRect() }))
        .filter(({ box: { left, right } }) => left < 0 || right > innerWidth),
    )
    expect(outside).toEqual([])
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(390)
    expect(await violations(page)).toEqual([])
    await page.setViewportSize({ width: 1280, height: 800 })
  })

  test.runIf(IS_NIGHT)('a token that expires leads to the way in, from the map too', async () => {
    const token = await game.server.expiringToken(3)
    const kept = JSON.stringify({ username: game.server.chief.username, token })
    await page.evaluate((text) => sessionStorage.setItem('orrery.operator', text), kept)
    await page.goto(`${game.url}/admin#map`)
    await page.reload()
    await page.getByText('The session has ended. Sign in again.').waitFor()
    expect(await page.evaluate(() => sessionStorage.length)).toBe(0)
    await desk.signIn(game.server.chief.password)
    await page.getByText('running', { exact: true }).waitFor()
    await loadAxe(page)
  })

  test('a session that others ended leads to the way in, with the reason', async () => {
    const admin = await game.admin()
    await admin.admins.create('Chief_3', PASSWORD)
    const { token } = await game.client.adminLogin('Chief_3', PASSWORD)
    const { admins } = await game.client.admin(token).admins.list()
    const id =
      admins.find(({ username }) => username === game.server.chief.username)?.admin_id ?? ''
    await game.client.admin(token).admins.changePassword(id, `${PASSWORD} `)
    await page.getByText('The session has ended. Sign in again.').waitFor()
    expect(await violations(page)).toEqual([])
    await desk.signIn(`${PASSWORD} `)
    await page.getByText('running', { exact: true }).waitFor()
    await desk.choose('!')
    await desk.warned(/^All sessions of your account end/)
    await desk.confirm()
    await page.getByText('The session has ended. Sign in again.').waitFor()
    await desk.signIn(`${PASSWORD} `)
    await page.getByText('running', { exact: true }).waitFor()
  })

  test("a reset is done only after the server's name is typed", async () => {
    await desk.choose('f')
    const word = desk.dialog().getByLabel('Type Orrery to confirm')
    await word.waitFor()
    expect(await word.evaluate((field) => field === document.activeElement)).toBe(true)
    await word.fill('orrery')
    await page.keyboard.press('Enter')
    await desk.dialog().getByText('Type Orrery to go on.').waitFor()
    if (!IS_NIGHT) return page.keyboard.press('Escape')
    await desk.dialog().getByLabel('Type Orrery to confirm').fill('Orrery')
    await page.keyboard.press('Enter')
    const text = await desk.outcome(/^A new world since .*Before it: backup/)
    await desk.section('Worlds')
    const [backup = ''] = /[0-9a-f-]{36}/.exec(text.split('backup ')[1] ?? '') ?? []
    expect(backup).toHaveLength(36)
    // What is selected is what is copied.
    await desk.table('Backups').getByText(backup, { exact: true }).click()
    expect(await page.evaluate(() => getSelection()?.toString())).toBe(backup)
    await desk.choose('z')
    await page.getByRole('button', { name: 'Sign in' }).waitFor()
  })

  test.runIf(IS_NIGHT)(
    'after too many attempts it is said when the next one is possible',
    async () => {
      const wait = page.getByText(/Try again in \d+ s\.$/)
      for (let i = 0; i < 3 * LOGIN_ATTEMPTS && (await wait.count()) === 0; i++) {
        await desk.signIn('wrong password')
        await page.locator('.main:enabled').waitFor()
      }
      expect(await wait.count()).toBe(1)
    },
  )

  /** Operations of admins, and the requests that are theirs. */
  async function operations(): Promise<{ id: string; pattern: RegExp }[]> {
    const { paths } = (await game.client.openApi()) as {
      paths: Record<string, Record<string, { operationId?: string }>>
    }
    return Object.entries(paths)
      .filter(([path]) => path.startsWith('/api/admin/'))
      .flatMap(([path, item]) =>
        Object.entries(item).map(([method, { operationId = '' }]) => ({
          id: operationId,
          pattern: new RegExp(`^${method.toUpperCase()} ${path.replaceAll(/\{\w+\}/g, '[^/]+')}$`),
        })),
      )
  }

  test('every operation of an admin has a place', async () => {
    const all = await operations()
    expect(all.length).toBeGreaterThan(35)
    const without = all.filter(({ id }) => !OPERATIONS.has(id)).map(({ id }) => id)
    expect(without.toSorted()).toEqual(ALIASES)
    // Nothing but the answers of refusals and of the server that was away.
    const others = game.complaints.filter(
      (text) => !/^(?:Failed to load resource|WebSocket connection to \S+ failed)/.test(text),
    )
    expect(others).toEqual([])
  })

  test.runIf(IS_NIGHT)('every place was used', async () => {
    const used = [...succeeded]
    const unused = (await operations()).filter(
      ({ pattern }) => !used.some((it) => pattern.test(it)),
    )
    expect(unused.map(({ id }) => id).toSorted()).toEqual([...ALIASES, ...OF_MODULES].toSorted())
  })
})
