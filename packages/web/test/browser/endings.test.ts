// Goal: whatever ends or interrupts a game, the player reads it and has a way on. Method: a real
// server is paused, restarted and reset under a page, by its admin.
import { CHROMIUM_RUNS_HERE } from '@orrery/testkit/browser'
import { IS_NIGHT } from '@orrery/testkit/tier'
import type { Locator, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type GamePage, openGamePage } from '@orrery/page-kit/game-page'
import { NearModules, moduleTests } from './module-panels.ts'
import { YardClasses, yardTests } from './shipyard.ts'

const USERNAME = 'Wanderer'
const PASSWORD = 'correct horse 7b'

describe.runIf(CHROMIUM_RUNS_HERE)('an interruption', () => {
  let game: GamePage
  let page: Page
  let playerId: string
  let modules: NearModules
  let yard: YardClasses

  beforeAll(async () => {
    modules = await NearModules.write()
    game = await openGamePage({ hasFewFrames: true })
    yard = await YardClasses.write(await game.client.shipClasses())
    page = game.page
    await page.setViewportSize({ width: 360, height: 740 })
    playerId = (await game.client.register(USERNAME, PASSWORD)).player_id
    await page.goto(game.url)
    await signIn(PASSWORD)
  })

  afterAll(async () => {
    await game.close()
    // Other files know nothing of its modules and classes.
    await game.server.remove()
    await modules[Symbol.asyncDispose]()
    await yard[Symbol.asyncDispose]()
  })

  async function signIn(password: string): Promise<void> {
    await page.locator('.account-entry').getByRole('button', { name: 'Sign in' }).click()
    await page.getByLabel('Name', { exact: true }).fill(USERNAME)
    await enter(password)
  }

  async function enter(password: string): Promise<void> {
    await page.getByLabel('Password', { exact: true }).fill(password)
    await page.keyboard.press('Enter')
    await isIn(page)
  }

  /** What is said of the game; that this browser draws no picture is said, too. */
  function notice(): Locator {
    return page.locator('.notice').filter({ hasNotText: 'WebGL' })
  }

  /** Waits until the page flies the ship, by a socket of its own. */
  async function isIn(tab: Page): Promise<void> {
    await tab.locator('.account-user[data-connected=true]').waitFor()
  }

  test('pause: the picture says so until it is over', async () => {
    const admin = await game.admin()
    const { paused_at_tick: tick } = await admin.game.pause()
    await page.locator('.paused').getByText(`tick ${tick}`).waitFor()
    await page.reload()
    await page.locator('.paused').getByText('Paused').waitFor()
    await admin.game.resume()
    await page.locator('.paused-text').waitFor({ state: 'detached' })
    expect((await game.client.status()).paused).toBe(false)
  })

  test('restart: the page goes on by itself', async () => {
    await isIn(page)
    await game.server.stop()
    const notices = (): Promise<string[]> => notice().allTextContents()
    await expect.poll(async () => (await notices()).join()).toContain('The server is restarting.')
    await game.server.startAgain({
      MODULES: modules.files,
      SHIP_CLASSES: yard.path,
      SHIPS_PER_PLAYER: '2',
    })
    await notice().waitFor({ state: 'detached' })
    await isIn(page)
    expect((await game.client.status()).players_online).toBe(1)
  })

  yardTests(() => game)

  test.runIf(IS_NIGHT)('sleep: time goes on and never back', async () => {
    const admin = await game.admin()
    await admin.game.changeTimeScale(100)
    await page.evaluate(() => {
      const shown: number[] = []
      Object.assign(globalThis, { shown })
      const note = (): void => {
        const text = document.querySelector('#date')?.textContent ?? ''
        shown.push(Date.parse(text.replace(' UTC', 'Z')))
        requestAnimationFrame(note)
      }
      note()
    })
    const cdp = await page.context().newCDPSession(page)
    await cdp.send('Page.setWebLifecycleState', { state: 'frozen' })
    await game.server.stop()
    await game.server.startAgain()
    const { game_time: then } = await game.client.status()
    await cdp.send('Page.setWebLifecycleState', { state: 'active' })
    const shown = await page.waitForFunction((ms) => {
      const { shown } = globalThis as unknown as { shown: number[] }
      return (shown.at(-1) ?? 0) > ms ? shown : undefined
    }, Date.parse(then))
    const times = (await shown.jsonValue()) ?? []
    expect(times.filter((time, i) => time < times[Math.max(i - 1, 0)])).toEqual([])
    await admin.game.changeTimeScale(1)
  })

  test.runIf(IS_NIGHT)('two tabs: the later one has the ship, until it is asked back', async () => {
    const other = await page.context().newPage()
    await other.addInitScript(() => {
      Object.defineProperty(document, 'hidden', { configurable: true, value: true })
    })
    await other.goto(game.url)
    await other.waitForSelector('#space.ready')
    await isIn(page)
    await other.evaluate(() => {
      Object.defineProperty(document, 'hidden', { value: false })
      document.dispatchEvent(new Event('visibilitychange'))
    })
    await isIn(other)
    await page.getByText('Your ship is flown in another tab').waitFor()
    await page.getByRole('button', { name: 'Fly here' }).click()
    await isIn(page)
    await other.getByText('Your ship is flown in another tab').waitFor()
    await other.close()
    expect((await game.client.status()).players_online).toBe(1)
  })

  test('password reset: the new one is asked for, with the name', async () => {
    const admin = await game.admin()
    await admin.players.resetPassword(playerId, 'another horse 8c')
    await page.getByText('Your account has a new password.').waitFor()
    await notice().getByRole('button', { name: 'Sign in' }).click()
    expect(await page.getByLabel('Name', { exact: true }).inputValue()).toBe(USERNAME)
    await enter('another horse 8c')
    expect(await notice().count()).toBe(0)
  })

  test('snapshot restored: the page names the time that it is again', async () => {
    const admin = await game.admin()
    const { snapshot_id: id } = await admin.snapshots.create()
    await admin.snapshots.restore(id)
    await notice()
      .getByText(/The world has gone back to \d{4}-/)
      .waitFor()
    await isIn(page)
    expect((await game.client.status()).players_online).toBe(1)
  })

  test('account deleted by an admin: it can be made again', async () => {
    const admin = await game.admin()
    await admin.players.remove(playerId)
    await page.getByText('Your account has been deleted').waitFor()
    await page.reload()
    await page.locator('.account-entry').getByRole('button', { name: 'Fly' }).click()
    await page.getByLabel('Name', { exact: true }).fill(USERNAME)
    await enter(PASSWORD)
    const { player_id: newId } = await game.client.login(USERNAME, PASSWORD)
    expect(newId).not.toBe(playerId)
  })

  moduleTests(() => page)

  test.runIf(IS_NIGHT)('reset: a new account is a click and a password away', async () => {
    const admin = await game.admin()
    await admin.game.reset()
    await page.getByText('The world has begun again.').waitFor()
    await notice().getByRole('button', { name: 'Register' }).click()
    await enter(PASSWORD)
    const { ship_id: shipId } = await game.client.login(USERNAME, PASSWORD)
    expect(shipId).not.toBe('')
  })

  test('the page itself has not failed', () => {
    const outages = game.complaints.filter((text) =>
      /ERR_CONNECTION|WebSocket|status of/.test(text),
    )
    expect(game.complaints).toEqual(outages)
  })
})
