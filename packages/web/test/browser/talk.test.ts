// Goal: a pilot talks to others on the page by keyboard alone, sees them as text whatever they say,
// and mutes them for good. Method: the page of a real server, and a second pilot's program.
import { type GameSocket, type SaidMessage, connectSocket } from '@orrery/client'
import { CHROMIUM_RUNS_HERE } from '@orrery/testkit/browser'
import { loadAxe, violations } from '@orrery/testkit/violations'
import type { Locator, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type GamePage, openGamePage } from '@orrery/page-kit/game-page'

const HOSTILE = '<img src=x onerror=alert(1)>'

describe.runIf(CHROMIUM_RUNS_HERE)('talk', () => {
  let game: GamePage
  let page: Page
  let panel: Locator
  let other: GameSocket
  let otherShip: string
  const heard: SaidMessage[] = []

  beforeAll(async () => {
    game = await openGamePage({ viewport: { width: 1280, height: 800 }, hasFewFrames: true })
    page = game.page
    const { url, client } = game
    await (await game.admin()).switchTalk(true)
    const own = await client.register('Speaker', 'correct horse 7b')
    const { token, ship_id: shipId } = await client.register('Hearer', 'correct horse 7b')
    otherShip = shipId
    other = connectSocket({ url, token })
    await other.opened
    await other.rename('<b>Jo</b>')
    other.on('said', (said) => heard.push(said))
    await page.addInitScript(
      (account) => {
        localStorage.setItem('orrery.account', JSON.stringify(account))
      },
      { username: 'Speaker', token: own.token, shipId: own.ship_id },
    )
    await page.goto(url)
    panel = page.getByRole('region', { name: /^Talk/ })
    await panel.getByLabel('Message').waitFor()
    await loadAxe(page)
  })

  afterAll(async () => {
    other.close()
    await (await game.admin()).switchTalk(false)
    await game.close()
  })

  const line = (text: string): Locator => panel.getByRole('listitem').filter({ hasText: text })

  test('what others say is shown as text, with their name and the time', async () => {
    await other.say(HOSTILE)
    const said = line(HOSTILE)
    await said.getByRole('button', { name: '<b>Jo</b>', exact: true }).waitFor()
    expect(await said.locator('time').textContent()).toMatch(/^\d\d:\d\d$/)
    expect(await panel.locator('img, b').count()).toBe(0)
    expect(await violations(page)).toEqual([])
  })

  test('a key leads to the field, and Enter says it to all or to one', async () => {
    await page.focus('#space')
    await page.keyboard.press('j')
    await page.keyboard.type('Hello all')
    await page.keyboard.press('Enter')
    await line('Hello all').waitFor()
    await panel.getByLabel('To').selectOption({ label: 'Only <b>Jo</b>' })
    await panel.getByLabel('Message').fill('Hello you')
    await page.keyboard.press('Enter')
    await line('(to one)').waitFor()
    expect(await panel.getByLabel('Message').inputValue()).toBe('')
    expect(heard.slice(-2)).toMatchObject([
      { text: 'Hello all' },
      { text: 'Hello you', to_ship_id: otherShip },
    ])
    expect(heard.at(-2)).not.toHaveProperty('to_ship_id')
  })

  test('a folded panel counts what is new', async () => {
    await panel.getByRole('button', { name: 'Talk', exact: true }).click()
    await other.say('Anybody?')
    await panel.getByRole('button', { name: 'Talk (1 new)' }).click()
    await line('Anybody?').waitFor()
    await expect.poll(() => panel.locator('h2').textContent()).toBe('Talk')
  })

  test('a muted pilot is not heard, after a reload neither, until asked for', async () => {
    await line('Anybody?').getByRole('button', { name: 'Mute' }).click()
    await line(HOSTILE).waitFor({ state: 'detached' })
    await page.reload()
    await panel.getByRole('button', { name: 'Hear <b>Jo</b>' }).waitFor()
    // The panel is there sooner than the connection.
    await page.waitForFunction(() => document.querySelector('.throttle-level')?.textContent)
    await other.say('In vain')
    await panel.getByLabel('Message').fill('Next')
    await page.keyboard.press('Enter')
    await line('Next').waitFor()
    expect(await panel.getByRole('listitem').count()).toBe(1)
    await panel.getByRole('button', { name: 'Hear <b>Jo</b>' }).click()
    await other.say('Back again')
    await line('Back again').waitFor()
  })

  test('pilots vote for the pace by keyboard, while the operator lets them', async () => {
    const { game: clock } = await game.admin()
    const votes = page.getByRole('region', { name: /^Pace vote/ })
    await clock.allowPaceVote({ lowest: 1, highest: 20 })
    await votes.getByRole('button', { name: 'Pace vote (0 of 2)' }).press('Enter')
    await votes.getByLabel('Times real time').fill('5')
    await page.keyboard.press('Enter')
    await votes.getByText('You vote for 5 × real time.').waitFor()
    await other.vote(3)
    await votes.getByText('All have voted: 3 × real time.').waitFor()
    await expect.poll(() => page.textContent('#speed')).toBe('3 × real time')
    // The page was loaded again.
    await loadAxe(page)
    expect(await violations(page)).toEqual([])
    await votes.getByRole('button', { name: 'Withdraw' }).press('Enter')
    await votes.getByText('You have no vote.').waitFor()
    await votes.getByRole('button', { name: 'Pace vote (1 of 2)' }).waitFor()
    await clock.endPaceVote()
    await votes.waitFor({ state: 'detached' })
    await expect.poll(() => page.textContent('#speed')).toBe('real time')
  })

  test('on a phone of 320 px all of it is in reach; too much is refused in words', async () => {
    await page.setViewportSize({ width: 320, height: 568 })
    await page.getByRole('button', { name: 'Log', exact: true }).click()
    const field = panel.getByLabel('Message')
    for (const part of [field, panel.getByRole('button', { name: 'Say' })]) {
      const box = await part.boundingBox()
      expect((box?.x ?? NaN) + (box?.width ?? NaN)).toBeLessThanOrEqual(320)
    }
    await expect
      .poll(async () => {
        await field.fill('Again')
        await page.keyboard.press('Enter')
        return panel.getByRole('status').textContent()
      })
      .toMatch(/^Too many messages to other pilots: wait \d+ s\.$/)
    expect(await field.inputValue()).toBe('Again')
  })

  test('the browser has nothing to complain of', () => {
    expect(game.complaints).toEqual([])
  })
})
