// Goal: a player practises in the browser at any pace, by the same controls, and the game knows
// nothing of it; the flight is saved as a file, and opened again. Method: a real server, headless
// Chromium, and all that the page sends meanwhile.
import { type OwnShipState, type PlayerClient, createGameClient } from '@orrery/client'
import { CHROMIUM_RUNS_HERE } from '@orrery/testkit/browser'
import { IS_NIGHT } from '@orrery/testkit/tier'
import { loadAxe, violations } from '@orrery/testkit/violations'
import type { Locator } from 'playwright-core'
import { readFile } from 'node:fs/promises'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type GamePage, openGamePage } from '@orrery/page-kit/game-page'
import { readRecord } from '../../src/record/flight-record.ts'
import { unreachable } from './tools/pointers.ts'

/** Of contexts for sound, steady sounds since the page was opened, and tones. */
interface Heard {
  readonly states: readonly string[]
  readonly levels: readonly number[]
  readonly tones: number
}

describe.runIf(CHROMIUM_RUNS_HERE)('a practice', () => {
  let game: GamePage
  let player: PlayerClient
  let before: OwnShipState
  let bar: Locator
  /** of messages on sockets, and of requests that show a token or change something */
  const sent: string[] = []

  beforeAll(async () => {
    game = await openGamePage({ hasFewFrames: true, viewport: { width: 1280, height: 900 } })
    const { page, url } = game
    const client = createGameClient({ url })
    const { token, ship_id: shipId } = await client.register('Sidorova', 'correct horse 7b')
    player = client.player(token)
    before = await player.ship()
    await page.addInitScript(
      (account) => {
        localStorage.setItem('orrery.account', JSON.stringify(account))
      },
      { username: 'Sidorova', token, shipId },
    )
    await page.addInitScript(() => {
      const contexts: AudioContext[] = []
      const levels: number[] = []
      let tones = 0
      Object.assign(globalThis, {
        AudioContext: class extends AudioContext {
          constructor() {
            super()
            contexts.push(this)
          }
        },
        OscillatorNode: class extends OscillatorNode {
          constructor(context: BaseAudioContext, options?: OscillatorOptions) {
            super(context, options)
            tones++
          }
        },
      })
      const set = Reflect.get(AudioParam.prototype, 'setTargetAtTime')
      AudioParam.prototype.setTargetAtTime = function follow(level, ...rest) {
        levels.push(level)
        return set.call(this, level, ...rest)
      }
      Object.defineProperty(globalThis, 'heard', {
        get: () => ({ states: contexts.map(({ state }) => state), levels, tones }),
      })
    })
    page.on('websocket', (socket) => {
      socket.on('framesent', ({ payload }) => sent.push(JSON.parse(String(payload)).type))
    })
    page.on('request', (request) => {
      const isPlain = request.method() === 'GET' && !request.headers()['authorization']
      if (!isPlain) sent.push(`${request.method()} ${request.url()}`)
    })
    bar = page.getByRole('region', { name: 'Practice' })
    await page.goto(url)
    await page.getByText('In step with the server').waitFor()
    await loadAxe(page)
  })

  afterAll(() => game.close())

  const button = (name: string): Locator => bar.getByRole('button', { name, exact: true })
  const date = async (): Promise<number> =>
    Date.parse(((await game.page.textContent('#date')) ?? '').replace(' UTC', 'Z'))

  test('begins by a key, and says that nothing of it reaches the server', async () => {
    const { page } = game
    await page.focus('#space')
    await page.keyboard.press('g')
    await button('As I fly now').waitFor()
    expect(await violations(page)).toEqual([])
    sent.length = 0
    await button('As I fly now').click()
    await bar.getByText('Practice — nothing here reaches the server').waitFor()
    await page.getByText('Practice: only here').waitFor()
    expect(await page.locator('#time .drift').textContent()).toBe('practice')
    expect(await violations(page)).toEqual([])
  })

  test('takes the orders of the page, at the pace of the player', async () => {
    const { page } = game
    await button('Stand still').click()
    // A practice that has just begun has no date yet.
    await expect.poll(date).not.toBeNaN()
    const from = await date()
    await page.focus('#space')
    await page.keyboard.press('1')
    await page.keyboard.press('z')
    await button('100 times').click()
    await expect.poll(date).toBeGreaterThan(from + 20_000)
    await page.keyboard.press('x')
    const log = page.getByRole('log')
    await log.getByText('Full throttle').waitFor()
    await log.getByText('Cut the engine').waitFor()
    const left = page.locator('.ship-data dt:text-is("Fuel") ~ dd').first()
    await expect.poll(() => left.textContent()).not.toBe('10.00 t')
    await page.getByRole('group', { name: 'Kinds of orders' }).getByText('Rules').click()
    await page.getByText('Jumps and rules are not part of a practice').first().waitFor()
  })

  test('flies to the next event and stands there', async () => {
    await button('Until the next event').click()
    await bar
      .getByRole('status')
      .getByText(/^Stands at: /)
      .waitFor()
    expect(await button('Stand still').getAttribute('aria-pressed')).toBe('true')
    const there = await date()
    await button('Begin again').click()
    await expect.poll(date).toBeLessThan(there)
  })

  test('has sent nothing, and the ship in the game is as it was', async () => {
    expect(sent.filter((one) => one !== 'ping')).toEqual([])
    const now = await player.ship()
    const { fuel, steering, maneuver, thrust_level: thrust } = before
    expect(now).toMatchObject({ fuel, steering, maneuver, thrust_level: thrust })
  })

  test.runIf(IS_NIGHT)('fits a small phone', async () => {
    const { page } = game
    const viewport = page.viewportSize() ?? { width: 1280, height: 900 }
    await page.setViewportSize({ width: 320, height: 640 })
    const box = await bar.boundingBox()
    expect(box?.x).toBeGreaterThanOrEqual(0)
    expect((box?.x ?? 0) + (box?.width ?? 999)).toBeLessThanOrEqual(320)
    expect(await unreachable(page, '.practice')).toEqual([])
    expect(await violations(page)).toEqual([])
    await page.setViewportSize(viewport)
  })

  test.runIf(IS_NIGHT)(
    'is recorded as a file, which is opened again with its events on the map',
    async () => {
      const { page } = game
      const dialog = page.getByRole('dialog', { name: 'Share' })
      const share = async (): Promise<void> => {
        await page.locator('#tools').getByRole('button', { name: 'Share' }).click()
        await dialog.getByText('Open a flight').waitFor()
      }
      await share()
      await dialog.getByRole('button', { name: 'Record the flight' }).click()
      expect(await violations(page)).toEqual([])
      await page.keyboard.press('Escape')
      await page.focus('#space')
      await button('1,000 times').click()
      for (const key of ['4', '3', '4', '3']) {
        const from = await date()
        await page.focus('#space')
        await page.keyboard.press(key)
        await expect.poll(date).toBeGreaterThan(from + 1_200_000)
      }
      await share()
      await dialog.getByRole('button', { name: /^End the record/ }).click()
      const [download] = await Promise.all([
        page.waitForEvent('download'),
        dialog.getByRole('button', { name: 'Save the flight' }).click(),
      ])
      expect(download.suggestedFilename()).toMatch(/^Sidorova .* UTC\.flight\.json$/)
      const text = await readFile(await download.path(), 'utf8')
      const record = readRecord(text)
      if (typeof record === 'string') throw new Error(record)
      expect(record).toMatchObject({ ship: 'Sidorova', isPractice: true, system: { id: 'sol' } })
      expect(record.track.length).toBeGreaterThan(10)
      const open = async (content: string): Promise<void> => {
        const file = { name: 'a.json', mimeType: 'application/json', buffer: Buffer.from(content) }
        await dialog.getByLabel('Open a flight').setInputFiles(file)
      }
      const said = dialog.locator('.record [role=status]')
      await open(text.slice(0, -20))
      await expect
        .poll(() => said.textContent())
        .toContain('the file is damaged. Nothing has changed.')
      await open(JSON.stringify({ ...record, version: 7 }))
      await expect.poll(() => said.textContent()).toContain('from another release of Orrery')
      const named = page.locator('.label.mark', { hasText: /normal to the orbit/ })
      expect(await named.count()).toBe(0)
      await open(text)
      await dialog.getByText('and was a practice').waitFor()
      expect(await dialog.locator('.record li').allTextContents()).toContainEqual(
        expect.stringContaining('Point antinormal'),
      )
      expect(await violations(page)).toEqual([])
      await page.keyboard.press('Escape')
      // From above the pole the whole orbit is seen.
      await page.evaluate(() => (location.hash = '#Earth/3e7/0/80'))
      // Names of other ships may cover it.
      await named.first().waitFor({ state: 'attached' })
      await share()
      await dialog.getByRole('button', { name: 'Take it away' }).click()
      await page.keyboard.press('Escape')
    },
  )

  test('is heard when the player wants it: engine, thrusters and warnings', async () => {
    const { page } = game
    const dialog = page.getByRole('dialog', { name: 'Settings' })
    const heard = (): Promise<Heard> =>
      page.evaluate(() => (globalThis as unknown as { heard: Heard }).heard)
    const choose = async (title: string, words: string): Promise<void> => {
      await page.locator('#tools').getByRole('button', { name: 'Settings' }).click()
      await dialog.getByRole('group', { name: title }).getByText(words, { exact: true }).click()
      await page.keyboard.press('Escape')
    }
    await button('Begin again').click()
    expect(await heard()).toEqual({ states: [], levels: [], tones: 0 })
    await choose('Sound', 'On')
    await expect.poll(async () => (await heard()).states).toEqual(['running'])
    await page.focus('#space')
    await page.keyboard.press('z')
    await page.getByRole('log').getByText('Full throttle').first().waitFor()
    // The page is opened for one who wants calm.
    expect(new Set((await heard()).levels)).toEqual(new Set([0]))
    await choose('Camera', 'In motion')
    await expect.poll(async () => (await heard()).levels).toContain(1)
    await page.getByRole('group', { name: 'Kinds of orders' }).getByText('Maneuver').click()
    await page.getByRole('group', { name: 'Kinds of orders' }).getByText('Rules').click()
    await expect.poll(async () => (await heard()).tones).toBeGreaterThan(0)
    await choose('Sound', 'Off')
    await expect.poll(async () => (await heard()).states).toEqual(['closed'])
  })

  test('ends with the ship as it is in the game', async () => {
    const { page } = game
    await button('Back to the game').focus()
    await page.keyboard.press('Enter')
    await bar.waitFor({ state: 'detached' })
    await page.getByText('In step with the server').waitFor()
    expect(await page.locator('.practising').count()).toBe(0)
    const now = async (): Promise<number> => Date.parse((await game.client.status()).game_time)
    await expect.poll(async () => Math.abs((await date()) - (await now()))).toBeLessThan(60_000)
    expect(await page.getByRole('log').textContent()).not.toContain('Full throttle')
    await page.focus('#space')
    await page.keyboard.press('z')
    await expect.poll(() => sent).toContain('control')
    // Other tests share the server.
    await page.keyboard.press('x')
    await expect.poll(async () => (await player.ship()).thrust_level).toBe(0)
    expect(game.complaints).toEqual([])
  })
})
