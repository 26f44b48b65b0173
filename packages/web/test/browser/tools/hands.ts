// A player who flies by keys alone, or by a mouse or a finger alone, as the first voyage asks.
import type { Locator, Page } from 'playwright-core'
import { tabAndPress, tabTo } from './by-keyboard.ts'
import { type Pointer, fingerOf, mouseOf } from './pointers.ts'

export type Direction = 'prograde' | 'radial_out'

/** Tabs of a phone whose sheets hold what is pressed; panels of a wide screen are there already. */
type Sheet = 'Flight' | 'Orders' | 'Places' | 'Target'

export interface Hands {
  /** Turns the view by a good part of a circle. */
  look(): Promise<void>
  point(direction: Direction): Promise<void>
  burn(): Promise<void>
  cut(): Promise<void>
  press(button: Locator, sheet: Sheet): Promise<void>
  /** Makes a place of the list the target. */
  aimAt(name: string): Promise<void>
}

const KEYS = { prograde: '1', radial_out: '5' }

export function keysOf(page: Page): Hands {
  const key = async (name: string): Promise<void> => {
    await tabTo(page, page.locator('#space'))
    await page.keyboard.press(name)
  }
  return {
    look: async () => {
      for (let i = 0; i < 8; i++) await key('ArrowRight')
    },
    point: (direction) => key(KEYS[direction]),
    burn: () => key('z'),
    cut: () => key('x'),
    press: (button) => tabAndPress(page, button),
    aimAt: async (name) => {
      await page.keyboard.press('b')
      await page.waitForSelector('.places input:focus')
      await page.keyboard.type(name)
      await page.keyboard.press('Enter')
      await key('t')
    },
  }
}

export function mouseHands(page: Page): Hands {
  const drag = async (from: Spot, to: Spot): Promise<void> => {
    await page.mouse.move(from.x, from.y)
    await page.mouse.down()
    await page.mouse.move(to.x, to.y, { steps: 8 })
    await page.mouse.up()
  }
  return pointing(page, mouseOf(page), drag)
}

/** Of a page that was opened without touch. */
export async function fingerHands(page: Page): Promise<Hands> {
  const session = await page.context().newCDPSession(page)
  const touch = async (type: 'touchStart' | 'touchMove' | 'touchEnd', at?: Spot): Promise<void> => {
    await session.send('Input.dispatchTouchEvent', { type, touchPoints: at ? [at] : [] })
  }
  const drag = async (from: Spot, to: Spot): Promise<void> => {
    await touch('touchStart', from)
    for (let i = 1; i <= 8; i++) {
      const share = i / 8
      const [x, y] = [from.x + share * (to.x - from.x), from.y + share * (to.y - from.y)]
      await touch('touchMove', { x, y })
    }
    await touch('touchEnd')
  }
  return pointing(page, await fingerOf(page), drag)
}

interface Spot {
  readonly x: number
  readonly y: number
}

function pointing(
  page: Page,
  pointer: Pointer,
  drag: (from: Spot, to: Spot) => Promise<void>,
): Hands {
  const show = async (sheet: Sheet): Promise<void> => {
    const tab = page.locator('.tab-bar').getByRole('button', { name: sheet, exact: true })
    if (!(await tab.isVisible()) || (await tab.getAttribute('aria-expanded')) === 'true') return
    await pointer.press(tab)
  }
  const press = async (button: Locator, sheet: Sheet): Promise<void> => {
    await show(sheet)
    await button.waitFor()
    await pointer.press(button)
  }
  const throttle = (name: string): Promise<void> =>
    press(page.locator('.throttle').getByRole('button', { name, exact: true }), 'Flight')
  return {
    look: async () => {
      const { x, y } = await freeSpot(page)
      await drag({ x: x - 80, y }, { x: x + 80, y })
    },
    point: (direction) => press(page.locator(`[data-mode=${direction}]`), 'Orders'),
    burn: () => throttle('Full'),
    cut: () => throttle('Cut'),
    press,
    aimAt: async (name) => {
      // The sheet of a phone opens the list by itself.
      if (await page.locator('.tab-bar').isVisible()) await show('Places')
      else await pointer.press(page.locator('.places .panel-head button'))
      await press(page.locator('.places').getByRole('button', { name, exact: true }), 'Places')
      await page.locator('#facts-name').getByText(name).waitFor({ state: 'attached' })
      await press(page.locator('#facts').getByRole('button', { name: 'Target' }), 'Target')
    },
  }
}

/** Where the picture is seen for a good way to both sides. */
async function freeSpot(page: Page): Promise<Spot> {
  const spot = await page.evaluate(() => {
    const isFree = (x: number, y: number): boolean =>
      document.elementFromPoint(x, y)?.id === 'space'
    for (let y = 40; y < innerHeight; y += 10) {
      const x = innerWidth / 2
      if (isFree(x - 80, y) && isFree(x, y) && isFree(x + 80, y)) return { x, y }
    }
    return undefined
  })
  if (!spot) throw new Error('The picture is covered')
  return spot
}
