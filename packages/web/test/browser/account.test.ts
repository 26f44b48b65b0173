// Goal: a visitor has a ship after one click and a password, and comes back to it. Method: the page
// of a real server is used as people use it, by its buttons and labels.
import type { OwnShipState } from '@orrery/client'
import { CHROMIUM_RUNS_HERE } from '@orrery/testkit/browser'
import { IS_NIGHT } from '@orrery/testkit/tier'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type GamePage, openGamePage } from '@orrery/page-kit/game-page'

const PASSWORD = 'correct horse 7b'

describe.runIf(CHROMIUM_RUNS_HERE)('an account on the page', () => {
  let game: GamePage
  let page: Page
  let username: string
  let password = PASSWORD

  beforeAll(async () => {
    game = await openGamePage({ hasFewFrames: true })
    page = game.page
    await page.setViewportSize({ width: 360, height: 740 })
    await page.goto(game.url)
    await page.waitForSelector('#space.ready')
  })

  afterAll(() => game.close())

  /** Opens the dialog of a visitor. */
  async function open(button: 'Fly' | 'Sign in'): Promise<void> {
    await page.locator('.account-entry').getByRole('button', { name: button }).click()
    await page.getByLabel('Password', { exact: true }).waitFor()
  }

  async function signOut(): Promise<void> {
    await page.locator('.account-user').click()
    await page.getByRole('button', { name: 'Sign out', exact: true }).click()
    await page.getByRole('button', { name: 'Fly' }).waitFor()
  }

  /** Waits until a tab flies the ship of a player: one that is left earlier complains of that. */
  async function connected(tab: Page, name: string): Promise<void> {
    await tab.locator(`.account-user[data-connected=true]:text-is("${name}")`).waitFor()
  }

  async function shipOf(name: string, secret: string): Promise<OwnShipState> {
    const { token } = await game.client.login(name, secret)
    return game.client.player(token).ship()
  }

  function focused(): Promise<string | undefined> {
    return page.evaluate(() => (document.activeElement as HTMLInputElement | null)?.name)
  }

  test('takes a password and Enter, and the page looks at the ship', async () => {
    await open('Fly')
    username = await page.getByLabel('Name', { exact: true }).inputValue()
    expect(username).toMatch(/^[A-Za-z0-9_]{3,20}$/)
    expect(await focused()).toBe('password')
    await page.keyboard.type(PASSWORD)
    await page.keyboard.press('Enter')
    await connected(page, username)
    // The address names the body that is looked at.
    await page.waitForFunction(() => location.hash === '')
  })

  test('is there again after a reload', async () => {
    await page.reload()
    await connected(page, username)
    expect(await page.getByRole('button', { name: 'Fly' }).count()).toBe(0)
  })

  test.runIf(IS_NIGHT)('comes with its ship, to which a link leads', async () => {
    const shown = page.locator('#facts-kind')
    await expect.poll(() => shown.textContent()).toBe('ship')
    await page.focus('#space')
    await page.keyboard.press('c')
    const link = await page.getByLabel('Link to this view').inputValue()
    expect(link).toContain('#ship=')
    await game.leave()
    await page.goto(link)
    await connected(page, username)
    await expect.poll(() => shown.textContent()).toBe('ship')
  })

  test('is refused with a sentence, and the focus is where it can be put right', async () => {
    await signOut()
    await open('Sign in')
    await page.getByLabel('Name', { exact: true }).fill(username)
    await page.getByLabel('Password', { exact: true }).fill('another horse 8c')
    await page.keyboard.press('Enter')
    await page.getByText('The name or the password is wrong.').waitFor()
    expect(await focused()).toBe('password')
    await page.getByRole('button', { name: 'I am new here' }).click()
    await page.getByLabel('Name', { exact: true }).fill(username)
    await page.getByLabel('Password', { exact: true }).fill(PASSWORD)
    await page.keyboard.press('Enter')
    await page.getByText('Another player has this name.').waitFor()
    expect(await focused()).toBe('username')
    await page.getByRole('button', { name: 'I have an account' }).click()
    await page.getByLabel('Name', { exact: true }).fill(username)
    await page.getByLabel('Password', { exact: true }).fill(PASSWORD)
    await page.keyboard.press('Enter')
    await connected(page, username)
  })

  test('shows names as text, whatever they are', async () => {
    const hostile = '<img src=x onerror=alert(1)>'
    await page.locator('.account-user').click()
    const name = page.getByLabel('Name of the ship')
    await name.fill('Ship \u202egnp.exe')
    await page.keyboard.press('Enter')
    await page.getByText('none of them invisible').waitFor()
    await name.fill(hostile)
    await page.keyboard.press('Enter')
    await page.getByText(`The ship is called ${hostile}.`).waitFor()
    expect(await page.locator('img').count()).toBe(0)
    await page.keyboard.press('Escape')
  })

  test('lets guests follow its ship, and hides it again', async () => {
    await page.locator('.account-user').click()
    await page.getByText('Only other pilots see your ship.').waitFor()
    await page.getByRole('button', { name: 'Let guests follow me' }).click()
    await page.getByText('Everyone sees your ship, also without an account').waitFor()
    const { token } = await game.client.login(username, PASSWORD)
    expect(await game.client.player(token).settings()).toEqual({ followable: true })
    await page.getByRole('button', { name: 'Hide my ship from guests' }).click()
    await page.getByText('Only other pilots see your ship.').waitFor()
    await page.keyboard.press('Escape')
  })

  test('ends what was stolen by a new password, and by signing out everywhere', async () => {
    const stolen = async (): Promise<() => Promise<unknown>> => {
      const { token } = await game.client.login(username, password)
      const player = game.client.player(token)
      await player.ship()
      return () => player.ship()
    }
    const first = await stolen()
    await page.locator('.account-user').click()
    await page.getByLabel('Present password').fill(PASSWORD)
    password = `${PASSWORD} 2`
    await page.getByLabel('New password').fill(password)
    await page.getByRole('button', { name: 'Change password' }).click()
    await page.getByText('You are signed out everywhere else.').waitFor()
    await expect(first()).rejects.toMatchObject({ code: 'E005' })
    // The page's own token and socket are good.
    await page.getByLabel('Name of the ship').fill('Kept')
    await page.keyboard.press('Enter')
    await page.getByText('The ship is called Kept.').waitFor()
    const second = await stolen()
    await page.getByRole('button', { name: 'Sign out everywhere' }).click()
    await page.getByRole('button', { name: 'Fly' }).waitFor()
    await expect(second()).rejects.toMatchObject({ code: 'E005' })
    await open('Sign in')
    await page.getByLabel('Name', { exact: true }).fill(username)
    await page.getByLabel('Password', { exact: true }).fill(password)
    await page.keyboard.press('Enter')
    await connected(page, username)
  })

  test.runIf(IS_NIGHT)('does not mind a clock that is an hour off', async () => {
    await page.addInitScript(() => {
      const { now } = Date
      Date.now = () => now() + 3_600_000
    })
    await page.waitForFunction(() => location.hash === '')
    await page.reload()
    await connected(page, username)
    await page.waitForFunction(() => location.hash === '' && document.querySelector('.ready'))
    const shown = Date.parse(((await page.textContent('#date')) ?? '').replace(' UTC', 'Z'))
    const { game_time: gameTime } = await game.client.status()
    expect(Math.abs(shown - Date.parse(gameTime))).toBeLessThan(60_000)
  })

  test.runIf(IS_NIGHT)('of now is what a tab in the background comes back to', async () => {
    const other = await page.context().newPage()
    await other.addInitScript(() => {
      Object.defineProperty(document, 'hidden', { configurable: true, value: true })
    })
    await other.goto(game.url)
    await other.waitForSelector('#space.ready')
    await signOut()
    await open('Fly')
    const later = await page.getByLabel('Name', { exact: true }).inputValue()
    await page.keyboard.type(PASSWORD)
    await page.keyboard.press('Enter')
    await connected(page, later)
    await other.evaluate(() => {
      Object.defineProperty(document, 'hidden', { value: false })
      document.dispatchEvent(new Event('visibilitychange'))
    })
    await other.locator('.account-user[data-connected=true]').waitFor()
    expect(await other.locator('.account-user').textContent()).toBe(later)
    // The later tab has the ship; what it left behind is not what the first one flies again.
    await page.getByText('Your ship is flown in another tab').waitFor()
    await other.locator('.account-user').click()
    await other.getByRole('button', { name: 'Sign out', exact: true }).click()
    await other.getByRole('button', { name: 'Fly', exact: true }).waitFor()
    await page.getByRole('button', { name: 'Fly here' }).click()
    await page.getByLabel('Password', { exact: true }).fill(PASSWORD)
    await page.keyboard.press('Enter')
    await connected(page, later)
    await other.close()
    username = later
    password = PASSWORD
  })

  test('has its log again after a reload, with the date', async () => {
    await page.getByRole('button', { name: 'Orders', exact: true }).click()
    await page.getByRole('button', { name: 'Point prograde' }).click()
    const line = page.locator('[role=log]').getByText('Point prograde')
    await line.waitFor({ state: 'attached' })
    await page.reload()
    await connected(page, username)
    await line.waitFor({ state: 'attached' })
    const { game_time: time } = await game.client.status()
    const days = await page.locator('[role=log] .day').allTextContents()
    expect(days.map((day) => time.startsWith(day.replace(' UTC', '')))).toEqual([true])
    await signOut()
    expect(await page.locator('[role=log]').count()).toBe(0)
    await open('Sign in')
    await page.getByLabel('Name', { exact: true }).fill(username)
    await page.getByLabel('Password', { exact: true }).fill(password)
    await page.keyboard.press('Enter')
    await connected(page, username)
    await line.waitFor({ state: 'attached' })
  })

  test.runIf(IS_NIGHT)('invites another, whose ship begins beside', async () => {
    await page.locator('.account-user').click()
    await page.getByRole('button', { name: 'Make an invitation' }).click()
    const link = await page.getByLabel('Address of the invitation').inputValue()
    await page.keyboard.press('Escape')
    // A small picture costs little.
    const small = { viewport: { width: 360, height: 360 } }
    const guest = await (await page.context().browser()!.newContext(small)).newPage()
    await guest.goto(link)
    await guest.getByText('You are invited').waitFor()
    const name = await guest.getByLabel('Name', { exact: true }).inputValue()
    await guest.getByLabel('Password', { exact: true }).fill(PASSWORD)
    await guest.keyboard.press('Enter')
    await connected(guest, name)
    const [host, other] = await Promise.all([shipOf(username, password), shipOf(name, PASSWORD)])
    const { x, y, z } = host.position
    const apart = [other.position.x - x, other.position.y - y, other.position.z - z]
    // Others begin further off; the answers are some milliseconds apart, at 8 km/s.
    expect(Math.hypot(...apart)).toBeLessThan(100e3)
    await guest.context().close()
  })

  test('is deleted when its name is typed', async () => {
    await page.locator('.account-user').click()
    const button = page.getByRole('button', { name: 'Delete' })
    expect(await button.isDisabled()).toBe(true)
    await page.getByLabel(`Type ${username} to confirm`).fill(username)
    await button.click()
    await page.getByText('Your account is deleted.').waitFor()
    await expect(game.client.login(username, password)).rejects.toMatchObject({
      code: 'E005',
    })
  })

  test('cannot be made while registration is closed, which is said before', async () => {
    const admin = await game.admin()
    await admin.registrations.close()
    await open('Fly')
    await page.getByText('Registration is closed on this server.').waitFor()
    expect(await page.getByRole('button', { name: 'Register and fly' }).isDisabled()).toBe(true)
    await page.keyboard.press('Escape')
    expect(await page.locator('.account-entry').getByRole('button').allTextContents()).toEqual([
      'Sign in',
    ])
  })

  test('the browser has nothing to complain of', () => {
    const refusals = game.complaints.filter((text) => /status of 4\d\d/.test(text))
    expect(game.complaints).toEqual(refusals)
  })
})
