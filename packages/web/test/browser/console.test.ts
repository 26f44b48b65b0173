// Goal: an operator does by the console all that an admin may do, and knows when the server is
// away. Method: the console of a real server, used by its buttons, labels and palette.
import { connectSocket } from '@orrery/client'
import { CHROMIUM_RUNS_HERE } from '@orrery/testkit/browser'
import { loadAxe, violations } from '@orrery/testkit/violations'
import type { Locator, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { ACTIONS, OPERATIONS } from '../../src/operator/places.ts'
import { type GamePage, openGamePage } from './open-game-page.ts'

const PASSWORD = 'correct horse 7b'
const HOSTILE = '<img src=x onerror=alert(1)>'

/** Operations that are other names of what the console does, or that the status answers too. */
const ALIASES = ['readRegistrations', 'loginAdminLegacy', 'changeRegistrations']

describe.runIf(CHROMIUM_RUNS_HERE)("the operators' console", () => {
  let game: GamePage
  let page: Page
  const succeeded = new Set<string>()

  beforeAll(async () => {
    game = await openGamePage({ hasGraphics: false })
    page = game.page
    page.on('response', (answer) => {
      const { pathname } = new URL(answer.url())
      if (answer.ok()) succeeded.add(`${answer.request().method()} ${pathname}`)
    })
    await page.setViewportSize({ width: 1280, height: 800 })
    await page.goto(`${game.url}/admin`)
    await loadAxe(page)
  })

  afterAll(() => game.close())

  const table = (title: string): Locator => page.getByRole('region', { name: title, exact: true })
  const dialog = (): Locator => page.locator('dialog[open]')

  async function signIn(password: string): Promise<void> {
    await page.getByLabel('Name').fill(game.chief.username)
    await page.getByLabel('Password').fill(password)
    await page.getByRole('button', { name: 'Sign in' }).click()
  }

  /** Waits for the sentence of what was done. */
  async function outcome(text: RegExp): Promise<string> {
    const shown = page.locator('.outcome p').filter({ hasText: text })
    await shown.waitFor()
    return (await shown.textContent()) ?? ''
  }

  /** Chooses an action by three keys. */
  async function choose(key: string): Promise<void> {
    await page.keyboard.press('/')
    await page.locator('.palette input').waitFor()
    await page.keyboard.press(key)
    await page.keyboard.press('Enter')
  }

  /** Fills fields of the open dialog by their labels. */
  async function fill(values: Readonly<Record<string, string>>): Promise<void> {
    for (const [label, value] of Object.entries(values)) {
      const field = dialog().getByLabel(label, { exact: true })
      const isChoice = await field.evaluate((element) => element.tagName === 'SELECT')
      await (isChoice ? field.selectOption(value) : field.fill(value))
    }
  }

  /** Presses what the dialog does, which ends it. */
  async function confirm(): Promise<void> {
    await dialog().locator('footer button').last().click()
    await dialog().waitFor({ state: 'detached' })
  }

  /** Reads what a grave action would do, before it can be confirmed. */
  async function warned(text: RegExp): Promise<void> {
    await dialog().locator('.warning').filter({ hasText: text }).first().waitFor()
  }

  /** Does an action of the palette whose dialog has fields. */
  async function perform(key: string, values: Readonly<Record<string, string>>): Promise<void> {
    await choose(key)
    await fill(values)
    await confirm()
  }

  async function section(name: string): Promise<void> {
    await page.getByRole('navigation').getByRole('link', { name }).click()
  }

  test('a wrong password is a sentence; the right one opens the overview', async () => {
    expect(await violations(page)).toEqual([])
    await signIn('wrong password')
    await page.getByText('Name or password is wrong, or this is no admin.').waitFor()
    await signIn(game.chief.password)
    await page.getByText('running', { exact: true }).waitFor()
    await page.locator('.chart canvas').first().waitFor()
    expect(await violations(page)).toEqual([])
  })

  test('the clock is held and changed; a value out of range is a sentence', async () => {
    await choose('p')
    await outcome(/^Paused at tick \d+\./)
    await page.getByText('paused', { exact: true }).waitFor()
    await page.getByRole('button', { name: 'Resume' }).click()
    await outcome(/^Running from tick/)
    await choose('t')
    await fill({ 'Ticks per second': '500' })
    await page.keyboard.press('Enter')
    await dialog().getByText('Tick rate must be a number from 0.1 to 100').waitFor()
    await fill({ 'Ticks per second': '5' })
    await confirm()
    await outcome(/^Tick rate 5 Hz, before 1 Hz\./)
    await perform('s', { 'Game seconds per second': '2' })
    await outcome(/^Time scale 2, before 1\./)
    await perform('s', { 'Game seconds per second': '1' })
    const { game_time: now } = await game.client.status()
    const later = new Date(Date.parse(now) + 3_600_000).toISOString()
    await perform('i', { 'Later moment': later })
    await outcome(/^Game time hurries to/)
    await expect.poll(async () => (await game.client.status()).game_time >= later).toBe(true)
    await choose('y')
    await outcome(/^Time sync is on\./)
    const scale = page.getByRole('button', { name: 'Time scale' })
    await expect.poll(() => scale.isDisabled()).toBe(true)
    await choose('y')
    await outcome(/^Time sync is off\./)
    await choose('a')
    await outcome(/is on\./)
    await choose('a')
    await outcome(/is off\./)
    await page.getByRole('button', { name: 'Close registration' }).click()
    await outcome(/^Registration is closed\./)
    await page.getByRole('button', { name: 'Open registration' }).click()
    await outcome(/^Registration is open\./)
  })

  test('players are found and changed by their rows, and deleted after a question', async () => {
    for (const name of ['Pilot_1', 'Pilot_2']) await game.client.register(name, PASSWORD)
    await section('Accounts')
    const players = table('Players')
    await players.getByLabel('Search').fill('pILOT')
    await page.keyboard.press('Enter')
    await players.getByText('2 in all').waitFor()
    const row = (what: string, name: string): Promise<void> =>
      players.getByRole('button', { name: `${what}: ${name}` }).click()
    await row('Password', 'Pilot_1')
    await fill({ 'New password': 'another horse 7b' })
    await confirm()
    await game.client.login('Pilot_1', 'another horse 7b')
    await row('Move', 'Pilot_1')
    await fill({ 'Id of the system': 'trappist-1' })
    await confirm()
    await outcome(/^The ship went from sol to trappist-1\./)
    await row('Debug', 'Pilot_1')
    await dialog().getByText('Debug of this ship is off.').waitFor()
    await confirm()
    await outcome(/^Debug of the ship is on\./)
    await row('Role', 'Pilot_1')
    await confirm()
    await outcome(/^The account's role is admin\./)
    await row('Delete', 'Pilot_2')
    await warned(/^Pilot_2 and the ship are deleted\./)
    expect(await violations(page)).toEqual([])
    await page.keyboard.press('Escape')
    await players.getByText('2 in all').waitFor()
    await row('Delete', 'Pilot_2')
    await warned(/^Pilot_2/)
    // Another admin was quicker.
    const admin = await game.admin()
    const [other] = (await admin.players.list({ search: 'Pilot_2' })).players
    await admin.players.remove(other?.player_id ?? '')
    await page.keyboard.press('Enter')
    await dialog()
      .getByText(/\(E009\)/)
      .waitFor()
    await page.keyboard.press('Escape')
    await row('Delete', 'Pilot_1')
    await warned(/^Pilot_1/)
    await confirm()
    await players.getByText('0 in all').waitFor()
  })

  test('admins are made, get a ship and a password, and go', async () => {
    await perform('c', { Name: 'Chief_2', 'New password': PASSWORD })
    await outcome(/^Chief_2 is an admin\./)
    const admins = table('Admins')
    const { player_id: id } = await game.client.login('Chief_2', PASSWORD)
    await perform('g', { 'Id of the player': id })
    expect(await outcome(/^The ship is /)).toMatch(/[0-9a-f]{8}-/)
    await admins.getByRole('button', { name: 'Password: Chief_2' }).click()
    await fill({ 'New password': 'another horse 7b' })
    await confirm()
    await outcome(/^The password is changed\./)
    await admins.getByRole('button', { name: 'Delete: Chief_2' }).click()
    await confirm()
    await outcome(/^The admin is deleted\./)
  })

  test('names of players are shown as they are, wherever they stand', async () => {
    const { token, ship_id } = await game.client.register('Mallory', PASSWORD)
    const socket = connectSocket({ url: game.url, token })
    await socket.opened
    await socket.rename(HOSTILE)
    socket.close()
    await section('Worlds')
    await page.getByRole('button', { name: 'Make a snapshot' }).click()
    await outcome(/^Snapshot \d+, tick/)
    await perform('b', { Name: HOSTILE, Body: 'Earth', 'Altitude [m]': '900000' })
    await outcome(/^<img src=x onerror=alert\(1\)> is placed\./)
    await page
      .getByRole('button', { name: /^Restore: / })
      .first()
      .click()
    await warned(/^Stations that disappear: <img src=x onerror=alert\(1\)>\.$/)
    await page.keyboard.press('Escape')
    await perform('j', { Name: HOSTILE, 'Larger body': 'Sun', 'Smaller body': 'Mars' })
    await section('Places')
    await table('Stations').getByText(HOSTILE).waitFor()
    await table('Jump gates').getByText(HOSTILE).waitFor()
    for (const title of ['Stations', 'Jump gates']) {
      await table(title)
        .getByRole('button', { name: `Remove: ${HOSTILE}` })
        .click()
      await confirm()
      await table(title).getByText(HOSTILE).waitFor({ state: 'detached' })
    }
    await section('Log')
    await table('Audit').getByText(HOSTILE).first().waitFor()
    await perform('l', { Level: 'verbose' })
    await page.getByText('logged: verbose', { exact: true }).waitFor()
    await page.getByLabel('Ship').fill(ship_id)
    await page.keyboard.press('Enter')
    await page.getByText('No maneuver is logged.').waitFor()
    expect(await page.locator('img').count()).toBe(0)
    expect(await violations(page)).toEqual([])
  })

  test('a restore is done after it is known; a snapshot that is gone is a sentence', async () => {
    await section('Worlds')
    await page
      .getByRole('button', { name: /^Restore: / })
      .first()
      .click()
    await warned(/^It undoes \d+ ticks/)
    await confirm()
    expect(await outcome(/^Restored: tick \d+/)).toContain('game time')
    // The first is the one that the restore has begun an era with.
    await page
      .getByRole('button', { name: /^Delete: / })
      .first()
      .click()
    await warned(/^Snapshot \d+ can never be restored again\.$/)
    await confirm()
    await dialog()
      .getByText(/is needed: .*\(E003\)/)
      .waitFor()
    await page.keyboard.press('Escape')
    await page
      .getByRole('row')
      .filter({ hasText: 'admin' })
      .getByRole('button', { name: /^Delete: / })
      .first()
      .click()
    await confirm()
    await outcome(/^Snapshot \d+ is deleted\.$/)
    await choose('e')
    await fill({ 'Number of the snapshot': '4711' })
    await dialog().getByRole('button', { name: 'Show what it does' }).click()
    await dialog()
      .getByText(/\(E016\)/)
      .waitFor()
    await page.keyboard.press('Escape')
  })

  test('a backup is made, restored after a question, and deleted', async () => {
    await table('Backups').getByRole('button', { name: 'Make a backup' }).click()
    const made = await outcome(/^Backup \S+, tick \d+, \d+ accounts\./)
    const id = made.split(' ')[1]?.replace(',', '') ?? ''
    await perform('<', { 'Id of the backup': id })
    await outcome(/^Restored: tick \d+\. Before it: backup /)
    await table('Backups').getByText('restore', { exact: true }).waitFor()
    await table('Backups')
      .getByRole('button', { name: /^Delete: / })
      .last()
      .click()
    await warned(/^The backup cannot be restored any more\./)
    await confirm()
    await outcome(/^The backup is deleted\./)
  })

  test('a server that is away is named, and comes back by itself', async () => {
    await section('Overview')
    await page.locator('.card').first().waitFor()
    await game.stopServer()
    await page.getByText('The server does not answer. What is shown is old.').waitFor()
    await game.startServer()
    await page.getByText('running', { exact: true }).waitFor()
    await page.setViewportSize({ width: 360, height: 740 })
    // Charts follow the width of the page a moment later.
    await expect.poll(() => page.evaluate(() => document.documentElement.scrollWidth)).toBe(360)
    await page.setViewportSize({ width: 1280, height: 800 })
  })

  test('a session that others ended leads to the way in, with the reason', async () => {
    const admin = await game.admin()
    await admin.admins.create('Chief_3', PASSWORD)
    const { token } = await game.client.adminLogin('Chief_3', PASSWORD)
    const { admins } = await game.client.admin(token).admins.list()
    const id = admins.find(({ username }) => username === game.chief.username)?.admin_id ?? ''
    await game.client.admin(token).admins.changePassword(id, PASSWORD)
    await page.getByText('The session has ended. Sign in again.').waitFor()
    expect(await violations(page)).toEqual([])
    await signIn(PASSWORD)
    await page.getByText('running', { exact: true }).waitFor()
  })

  test("a reset is done only after the server's name is typed", async () => {
    await choose('f')
    await dialog().getByLabel('Type Orrery to confirm').fill('orrery')
    await page.keyboard.press('Enter')
    await dialog().getByText('Type Orrery to go on.').waitFor()
    await dialog().getByLabel('Type Orrery to confirm').fill('Orrery')
    await page.keyboard.press('Enter')
    const text = await outcome(/^A new world since .*Before it: backup/)
    await section('Worlds')
    const [backup = ''] = /[0-9a-f]{8}(?=-)/.exec(text.split('backup ')[1] ?? '') ?? []
    expect(backup).toHaveLength(8)
    await table('Backups').getByText(`${backup}…`).waitFor()
    await choose('z')
    await page.getByRole('button', { name: 'Sign in' }).waitFor()
  })

  test('every operation of an admin has a place, and every place was used', async () => {
    const { paths } = (await game.client.openApi()) as {
      paths: Record<string, Record<string, { operationId?: string }>>
    }
    const routes = Object.entries(paths)
      .filter(([path]) => path.startsWith('/api/admin/'))
      .flatMap(([path, item]) =>
        Object.entries(item).map(([method, { operationId = '' }]) => ({
          id: operationId,
          pattern: new RegExp(`^${method.toUpperCase()} ${path.replaceAll(/\{\w+\}/g, '[^/]+')}$`),
        })),
      )
    expect(routes.length).toBeGreaterThan(35)
    const without = routes.filter(({ id }) => !OPERATIONS.has(id)).map(({ id }) => id)
    expect(without.toSorted()).toEqual(ALIASES)
    const unused = routes.filter(({ pattern }) => ![...succeeded].some((it) => pattern.test(it)))
    expect(unused.map(({ id }) => id).toSorted()).toEqual(ALIASES)
    expect(new Set(ACTIONS.map(({ key }) => key)).size).toBe(ACTIONS.length)
    // Nothing but the answers of refusals and of the server that was away.
    const others = game.complaints.filter((text) => !text.startsWith('Failed to load resource'))
    expect(others).toEqual([])
  })
})
