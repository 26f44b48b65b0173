// Goal: the picture shows the sky of the game's time, on a graphics card and without one, and the
// page stays useful when its card goes away. Method: the page of a real server in headless
// Chromium, in which the processor draws: as what it is, under the name of a graphics card, which
// has shaders of its own, and after a lost context.
import { CHROMIUM_RUNS_HERE } from '@orrery/testkit/browser'
import { IS_NIGHT, byTier } from '@orrery/testkit/tier'
import { readFile } from 'node:fs/promises'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { aimAlong } from '../../src/view/view-axes.ts'
import { addressOf } from '../../src/view/view-address.ts'
import { fractionLit } from '../../src/space/phase.ts'
import { rotate, vector, type Vector } from '@orrery/page-kit'
import { monitorsOf } from './tools/monitor.ts'
import { type GamePage, openGamePage } from '@orrery/page-kit/game-page'
// In one process with it: both need the browser that draws.
import './drawing.ts'
import { type Picture, pictureOf } from './tools/picture.ts'

/** The processor draws: small pictures are quicker. */
const VIEWPORT = { width: 240, height: 180 }

/** Brightness of 255 above which a pixel is lit, and brighter than the Milky Way. */
const LIT = 8
const BRIGHT = 60

/** Of the shorter side of the picture [rad], as the page has it. */
const FIELD_OF_VIEW = 0.8

describe.runIf(CHROMIUM_RUNS_HERE && IS_NIGHT)('the picture of a processor', () => {
  let game: GamePage

  beforeAll(async () => {
    game = await openPicture('Venus')
  })

  afterAll(() => game.close())

  // What comes last is what the picture that is saved is named by.
  test.each(['Moon', 'Venus'])('%s has the phase of the ephemeris', async (name) => {
    expect(await isSmoothed(game.page)).toBe(false)
    for (const angle of [0.9, 1.8]) await comparePhase(game, name, angle)
  })

  test('has the pixels of another monitor', async () => {
    const { page } = game
    const picture = page.locator('#space')
    const width = (): Promise<number> =>
      picture.evaluate((canvas: HTMLCanvasElement) => canvas.width)
    // It does not follow the width of the page, so that only its monitor is another.
    await picture.evaluate((canvas, width) => (canvas.style.width = `${width}px`), VIEWPORT.width)
    const moveTo = await monitorsOf(page)
    for (const ratio of [2, 1]) {
      await moveTo(ratio)
      await expect.poll(width).toBe(ratio * VIEWPORT.width)
    }
    await picture.evaluate((canvas) => (canvas.style.width = ''))
  })

  test('is saved alone, at its resolution, by the name and date of what is seen', async () => {
    const { page } = game
    await page.focus('#space')
    const coming = page.waitForEvent('download')
    await page.keyboard.press('i')
    const file = await coming
    expect(file.suggestedFilename()).toMatch(/^Venus \d{4}-\d\d-\d\d \d\d-\d\d-\d\d UTC\.png$/)
    const bytes = await readFile(await file.path())
    expect(bytes.subarray(1, 4).toString()).toBe('PNG')
    // Width and height stand behind the names of file and header.
    const size = [bytes.readUInt32BE(16), bytes.readUInt32BE(20)]
    const canvas = await page.locator('#space').evaluate((drawn: HTMLCanvasElement) => {
      return [drawn.width, drawn.height]
    })
    expect(size).toEqual(canvas)
    // A black picture of this size is far smaller.
    expect(bytes.length).toBeGreaterThan(3000)
  })

  test('goes on by itself when a lost context is restored', async () => {
    const { page } = game
    const context = await page.evaluateHandle(() => {
      const canvas = document.querySelector<HTMLCanvasElement>('#space')
      return canvas?.getContext('webgl2')?.getExtension('WEBGL_lose_context')
    })
    await context.evaluate((extension) => extension?.loseContext())
    const notice = page.getByText('The graphics card is not available')
    await notice.waitFor()
    await context.evaluate((extension) => extension?.restoreContext())
    await notice.waitFor({ state: 'detached' })
    await expect.poll(() => brightest(page)).toBeGreaterThan(100)
    const foreign = game.complaints.filter((text) => text.includes('does not belong'))
    expect(foreign).toEqual([])
  })
})

describe.runIf(CHROMIUM_RUNS_HERE)('the picture', () => {
  test('has the planet in it where a graphics card draws, and its shaders compile', async () => {
    const card = await openPicture('Earth', nameGraphicsCard)
    await using opened = new AsyncDisposableStack()
    opened.defer(() => card.close())
    expect(await isSmoothed(card.page)).toBe(true)
    // Its photographs come later, and cities light its night.
    await expect.poll(async () => litOf(await pictureOf(card.page))).toBeGreaterThan(0.8)
    const picture = await pictureOf(card.page)
    const edge = edgeOf(picture)
    expect(litShare(picture, (away) => away < edge, BRIGHT)).toBeGreaterThan(0.5)
    expect(litShare(picture, (away) => away > 1.1 * edge, BRIGHT)).toBeLessThan(0.05)
    // One without air, one with rings, and a star: each map takes the processor three seconds.
    for (const name of byTier({ gate: [], night: ['Moon', 'Saturn', 'Sun'] })) {
      await view(card.page, await sightOf(card, name, 0.9))
      await expect.poll(async () => litOf(await pictureOf(card.page))).toBeGreaterThan(0.8)
    }
    expect(card.complaints).toEqual([])
  })
})

/** Opens a page that draws every pixel, near a body and without orbits. */
async function openPicture(
  name: string,
  prepare?: (page: Page) => Promise<void>,
): Promise<GamePage> {
  const game = await openGamePage({ hasGraphics: true, viewport: VIEWPORT })
  const { page, url } = game
  await page.addInitScript(() => {
    localStorage.setItem('orrery.settings', '{"quality":"high","orbits":false}')
  })
  await prepare?.(page)
  const { hash } = await sightOf(game, name, 0.9)
  await page.goto(`${url}/${hash}`)
  await page.waitForSelector('#space.ready')
  return game
}

/** The page takes a name that is no software's for a graphics card. */
async function nameGraphicsCard(page: Page): Promise<void> {
  await page.addInitScript(() => {
    const { prototype } = WebGL2RenderingContext
    const answer = Reflect.get(prototype, 'getParameter')
    Object.assign(prototype, {
      getParameter(this: WebGL2RenderingContext, name: number): unknown {
        const { UNMASKED_RENDERER_WEBGL: renderer } =
          this.getExtension('WEBGL_debug_renderer_info') ?? {}
        return name === renderer ? 'Some graphics card' : answer.call(this, name)
      },
    })
  })
}

/** A body from so many radii. */
const DISTANCE = 4

interface Sight {
  readonly name: string
  /** address of the view */
  readonly hash: string
  /** from the body to the Sun, and to the viewer at its distance */
  readonly toSun: Vector
  readonly viewer: Vector
  readonly radius: number
}

/** @param angle  from the Sun to the viewer, about the pole of the system [rad] */
async function sightOf({ client }: GamePage, name: string, angle: number): Promise<Sight> {
  const [{ bodies: places }, { bodies }] = [await client.bodies('sol'), await client.system('sol')]
  const at = (body: string): Vector => {
    const { x, y, z } = places.find((entry) => entry.name === body)?.position ?? NOWHERE
    return vector(x, y, z)
  }
  const [body, sun] = [at(name), at('Sun')]
  const toSun = vector(sun[0] - body[0], sun[1] - body[1], sun[2] - body[2])
  const { radius } = bodies.find((entry) => entry.name === name) ?? { radius: NaN }
  // The Sun itself looks the same from all sides.
  const direction = name === 'Sun' ? vector(1, 0, 0) : rotate(vector(), toSun, NORTH, angle)
  const aim = aimAlong(direction, DISTANCE * radius)
  const hash = addressOf({ system: 'sol', thing: { kind: 'body', name }, aim })
  return { name, hash, toSun, viewer: directed(direction, DISTANCE * radius), radius }
}

/** Goes to a view by its address, and waits until the facts of its body are shown. */
async function view(page: Page, { name, hash }: Sight): Promise<void> {
  await page.evaluate((text) => (location.hash = text), hash)
  await shows(page, name)
}

async function shows(page: Page, name: string): Promise<void> {
  await page.waitForFunction((text) => {
    return document.querySelector('#facts-name')?.textContent === text
  }, name)
}

/** Whether edges are smoothed, as only a graphics card does. */
function isSmoothed(page: Page): Promise<boolean | undefined> {
  return page.evaluate(() => {
    const context = document.querySelector<HTMLCanvasElement>('#space')?.getContext('webgl2')
    return context?.getContextAttributes()?.antialias
  })
}

async function brightest(page: Page): Promise<number> {
  return (await pictureOf(page)).brightness.reduce((most, light) => Math.max(most, light), 0)
}

/** Compares the lit part of a body with geometry. */
async function comparePhase(game: GamePage, name: string, angle: number): Promise<void> {
  const sight = await sightOf(game, name, angle)
  await view(game.page, sight)
  const seen = litOf(await pictureOf(game.page))
  const expected = litDisc(sight)
  expect(Math.abs(seen - expected)).toBeLessThan(0.01)
  // From so near, less of the sphere is seen than of a distant disc.
  expect(Math.abs(expected - fractionLit(sight.toSun, sight.viewer))).toBeLessThan(0.15)
}

const NORTH = vector(0, 0, 1)
const NOWHERE = { x: NaN, y: NaN, z: NaN }

function directed(direction: Vector, distance: number): Vector {
  const size = Math.hypot(...direction)
  return vector(...direction.map((part) => (part / size) * distance))
}

/** Lit part of the disc in the middle of a picture. */
function litOf(picture: Picture): number {
  const edge = edgeOf(picture)
  return litShare(picture, (away) => away < edge)
}

/** Radius of the disc [px]. */
function edgeOf({ width, height }: Picture): number {
  const focal = Math.min(width, height) / 2 / Math.tan(FIELD_OF_VIEW / 2)
  return focal / Math.sqrt(DISTANCE * DISTANCE - 1)
}

/** @param isMeant  whether pixels so far from the middle count */
function litShare(
  { width, height, brightness }: Picture,
  isMeant: (away: number) => boolean,
  least = LIT,
): number {
  let [lit, all] = [0, 0]
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      if (!isMeant(Math.hypot(x + 0.5 - width / 2, y + 0.5 - height / 2))) continue
      all++
      if (brightness[y * width + x] > least) lit++
    }
  }
  return lit / all
}

/** The same by geometry: rays through the disc, each to the point of the sphere that it meets. */
function litDisc({ toSun, viewer, radius }: Sight): number {
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
