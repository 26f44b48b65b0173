// The live map of the operators' console, as part of its tests: with a ship and stations whose
// names are hostile. `PICTURES` names a directory that pictures of the map are written to.
import { join } from 'node:path'
import type { Locator } from 'playwright-core'
import { IS_NIGHT } from '@orrery/testkit/tier'
import { expect, test } from 'vitest'
import { type ConsoleDesk, HOSTILE } from './console-desk.ts'
import type { GamePage } from '@orrery/page-kit/game-page'
import { violations } from '@orrery/testkit/violations'

export interface MapParts {
  readonly game: GamePage
  readonly desk: ConsoleDesk
}

/** Pixels of a colour on the map, and their middle [px]. */
interface Spot {
  readonly count: number
  readonly x: number
  readonly y: number
}

/** Registers the tests; the only ship of Sol has a hostile name, and Mallory flies it. */
export function mapTests(parts: () => MapParts): void {
  const chosen = (name: string | RegExp): Locator =>
    parts().desk.page.getByRole('article', { name: 'Chosen' }).getByRole('heading', { name })
  const press = (name: string | RegExp): Promise<void> =>
    parts().desk.page.getByRole('button', { name, exact: true }).click()

  async function find(name: string, what: string): Promise<void> {
    const { page } = parts().desk
    await page.getByLabel('Find on the map').fill(name)
    await page.getByRole('listitem').filter({ hasText: what }).first().getByRole('button').click()
    await chosen(name).first().waitFor()
  }

  /** What of the picture has a colour of the style sheet. */
  function spotOf(colour: string): Promise<Spot> {
    return parts().desk.page.locator('.map-stage canvas').first().evaluate(spotIn, colour)
  }

  async function picture(name: string): Promise<void> {
    const directory = process.env['PICTURES']
    if (directory === undefined) return
    await parts().desk.page.screenshot({ path: join(directory, `${name}.png`) })
  }

  test('a ship is found on the map with its facts, its way ahead and its actions', async () => {
    const { desk } = parts()
    const { page } = desk
    await desk.section('Map')
    await desk.perform('b', { Name: HOSTILE, Body: 'Earth', 'Altitude [m]': '900000' })
    await page.getByText('1 ship', { exact: true }).waitFor()
    await picture('system')
    await find(HOSTILE, 'ship')
    const facts = page.getByRole('article', { name: 'Chosen' })
    await facts.getByText(/^Mallory/).waitFor()
    await facts.getByText('Earth', { exact: true }).waitFor()
    await facts
      .getByText(/^(?:peri|apo)apsis in/)
      .first()
      .waitFor()
    await expect.poll(async () => (await spotOf('--map-ahead')).count).toBeGreaterThan(50)
    expect(await page.locator('img').count()).toBe(0)
    await picture('ship')
    await facts.getByRole('button', { name: `Debug: ${HOSTILE}` }).click()
    await desk.dialog().getByText('Debug of this ship is off.').waitFor()
    await page.keyboard.press('Escape')
  })

  test.runIf(IS_NIGHT)('a hull that is followed stands still', async () => {
    await press('Go near')
    await parts().desk.page.getByText('20 m', { exact: true }).waitFor()
    await expect.poll(async () => (await spotOf('--map-ship')).count).toBeGreaterThan(300)
    const before = await spotOf('--map-ship')
    const second = await parts().desk.page.locator('.map-status b').textContent()
    const shown = parts().desk.page.locator('.map-status b')
    await expect.poll(() => shown.textContent()).not.toBe(second)
    const after = await spotOf('--map-ship')
    expect(Math.hypot(after.x - before.x, after.y - before.y)).toBeLessThan(0.5)
    await picture('hull')
  })

  test.runIf(IS_NIGHT)('stations and gates are placed where the map is pointed at', async () => {
    const { desk } = parts()
    const { page } = desk
    await find('Moon', 'moon')
    await picture('moon')
    const stage = page.locator('.map-stage')
    const { width = 0, height = 0 } = (await stage.boundingBox()) ?? {}
    await stage.click({ position: { x: width / 2, y: 0.9 * height } })
    await chosen('Above Moon').waitFor()
    await press('Station here: Above Moon')
    const altitude = await desk.dialog().getByLabel('Altitude [m]').inputValue()
    // The Moon fills a third of the picture's height, and the click is 0.4 of it from the middle.
    expect(Number(altitude) / 1_737_400).toBeCloseTo(6 * 0.4 - 1, 1)
    await desk.fillIn({ Name: 'Low Port' })
    await desk.confirm()
    await desk.outcome(/^Low Port is placed\./)
    await find('Moon', 'moon')
    await press('L4')
    await chosen('L4 of Earth and Moon').waitFor()
    await press('Station here: L4 of Earth and Moon')
    await desk.fillIn({ Name: 'High Port' })
    await desk.confirm()
    await desk.outcome(/^High Port is placed\./)
    await press('L5')
    await press('Jump gate here: L5 of Earth and Moon')
    await desk.fillIn({ Name: 'Far Door' })
    await desk.confirm()
    await desk.outcome(/^Far Door is placed\./)
    await picture('lagrange')
    for (const name of ['Low Port', 'High Port', 'Far Door', HOSTILE]) {
      await find(name, name === 'Far Door' ? 'jump gate' : 'station')
      await page.getByRole('button', { name: `Remove: ${name}` }).click()
      await desk.confirm()
    }
  })

  test.runIf(IS_NIGHT)(
    'the map is led by keys, in light and dark, to another star system',
    async () => {
      const { page } = parts().desk
      for (const colorScheme of ['light', 'dark'] as const) {
        await page.emulateMedia({ colorScheme })
        expect(await violations(page)).toEqual([])
        await picture(colorScheme)
      }
      await page.getByRole('button', { name: 'Home' }).click()
      const stage = page.getByRole('application', { name: 'Map of Sol' })
      await stage.focus()
      for (const key of ['Escape', 'Shift+ArrowUp', 'ArrowLeft', 'ArrowRight', 'Enter']) {
        await page.keyboard.press(key)
      }
      await chosen('Earth').waitFor()
      await page.keyboard.press('f')
      await page.locator('[aria-pressed=true]').getByText('Follow').waitFor()
      await page.keyboard.press('0')
      await page.getByText(/ au$/).first().waitFor()
      await page.getByLabel('Star system').selectOption('trappist-1')
      await page.getByRole('application', { name: 'Map of TRAPPIST-1' }).waitFor()
      await page.getByText('0 ships', { exact: true }).waitFor()
      await page.getByText('Choose something on the map').waitFor()
      await picture('trappist-1')
    },
  )
}

function spotIn(element: Element, name: string): Spot {
  const canvas = element as HTMLCanvasElement
  canvas.style.color = `var(${name})`
  const wanted = [...getComputedStyle(canvas).color.matchAll(/\d+/g)].map(Number)
  canvas.style.color = ''
  const { width, height } = canvas
  const copy = new OffscreenCanvas(width, height).getContext('2d')
  copy?.drawImage(canvas, 0, 0)
  const { data = [] } = copy?.getImageData(0, 0, width, height) ?? {}
  const sums = { count: 0, x: 0, y: 0 }
  for (let i = 0; i < data.length; i += 4) {
    if (!wanted.every((part, k) => Math.abs(data[i + k] - part) < 12)) continue
    sums.count++
    sums.x += (i / 4) % width
    sums.y += Math.floor(i / 4 / width)
  }
  return { count: sums.count, x: sums.x / sums.count, y: sums.y / sums.count }
}
