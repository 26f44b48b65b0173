// Goal: the page of a real server is small, and is led to a view by its address, by keys and on a
// phone. Method: headless Chromium without WebGL: all but the picture works there.
import { createGameClient } from '@orrery/client'
import { CHROMIUM_RUNS_HERE } from '@orrery/testkit/browser'
import { readFile, stat } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { buildPages } from '@orrery/page-kit/build'
import { angleBetween, vector, type Vector } from '@orrery/page-kit'
import { type GamePage, openGamePage } from '@orrery/page-kit/game-page'
import { addressOf } from '../../src/view/view-address.ts'
import { aimAlong } from '../../src/view/view-axes.ts'

const CONSOLE_BYTES_MAX = 67_700
/** Of a guest, who does not fly yet. */
const SCRIPT_BYTES_MAX = 283_000
const FLIGHT_BYTES_MAX = 321_800

/** They come when a plan or a dialog is first opened, each within a bound of its own. */
const LATER = [
  'practice-flight-',
  'almanac-',
  'constellations-',
  'alarms-',
  'practice-bar-',
  'record-section-',
  'account-settings-',
  'ship-choice-',
  'shipyard-',
  'class-hull-',
  'plan-map-',
  'planning-',
  'planner-',
  'sharing-',
  'sounds-',
  'settings-form-',
  'help-',
  'meanings-',
  'voyage-panel-',
  'credits-',
  'time-bar-',
  'look-back-',
  'near-list-',
  'rules-',
  'guest-craft-',
  'talk-panel-',
  'votes-panel-',
  'module-panels-',
]
/** Texts of a language but English; they come only where it is chosen. */
const LANGUAGE = 'de-'
const LANGUAGE_BYTES_MAX = 25_000
/** Files that come with the console's map. */
const OF_MAPS = ['map-section-', 'practice-flight-']
const LATER_BYTES_MAX = 10_000
const ASSET_BYTES_MAX = 4_060_000

/** [m] */
const EARTH_RADIUS = 6_378_137

describe.runIf(CHROMIUM_RUNS_HERE)('the page', () => {
  let game: GamePage

  beforeAll(async () => {
    game = await openGamePage({ hasFewFrames: true })
    const { page, url } = game
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
    expect(await buildPages(game.server.built)).toEqual({ isNew: false })
    const html = await readFile(join(game.server.built, 'index.html'), 'utf8')
    expect(html).not.toMatch(/<style|style=|<script(?![^>]* src=)|\son\w+=|javascript:|data:/)
  })

  test('scripts and images are small enough', async () => {
    const { built } = game.server
    const all = await filesOf(built, 'index.html')
    const apart = [...LATER, LANGUAGE]
    const flight = await scriptBytes(await filesOf(built, 'index.html', apart))
    expect(flight).toBeLessThan(FLIGHT_BYTES_MAX)
    const tooLarge: string[] = []
    for (const later of LATER) {
      const bytes = await scriptBytes(all.filter((file) => basename(file).startsWith(later)))
      if (bytes === 0 || bytes >= LATER_BYTES_MAX) tooLarge.push(`${later}: ${bytes}`)
    }
    expect(tooLarge).toEqual([])
    const texts = await scriptBytes(all.filter((file) => basename(file).startsWith(LANGUAGE)))
    expect(texts).toBeGreaterThan(0)
    expect(texts).toBeLessThan(LANGUAGE_BYTES_MAX)
    const guest = await game.page.evaluate(() => {
      const loaded = performance.getEntriesByType('resource') as PerformanceResourceTiming[]
      const scripts = loaded.filter(({ name }) => name.endsWith('.js'))
      return scripts.reduce((sum, { encodedBodySize }) => sum + encodedBodySize, 0)
    })
    expect(guest).toBeLessThan(SCRIPT_BYTES_MAX)
    expect(guest).toBeGreaterThan(0.7 * SCRIPT_BYTES_MAX)
    let bytes = 0
    for (const file of all) bytes += (await stat(file)).size
    expect(bytes).toBeLessThan(ASSET_BYTES_MAX)
    expect(bytes).toBeGreaterThan(ASSET_BYTES_MAX / 2)
    const withoutMap = await scriptBytes(await filesOf(built, 'admin.html', OF_MAPS))
    expect(withoutMap).toBeLessThan(CONSOLE_BYTES_MAX)
    const withMap = await scriptBytes(await filesOf(built, 'admin.html'))
    expect(withMap).toBeGreaterThan(withoutMap)
    expect(withMap).toBeLessThan(SCRIPT_BYTES_MAX)
  })

  test('opens on Earth with its facts, the date and the speed of time', async () => {
    const { page, url } = game
    await shows('Earth')
    const facts = page.locator('#facts')
    expect(await facts.textContent()).toContain('Error 2000–2010310.0 m')
    const shown = Date.parse(((await page.textContent('#date')) ?? '').replace(' UTC', 'Z'))
    const { game_time: gameTime } = await createGameClient({ url }).status()
    expect(Math.abs(shown - Date.parse(gameTime))).toBeLessThan(10_000)
    expect(await page.textContent('#speed')).toBe('real time')
  })

  test('the picture is the one thing that is missing without WebGL', async () => {
    const { page } = game
    await page.getByText('This browser draws no WebGL 2').waitFor()
    await expect.poll(() => page.locator('.label:visible').count()).toBeGreaterThan(0)
    await page.focus('#space')
    await page.keyboard.press('i')
    await page.getByText('There is no picture to save').waitFor()
  })

  test('is led by keyboard alone', async () => {
    const { page } = game
    await view('Earth', '#Earth/3e7/0/0')
    await page.focus('.tab-bar button')
    await page.keyboard.press('Enter')
    await page.focus('.places li > button')
    // Stations and gates stand among the bodies, as they come.
    const chosen = page.locator('.places li > button:focus')
    while ((await chosen.textContent()) !== 'Moon') await page.keyboard.press('ArrowDown')
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

  test('its link shows others the same sight, with the same layers, and keeps theirs', async () => {
    const { page, url } = game
    await view('Saturn', '#Saturn/4e8/30/10')
    await page.focus('#space')
    await page.keyboard.press('l')
    await page.keyboard.press('c')
    const link = await page.getByLabel('Link to this view').inputValue()
    expect(link).toBe(`${url}/#Saturn/4.0000e+8/30.00/10.00?hide=labels`)
    await page.keyboard.press('Escape')
    await page.keyboard.press('l')
    await game.leave()
    await page.goto(link)
    await shows('Saturn')
    await page.waitForSelector('#names[aria-pressed=false]', { state: 'attached' })
    await expect
      .poll(() => page.evaluate(() => location.hash))
      .toBe('#Saturn/4.0000e+8/30.00/10.00?hide=labels')
    const kept = await page.evaluate(() => localStorage.getItem('orrery.settings'))
    expect(JSON.parse(kept ?? '')).toMatchObject({ labels: true })
  })

  test('a link that leads nowhere says why, and the first view is shown', async () => {
    const { page, url } = game
    await game.leave()
    await page.goto(`${url}/#Vulcan/1e9/0/0`)
    await shows('Earth')
    const said = page.getByRole('status').first()
    await expect.poll(() => said.textContent()).toContain('Sol has no body Vulcan.')
    // So slow an answer that the view rests meanwhile, and its address would be written.
    await page.route('**/systems/vega', async (route) => {
      await page.evaluate(async () => {
        const beganMs = performance.now()
        while (performance.now() - beganMs < 1500) await new Promise(requestAnimationFrame)
      })
      await route.continue()
    })
    for (const [hash, why] of [
      ['#vega:Vega/1e9/0/0', 'There is no star system vega here.'],
      ['#station=346fe385/400/0/0', 'The station of the link is gone, or out of sight.'],
      ['#ship=346fe385/400/0/0', 'of the link is gone, or its pilot lets no guest see it.'],
      ['#Saturn', 'The link cannot be read.'],
    ] as const) {
      await page.evaluate((text) => (location.hash = text), hash)
      await expect.poll(() => said.textContent()).toContain(why)
      await shows('Earth')
    }
  })

  test('constellations are named where they are, by a key or a link', async () => {
    const { page } = game
    const orion = vectorTo(83, -1)
    const aim = aimAlong(vector(-orion[0], -orion[1], -orion[2]), 1e9)
    const sight = { system: 'sol', thing: { kind: 'body', name: 'Earth' }, aim } as const
    const labels = page.locator('.label.constellation:visible')
    const hashes = ([[], ['constellations']] as const).map((shown) =>
      addressOf({ ...sight, shown }),
    )
    const small = page.viewportSize() ?? DESK
    await page.setViewportSize(DESK)
    await view('Earth', hashes[0])
    await page.focus('#space')
    await page.keyboard.press('k')
    await labels.getByText('Orion', { exact: true }).waitFor()
    const named = async (): Promise<[name: string, place: Vector][]> => {
      const names = new Set(await page.locator('.label').allTextContents())
      return Object.entries(ORION).filter(([star]) => names.has(star))
    }
    await expect.poll(async () => (await named()).length).toBeGreaterThan(1)
    const [one, other] = await named()
    const places = await Promise.all(
      [one, other].map(([star]) => page.getByText(star, { exact: true }).boundingBox()),
    )
    const [a, b] = places.map((place) => sightLine(place ?? NOWHERE))
    expect(angleBetween(a, b)).toBeCloseTo(angleBetween(one[1], other[1]), 1)
    const hash = (): Promise<string> => page.evaluate(() => location.hash)
    await expect.poll(hash).toContain('constellations')
    await page.keyboard.press('k')
    await expect.poll(() => labels.count()).toBe(0)
    await expect.poll(hash).not.toContain('constellations')
    await view('Earth', hashes[1])
    await labels.getByText('Orion', { exact: true }).waitFor()
    expect(await page.evaluate(() => localStorage.getItem('orrery.settings'))).toContain(
      '"constellations":false',
    )
    await page.keyboard.press('k')
    await expect.poll(() => labels.count()).toBe(0)
    await page.setViewportSize(small)
  })

  test('pinches on a trackpad go nearer, and do not zoom the page', async () => {
    await view('Earth', '#Earth/3e7/0/0')
    const prevented = await game.page.locator('#space').evaluate((canvas) => {
      const give = (event: Event): boolean => !canvas.dispatchEvent(event)
      const cancelable = true
      const pinch = new WheelEvent('wheel', { ctrlKey: true, deltaY: -5, cancelable })
      const gesture = (kind: string, scale: number): boolean =>
        give(Object.assign(new MouseEvent(kind, { cancelable }), { scale }))
      const wheel = Array.from({ length: 20 }, () => give(pinch))
      // Safari has events of its own for them.
      return [...wheel, gesture('gesturestart', 1), gesture('gesturechange', 4)]
    })
    expect(new Set(prevented)).toEqual(new Set([true]))
    await expect
      .poll(() => game.page.evaluate(() => Number(location.hash.split('/')[1])))
      .toBeCloseTo(EARTH_RADIUS + (3e7 - EARTH_RADIUS) / Math.E / 4, -5)
  })

  test('a guest follows a ship whose pilot allows it, until it is hidden', async () => {
    const { client, page } = game
    const { ship_id: ship, token } = await client.register('Followed', 'correct horse 7b')
    const pilot = client.player(token)
    await pilot.changeSettings({ followable: true })
    const isSeen = async (): Promise<boolean> =>
      (await client.sky('sol')).ships.some(({ ship_id: id }) => id === ship)
    await expect.poll(isSeen).toBe(true)
    await page.evaluate((id) => (location.hash = `#ship=${id}/400/0/0`), ship)
    await shows('Followed')
    expect(await page.textContent('#facts-list')).toMatch(/Above Earth.*km/)
    const [station] = (await client.system('sol')).stations
    await view(station.name, `#station=${station.station_id}/4e3/0/0`)
    await view('Followed', `#ship=${ship}/400/0/0`)
    await pilot.changeSettings({ followable: false })
    await page.getByText('The ship is gone, or its pilot lets guests follow it no more.').waitFor()
    await shows('Earth')
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
    // That a star system of a link is unknown.
    const others = game.complaints.filter((text) => !text.includes('404'))
    expect(others).toEqual([])
  })
})

/** All that a page can load, by the names in its files; but for what begins with a text. */
async function filesOf(built: string, page: string, leftOut: readonly string[] = []) {
  const known = new Set([page])
  // Grows while it is gone through.
  for (const path of known) {
    if (!/\.(?:html|css|js)$/.test(path)) continue
    const text = await readFile(join(built, path), 'utf8')
    for (const [, name = ''] of text.matchAll(/(?:\.|\/assets)\/([\w-]+-[\w-]{8}\.\w{2,4})\b/g)) {
      if (!leftOut.some((start) => name.startsWith(start))) known.add(`assets/${name}`)
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

/** Panels leave the middle of it free. */
const DESK = { width: 1000, height: 640 }

/** Stars of Orion, the brightest first; a place in front of one may have its name there. */
const ORION = {
  Betelgeuse: vectorTo(88.793, 7.407),
  Rigel: vectorTo(78.634, -8.202),
  Saiph: vectorTo(86.939, -9.67),
  Bellatrix: vectorTo(81.283, 6.35),
}

const NOWHERE = { x: NaN, y: NaN, width: NaN, height: NaN }

/** Of the shorter side of the picture [rad], as the page has it. */
const FIELD_OF_VIEW = 0.8

/** Unit vector in ICRF. @param rightAscension  [degrees] @param declination  [degrees] */
function vectorTo(rightAscension: number, declination: number): Vector {
  const [a, d] = [(rightAscension * Math.PI) / 180, (declination * Math.PI) / 180]
  return vector(Math.cos(d) * Math.cos(a), Math.cos(d) * Math.sin(a), Math.sin(d))
}

/** From the camera to the left edge of a name, in its own axes. */
function sightLine({ x, y, height }: typeof NOWHERE): Vector {
  const focal = Math.min(DESK.width, DESK.height) / 2 / Math.tan(FIELD_OF_VIEW / 2)
  return vector(x - DESK.width / 2, DESK.height / 2 - (y + height / 2), focal)
}
