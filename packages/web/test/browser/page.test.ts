// Goal: the page of a real server shows the sky of its game time. Method: headless Chromium, in
// which the processor draws; the view is led by the page's address, as people would send it.
import { createGameClient } from '@orrery/client'
import { CHROMIUM_RUNS_HERE } from '@orrery/testkit/browser'
import { readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { buildPage } from '../../build/build-page.ts'
import { aimAlong } from '../../src/page/view-axes.ts'
import { addressOf } from '../../src/page/view-address.ts'
import { fractionLit } from '../../src/space/phase.ts'
import { type Vector, rotate, vector } from '../../src/space/vector.ts'
import { type GamePage, openGamePage } from './open-game-page.ts'
import { type Picture, pictureOf } from './picture.ts'

const CONSOLE_BYTES_MAX = 60_000
const SCRIPT_BYTES_MAX = 300_000
const ASSET_BYTES_MAX = 4_000_000

/** Brightness of 255 above which a pixel is lit. */
const LIT = 8

/** Of the shorter side of the picture [rad], as the page has it. */
const FIELD_OF_VIEW = 0.8

describe.runIf(CHROMIUM_RUNS_HERE)('the page', () => {
  let game: GamePage

  beforeAll(async () => {
    game = await openGamePage()
    const { page, url } = game
    await page.addInitScript(() => {
      localStorage.setItem('orrery.settings', '{"quality":"high"}')
    })
    await page.goto(url)
    await page.waitForSelector('#space.ready')
  })

  afterAll(() => game.close())

  /** Goes to a view by its address. */
  async function view(name: string, hash: string): Promise<void> {
    await game.page.evaluate((text) => (location.hash = text), hash)
    await shows(name)
  }

  /** Waits until the facts of a body are shown. */
  async function shows(name: string): Promise<void> {
    await game.page.waitForFunction((text) => {
      return document.querySelector('#facts-name')?.textContent === text
    }, name)
  }

  test('is built once, and has nothing inline', async () => {
    expect(await buildPage(game.built)).toEqual({ isNew: false })
    const html = await readFile(join(game.built, 'index.html'), 'utf8')
    expect(html).not.toMatch(/<style|style=|<script(?![^>]* src=)|\son\w+=|javascript:|data:/)
  })

  test('scripts and images are small enough', async () => {
    const { built } = game
    const player = await filesOf(built, 'index.html')
    expect(await scriptBytes(player)).toBeLessThan(SCRIPT_BYTES_MAX)
    let all = 0
    for (const file of player) all += (await stat(file)).size
    expect(all).toBeLessThan(ASSET_BYTES_MAX)
    expect(all).toBeGreaterThan(ASSET_BYTES_MAX / 2)
    const withoutMap = await scriptBytes(await filesOf(built, 'admin.html', 'map-section'))
    expect(withoutMap).toBeLessThan(CONSOLE_BYTES_MAX)
    const withMap = await scriptBytes(await filesOf(built, 'admin.html'))
    expect(withMap).toBeGreaterThan(withoutMap)
    expect(withMap).toBeLessThan(SCRIPT_BYTES_MAX)
  })

  test('opens on Earth with its facts, the date and the speed of time', async () => {
    const { page, url } = game
    await shows('Earth')
    const shown = Date.parse(((await page.textContent('#date')) ?? '').replace(' UTC', 'Z'))
    const { game_time: gameTime } = await createGameClient({ url }).status()
    expect(Math.abs(shown - Date.parse(gameTime))).toBeLessThan(10_000)
    expect(await page.textContent('#speed')).toBe('real time')
  })

  test('is led by keyboard alone', async () => {
    const { page } = game
    await view('Earth', '#Earth/3e7/0/0')
    await page.focus('.tab-bar button')
    await page.keyboard.press('Enter')
    await page.focus('.places li > button')
    for (let i = 0; i < 4; i++) await page.keyboard.press('ArrowDown')
    await page.keyboard.press('Enter')
    await shows('Moon')
    await page.focus('#space')
    for (const key of ['ArrowLeft', '+', 'u']) await page.keyboard.press(key)
    await shows('Earth')
    await page.keyboard.press('?')
    await page.keyboard.press('Escape')
    await page.keyboard.press('v')
    await shows('Sun')
    const hash = await page.waitForFunction(() => /^#Sun\//.exec(location.hash)?.[0])
    expect(await hash.jsonValue()).toBe('#Sun/')
  })

  test.each(['Moon', 'Venus'])('%s has the phase of the ephemeris', async (name) => {
    await game.page.locator('#orbits[aria-pressed=true]').evaluateAll((found) => {
      for (const button of found) (button as HTMLElement).click()
    })
    const { bodies } = await createGameClient({ url: game.url }).bodies('sol')
    const at = (body: string): Vector => {
      const { x, y, z } = bodies.find((entry) => entry.name === body)?.position ?? NOWHERE
      return vector(x, y, z)
    }
    const [body, sun] = [at(name), at('Sun')]
    const toSun = vector(sun[0] - body[0], sun[1] - body[1], sun[2] - body[2])
    const { radius } = (await createGameClient({ url: game.url }).system('sol')).bodies.find(
      (entry) => entry.name === name,
    ) ?? { radius: NaN }
    for (const angle of [0.9, 1.8]) {
      const distance = 4 * radius
      const direction = rotate(vector(), toSun, vector(0, 0, 1), angle)
      const aim = aimAlong(direction, distance)
      await view(name, addressOf({ system: 'sol', body: name, aim }))
      const picture = await pictureOf(game.page)
      const seen = litOf(picture, radius / distance)
      const expected = litDisc(toSun, directed(direction, distance), radius)
      expect(Math.abs(seen - expected)).toBeLessThan(0.01)
      // From so near, less of the sphere is seen than of a distant disc.
      expect(Math.abs(expected - fractionLit(toSun, direction))).toBeLessThan(0.15)
    }
  })

  test('fits a phone: nothing is wider than the screen', async () => {
    const { page } = game
    await page.setViewportSize({ width: 360, height: 640 })
    await page.click('.tab-bar button:nth-child(2)')
    const overflow = await page.evaluate(() => {
      const found = [...document.querySelectorAll('button:not(.label), dl, h1, h2, time')]
      const boxes = found.map((element) => ({
        name: element.id || element.textContent,
        box: element.getBoundingClientRect(),
      }))
      const isOut = (box: DOMRect): boolean => box.left < 0 || box.right > innerWidth
      return boxes.filter(({ box }) => box.width > 0 && isOut(box)).map(({ name }) => name)
    })
    expect(overflow).toEqual([])
  })

  test('the browser has nothing to complain of', () => {
    expect(game.complaints).toEqual([])
  })
})

/** All that a page can load, by the names in its files; but for what begins with a text. */
async function filesOf(built: string, page: string, leftOut?: string): Promise<string[]> {
  const known = new Set([page])
  // Grows while it is gone through.
  for (const path of known) {
    if (!/\.(?:html|css|js)$/.test(path)) continue
    const text = await readFile(join(built, path), 'utf8')
    for (const [, name = ''] of text.matchAll(/(?:\.|\/assets)\/([\w-]+-[\w-]{8}\.\w{2,4})\b/g)) {
      if (!(leftOut && name.startsWith(leftOut))) known.add(`assets/${name}`)
    }
  }
  return [...known].map((path) => join(built, path))
}

/** Bytes of scripts, compressed. */
async function scriptBytes(files: readonly string[]): Promise<number> {
  let bytes = 0
  for (const file of files) {
    if (file.endsWith('.js')) bytes += gzipSync(await readFile(file)).length
  }
  return bytes
}

const NOWHERE = { x: NaN, y: NaN, z: NaN }

function directed(direction: Vector, distance: number): Vector {
  const size = Math.hypot(...direction)
  return vector(...direction.map((part) => (part / size) * distance))
}

/** Lit part of the disc in the middle of a picture, whose radius over its distance is given. */
function litOf({ width, height, brightness }: Picture, ratio: number): number {
  const focal = Math.min(width, height) / 2 / Math.tan(FIELD_OF_VIEW / 2)
  const radius = (focal * ratio) / Math.sqrt(1 - ratio * ratio)
  let lit = 0
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      const isInside = Math.hypot(x + 0.5 - width / 2, y + 0.5 - height / 2) < radius
      if (isInside && brightness[y * width + x] > LIT) lit++
    }
  }
  return lit / (Math.PI * radius * radius)
}

/** The same by geometry: rays through the disc, each to the point of the sphere that it meets. */
function litDisc(toSun: Vector, viewer: Vector, radius: number): number {
  const size = Math.hypot(...viewer)
  const forward = viewer.map((part) => -part / size)
  const right = [forward[1], -forward[0], 0].map(
    (part) => part / Math.hypot(forward[0], forward[1]),
  )
  const up = [0, 1, 2].map(
    (k) => right[(k + 1) % 3] * forward[(k + 2) % 3] - right[(k + 2) % 3] * forward[(k + 1) % 3],
  )
  const edge = radius / Math.sqrt(size * size - radius * radius)
  const steps = 400
  let lit = 0
  let all = 0
  for (let i = -steps + 0.5; i < steps; i++) {
    for (let j = -steps + 0.5; j < steps; j++) {
      if (Math.hypot(i, j) >= steps) continue
      all++
      const [a, b] = [(i / steps) * edge, (j / steps) * edge]
      const ray = [0, 1, 2].map((k) => forward[k] + a * right[k] + b * up[k])
      const square = ray.reduce((sum, part) => sum + part * part, 0)
      const along = ray.reduce((sum, part, k) => sum - part * viewer[k], 0) / square
      const t = along - Math.sqrt(along * along - (size * size - radius * radius) / square)
      const point = [0, 1, 2].map((k) => viewer[k] + t * ray[k])
      if (point.reduce((sum, part, k) => sum + part * toSun[k], 0) > 0) lit++
    }
  }
  return lit / all
}
