// Goal: everything around the picture can be used by everybody: by keyboard alone, with a screen
// reader, on a small phone. Method: axe and boxes of elements in each state of the real page.
import { CHROMIUM_RUNS_HERE } from '@orrery/testkit/browser'
import { IS_NIGHT, byTier } from '@orrery/testkit/tier'
import { loadAxe, violations } from '@orrery/testkit/violations'
import type { Locator, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type GamePage, openGamePage } from '@orrery/page-kit/game-page'
import { type Pointer, fingerOf, mouseOf, unreachable } from './tools/pointers.ts'

/** As small as the wide layout goes: the processor draws. */
const DESK = { width: 1000, height: 600 }
const PHONES = [
  ['a phone', { width: 360, height: 740 }],
  ['a narrow phone', { width: 320, height: 568 }],
  ['a phone on its side, or a screen at 200 %', { width: 640, height: 360 }],
] as const

/** Of the wide layout: the smallest, a small window and a laptop. */
const SCREENS = byTier({
  gate: [DESK],
  night: [DESK, { width: 1100, height: 720 }, { width: 1280, height: 800 }],
})

/** A phone, a small window and a laptop [px]. */
const WIDTHS = byTier({ gate: [390], night: [390, 1100, 1440] })
/** A guest has fewer panels, which are those of a player. */
const GUEST_WIDTHS = byTier({ gate: [], night: WIDTHS })
const GUEST_PHONES = PHONES.slice(0, byTier({ gate: 0, night: PHONES.length }))
/** By day the narrowest. */
const PLAYER_PHONES = PHONES.slice(...byTier({ gate: [1, 2], night: [0] }))

/** The first words of what instruments mean, without a target. */
const EXPLAINED = ['Altitude', 'Blue and brown', 'Prograde, retrograde', 'The list', 'Δv left']

/** Once its content is loaded. */
const WHOLE_DIALOG = 'dialog[open]:not(:has(.loading))'

describe.runIf(CHROMIUM_RUNS_HERE)('around the picture', () => {
  let game: GamePage
  let page: Page

  beforeAll(async () => {
    game = await openGamePage({ hasFewFrames: true })
    ;({ page } = game)
    await page.addInitScript(() => {
      localStorage.setItem('orrery.settings', '{"quality":"low","trails":false}')
    })
    await page.setViewportSize(DESK)
    await page.goto(game.url)
    await page.waitForSelector('#facts-name')
    // That there is no picture: with one the page has no such message.
    await mouseOf(page).press(page.locator('.notice-close'))
    await page.waitForSelector('.notice-close', { state: 'detached' })
    await loadAxe(page)
  })

  afterAll(() => game.close())

  test('a guest finds everything by keyboard, and nothing that axe refuses', async () => {
    expect(await violations(page)).toEqual([])
    const unreached = new Set(await reachable(page))
    await page.focus('#space')
    for (let i = unreached.size + 5; i > 0 && unreached.size > 0; i--) {
      await page.keyboard.press('Tab')
      unreached.delete(await focused(page))
    }
    expect([...unreached]).toEqual([])
  })

  test.each(byTier({ gate: ['Help'], night: ['Share', 'Settings', 'Help', 'Credits'] }))(
    '%s opens, closes by Escape and gives the focus back',
    async (words) => {
      await page.focus(`#tools button:text-is("${words}")`)
      await page.keyboard.press('Enter')
      await page.waitForSelector(WHOLE_DIALOG)
      expect(await violations(page)).toEqual([])
      await page.keyboard.press('Escape')
      await page.waitForSelector('dialog[open]', { state: 'detached' })
      expect(await focused(page)).toBe(words)
    },
  )

  test('settings are kept', async () => {
    await press(page, '#names')
    await page.waitForSelector('#names[aria-pressed=false]')
    const kept = await page.evaluate(() => localStorage.getItem('orrery.settings'))
    expect(JSON.parse(kept ?? '')).toMatchObject({ quality: 'low', labels: false, trails: false })
  })

  test.runIf(IS_NIGHT)('keys that type can be switched off, and on again in the help', async () => {
    const places = page.getByRole('button', { name: 'Places', exact: true })
    const isOpen = (): Promise<string | null> => places.getAttribute('aria-expanded')
    const before = await isOpen()
    const setting = page.getByLabel('Letters, digits and signs act')
    await press(page, '#tools button:text-is("Help")')
    await setting.uncheck()
    await page.keyboard.press('Escape')
    await page.focus('#space')
    for (const key of ['b', '?']) await page.keyboard.press(key)
    expect([await isOpen(), await page.locator('dialog[open]').count()]).toEqual([before, 0])
    await press(page, '#tools button:text-is("Help")')
    await setting.check()
    await page.keyboard.press('Escape')
    await page.focus('#space')
    await page.keyboard.press('?')
    await page.waitForSelector('dialog.help[open]')
    await page.keyboard.press('Escape')
  })

  test('keys are given to other actions, and as at first again', async () => {
    const change = (words: string): Locator =>
      page.getByRole('button', { name: `Change: ${words}` })
    const names = page.locator('#names')
    const isShown = (): Promise<string | null> => names.getAttribute('aria-pressed')
    const before = await isShown()
    await press(page, '#tools button:text-is("Help")')
    await change('names on or off').click()
    await page.keyboard.press('F5')
    await page.getByText('This key keeps what it does in browsers.').waitFor()
    await page.keyboard.press('b')
    await page.getByText('B already does “list of places”.').waitFor()
    expect(await violations(page)).toEqual([])
    await page.getByRole('button', { name: 'Use it here' }).click()
    expect(await change('names on or off').textContent()).toBe('B')
    expect(await change('list of places').textContent()).toBe('—')
    await page.keyboard.press('Escape')
    await page.focus('#space')
    await page.keyboard.press('l')
    expect(await isShown()).toBe(before)
    await page.keyboard.press('b')
    expect(await isShown()).not.toBe(before)
    await page.keyboard.press('b')
    await press(page, '#tools button:text-is("Help")')
    await page.getByRole('button', { name: 'Restore all keys' }).click()
    expect(await change('list of places').textContent()).toBe('B')
    await page.keyboard.press('Escape')
  })

  test('places are searched, and the star systems are there to choose from', async () => {
    await page.focus('#space')
    await page.keyboard.press('b')
    await page.waitForFunction(() => document.activeElement?.ariaLabel === 'Search places')
    await page.keyboard.type('TITAN')
    const names = page.locator('.places li > button')
    expect(await names.allTextContents()).toEqual(['Sun', 'Saturn', 'Titan', 'Uranus', 'Titania'])
    await page.waitForSelector('.places option[value=trappist-1]', { state: 'attached' })
    expect(await violations(page)).toEqual([])
    await page.keyboard.press('Enter')
    await page.waitForFunction(() => document.querySelector('#facts-name')?.textContent === 'Titan')
    await page.fill('.places input', '')
  })

  test.each(GUEST_WIDTHS)(
    'mouse and finger reach all that a guest %d px wide is shown',
    async (width) => {
      await page.setViewportSize({ width, height: 844 })
      expect(await unreachable(page, 'main')).toEqual([])
      expect(await unusable(page)).toEqual([])
      await page.setViewportSize(DESK)
    },
  )

  test.each(GUEST_PHONES)('a guest on %s', async (_, size) => {
    await page.setViewportSize(size)
    const shown = page.locator('.tab-bar [aria-expanded=true]')
    if ((await shown.count()) > 0) await shown.first().click()
    const gap = async (): Promise<number> => {
      const [picture, bar] = await Promise.all(
        ['#space', '.tab-bar'].map((part) => page.locator(part).boundingBox()),
      )
      return picture && bar ? bar.y - picture.y - picture.height : NaN
    }
    await expect.poll(gap, { message: 'the picture ends where the bar begins' }).toBe(0)
    expect(await sheets(page)).toEqual({})
    await page.setViewportSize(DESK)
  })

  test('a player sees all panels', async () => {
    await press(page, '.account-entry .primary')
    await page.waitForSelector('dialog[open]')
    expect(await violations(page)).toEqual([])
    await page.fill('input[name=password]', 'correct horse 7b')
    await page.keyboard.press('Enter')
    await page.waitForSelector('.frame.flown')
    await page.waitForFunction(() => document.title.endsWith(' km - Orrery'))
    expect(await violations(page)).toEqual([])
    expect(await cut(page)).toEqual([])
    // The orders that follow need no long trajectory.
    await page.getByLabel('How far ahead').selectOption('3')
  })

  test.each(SCREENS)('a long log covers nothing, nor do instruments the ship: %j', async (size) => {
    await page.setViewportSize(size)
    await page.focus('#space')
    // Orders of which each becomes a line of the log.
    for (const key of '123456123456'.split('')) await page.keyboard.press(key)
    await page.waitForFunction(() => {
      const list = document.querySelector('.event-log .panel-body')
      return list && list.scrollHeight > list.clientHeight
    })
    expect(await overlaps(page)).toEqual([])
    expect(await page.evaluate(isFirstRowWhole)).toBe(true)
    expect(await groundless(page)).toEqual([])
    await page.setViewportSize(DESK)
  })

  test('each instrument says what its readings mean', async () => {
    const signs = page.getByRole('button', { name: /^What “.*” shows$/ })
    const shown = page.locator('dialog.meanings dt').first()
    const first: (string | null)[] = []
    for (const sign of await signs.all()) {
      await sign.focus()
      await page.keyboard.press('Enter')
      first.push(await shown.textContent())
      await page.keyboard.press('Escape')
    }
    expect(new Set(first)).toEqual(new Set(EXPLAINED))
    await signs.first().focus()
    await page.keyboard.press('Enter')
    await shown.waitFor()
    expect(await violations(page)).toEqual([])
    await page.keyboard.press('Escape')
  })

  test('a pause is shown to everybody', async () => {
    const admin = await game.admin()
    await admin.game.pause()
    await page.waitForFunction(() => document.title === 'Paused - Orrery')
    expect(await violations(page)).toEqual([])
    await admin.game.resume()
  })

  test.each(WIDTHS)(
    'mouse and finger reach all that a player %d px wide is shown',
    async (width) => {
      await page.setViewportSize({ width, height: 844 })
      expect(await unreachable(page, 'main')).toEqual([])
      expect(await unusable(page)).toEqual([])
      await page.setViewportSize(DESK)
    },
  )

  test('buttons of a phone lead to the map, the system and ships', async () => {
    await page.setViewportSize({ width: 390, height: 844 })
    const finger = await fingerOf(page)
    for (const [name, kind] of [
      ['Whole system', 'star'],
      ['My ship', 'ship'],
      ['Map', 'planet of the Sun'],
    ] as const) {
      const button = page.locator('#tools').getByRole('button', { name, exact: true })
      await showing(page, button, finger)
      await finger.press(button)
      const shown = page.locator('#facts-kind')
      await expect.poll(() => shown.textContent()).toBe(kind)
    }
  })

  test.each(PLAYER_PHONES)('a player on %s, far from UTC, too', async (_, size) => {
    await page.setViewportSize(size)
    const drift = page.locator('#time .drift')
    await drift.evaluate((words) => (words.textContent = '12 min 5.110 s behind UTC'))
    expect(await unreachable(page, '#time')).toEqual([])
    expect(await sheets(page)).toEqual({})
  })

  test('the browser has nothing to complain of', () => {
    expect(game.complaints).toEqual([])
  })
})

/** Without waiting for two pictures, as a click of the mouse does. */
function press(page: Page, selector: string): Promise<void> {
  return page.locator(selector).evaluate((button: HTMLElement) => button.click())
}

/** Dialogs with something that no mouse or no finger reaches, or that neither closes. */
async function unusable(page: Page): Promise<string[]> {
  const found = new Map<string, readonly string[]>()
  for (const pointer of [mouseOf(page), await fingerOf(page)]) {
    for (const opener of await page.locator('main [aria-haspopup=dialog]').all()) {
      const name = (await opener.textContent()) ?? ''
      await showing(page, opener, pointer)
      await pointer.press(opener)
      await page.waitForSelector(WHOLE_DIALOG)
      // What lies above a control takes mouse and finger alike.
      if (!found.has(name)) found.set(name, await unreachable(page, 'dialog[open]'))
      await pointer.press(page.locator('dialog[open] .dialog-close'))
      await page.waitForSelector('dialog[open]', { state: 'detached' })
    }
  }
  return [...found].flatMap(([name, hidden]) => hidden.map((control) => `${name}: ${control}`))
}

/** On a phone a button may be in the sheet of another tab. */
async function showing(page: Page, opener: Locator, pointer: Pointer): Promise<void> {
  if (await opener.isVisible()) return
  await pointer.press(page.locator('.tab-bar').getByRole('button', { name: 'Menu' }))
  await opener.waitFor()
}

/** What is wrong in each sheet of a phone, by its tab. */
async function sheets(page: Page): Promise<Record<string, readonly string[]>> {
  const wrong: Record<string, readonly string[]> = {}
  for (const tab of await page.locator('.tab-bar button').all()) {
    if ((await tab.getAttribute('aria-expanded')) === 'false')
      await tab.evaluate((button: HTMLElement) => button.click())
    const found = [
      ...(await violations(page)),
      ...(await cut(page)),
      ...(await unreachable(page, 'main')),
    ]
    if (found.length > 0) wrong[(await tab.textContent()) ?? ''] = found
  }
  return wrong
}

/** Panels that lie on each other or on the middle of the picture, where the ship is. */
function overlaps(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const panels = [...document.querySelectorAll<HTMLElement>('.slot > *:not(.helm), .helm > *')]
    const parts = panels.flatMap((panel) => [
      ...(panel.matches('.instruments')
        ? panel.querySelectorAll<HTMLElement>(':scope > *')
        : [panel]),
    ])
    const shown = parts.filter((part) => part.checkVisibility() && part.textContent !== '')
    const boxes = shown.map(
      (part) => [part.className || part.id, part.getBoundingClientRect()] as const,
    )
    const lies = (a: DOMRect, b: DOMRect): boolean =>
      a.left < b.right - 1 && b.left < a.right - 1 && a.top < b.bottom - 1 && b.top < a.bottom - 1
    const ship = new DOMRect(innerWidth / 2 - 40, innerHeight / 2 - 25, 80, 50)
    return boxes.flatMap(([name, box], i) => {
      const others = boxes.slice(i + 1).filter(([, other]) => lies(box, other))
      const found = others.map(([other]) => `${name} on ${other}`)
      return lies(box, ship) ? [...found, `${name} on the ship`] : found
    })
  })
}

/** Whether what is next ahead is seen as a whole. */
function isFirstRowWhole(): boolean {
  const body = document.querySelector('.trajectory-panel .panel-body')!
  const bottom = body.querySelector('li, p')!.getBoundingClientRect().bottom
  return bottom <= body.getBoundingClientRect().bottom + 1
}

/** Texts over the picture without a ground of their own. */
function groundless(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const hasGround = (element: Element | null): boolean => {
      if (!element || element === document.body) return false
      const [, , , alpha = 1] = getComputedStyle(element)
        .backgroundColor.match(/[\d.]+/g)!
        .map(Number)
      return alpha > 0.9 || hasGround(element.parentElement)
    }
    const isText = ({ childNodes }: Element): boolean =>
      [...childNodes].some(({ nodeType, textContent }) => nodeType === 3 && textContent?.trim())
    const texts = [...document.querySelectorAll(':is(main, body > header) *')].filter(isText)
    return texts
      .filter((text) => text.checkVisibility() && !hasGround(text))
      .map((text) => text.textContent)
  })
}

/** Controls and texts that reach out of the screen at its sides, or whose text is cut. */
function cut(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const found = [...document.querySelectorAll<HTMLElement>('main :is(button, input, dt, dd, h2)')]
    const isCut = (element: HTMLElement): boolean => {
      const { left, right, width } = element.getBoundingClientRect()
      const isOut = left < -0.5 || right > innerWidth + 0.5
      // A long name of a player ends in an ellipsis.
      const isMarked = getComputedStyle(element).textOverflow === 'ellipsis'
      return width > 0 && (isOut || (!isMarked && element.scrollWidth > element.clientWidth + 1))
    }
    return found.filter(isCut).map((element) => `cut: ${element.textContent || element.className}`)
  })
}

/** Names of all controls that Tab should come to. */
function reachable(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const found = [...document.querySelectorAll<HTMLElement>('main :is(button, a, input, select)')]
    const isShown = (element: HTMLElement): boolean => element.checkVisibility()
    return found.filter(isShown).map((one) => one.ariaLabel ?? one.textContent ?? '')
  })
}

function focused(page: Page): Promise<string> {
  return page.evaluate(() => {
    const { activeElement: at } = document
    return at?.ariaLabel ?? at?.textContent ?? ''
  })
}
