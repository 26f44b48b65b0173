// The panels of modules on the page, as part of the tests of a server that is started again.
import { IS_NIGHT } from '@orrery/testkit/tier'
import { loadAxe, violations } from '@orrery/testkit/violations'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Locator, Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { tabAndPress, tabTo } from './tools/by-keyboard.ts'

const SOURCES = new URL('../../../module/src/', import.meta.url)

/** What is changed: a drill reaches all, and offers are taken anywhere. */
const NEARER = [
  ['mining.ts', 'distance > REACH || speed > SPEED', 'distance > 1e13'],
  ['missions.ts', 'ship.station !== STATIONS[offer.from].id', 'ship.docked'],
] as const

/** Modules of the tutorial whose commands a new ship can give. */
export class NearModules implements AsyncDisposable {
  readonly #directory: string
  readonly files: string

  private constructor(directory: string) {
    this.#directory = directory
    this.files = NEARER.map(([name]) => join(directory, name)).join(',')
  }

  static async write(): Promise<NearModules> {
    const directory = await mkdtemp(join(tmpdir(), 'orrery-modules-'))
    for (const [name, far, near] of NEARER) {
      const source = await readFile(new URL(name, SOURCES), 'utf8')
      await writeFile(join(directory, name), source.replace(far, near))
    }
    return new NearModules(directory)
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await rm(this.#directory, { recursive: true })
  }
}

/** Registers the tests; the server has the modules, and the page has been loaded since. */
export function moduleTests(pageOf: () => Page): void {
  const panel = (name: string): Locator => pageOf().getByRole('region', { name, exact: true })
  const value = (of: Locator, name: string): Locator => of.locator(`dt:text-is("${name}") ~ dd`)
  const textOf = async (of: Locator, name: string): Promise<string> => {
    return (await value(of, name).textContent()) ?? ''
  }
  const refused = (): Locator => pageOf().locator('.notice.error')

  test('a module is played by its panel, and what it refuses is said', async () => {
    const page = pageOf()
    await page.getByRole('button', { name: 'Orders', exact: true }).click()
    const mining = panel('Mining')
    await mining.getByRole('button', { name: 'Mining' }).click()
    expect(await textOf(mining, 'Drills')).toBe('none')
    await mining.getByRole('button', { name: 'Drill: Asteroid 2', exact: true }).click()
    await expect.poll(() => textOf(mining, 'Drills')).toBe('Asteroid 2')
    const leftOut = page.getByText('Not reckoned in: Mining, which may change the flight.')
    await leftOut.first().waitFor({ state: 'attached' })
    // The next reading is seconds later.
    if (IS_NIGHT) await value(mining, 'Ore').filter({ hasText: /[1-9]/ }).waitFor()
    await mining.getByRole('button', { name: 'Rendezvous with Asteroid 2', exact: true }).click()
    await mining.getByRole('button', { name: 'Show cost' }).click()
    await mining.getByText('Δv', { exact: true }).waitFor()
    await mining.locator('.order-cost').locator(leftOut).waitFor()
    await mining.getByRole('button', { name: 'Start', exact: true }).click()
    const abort = page.getByRole('button', { name: 'Abort', exact: true })
    await abort.click()
    await abort.waitFor({ state: 'detached' })
    await mining.getByLabel('Ore to sell').fill('2')
    await page.keyboard.press('Enter')
    await refused().getByText('Sell: not docked.').waitFor()
    await mining.getByRole('button', { name: 'Stop the drill' }).click()
    await refused().waitFor({ state: 'detached' })
    expect(await textOf(mining, 'Drills')).toBe('none')
    await leftOut.first().waitFor({ state: 'detached' })
  })

  test('a mission is taken and given up by keyboard, on 320 px, as axe allows', async () => {
    const page = pageOf()
    await page.setViewportSize({ width: 320, height: 568 })
    const missions = panel('Missions')
    const press = async (name: string): Promise<void> => {
      await missions.getByRole('button', { name, exact: true }).press('Enter')
    }
    await press('Missions')
    await press('Take: Offer 2')
    await expect.poll(() => textOf(missions, 'To')).toBe('Earth')
    await press('Take: Offer 3')
    await refused().getByText('Take: Offer 3: busy, mission 2.').waitFor()
    await loadAxe(page)
    expect(await violations(page)).toEqual([])
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(320)
    await press('Give up')
    await value(missions, 'To').waitFor({ state: 'detached' })
  })

  test('a rule on a value of a module orders its command, by keyboard, on 320 px', async () => {
    const page = pageOf()
    const orders = page.locator('.orders')
    const field = (name: string): Locator => orders.getByLabel(name, { exact: true })
    const pick = async (name: string, words: string): Promise<void> => {
      await tabTo(page, field(name))
      await page.keyboard.type(words)
    }
    await orders.getByRole('button', { name: 'Rules', exact: true }).press('Enter')
    await orders.getByRole('button', { name: 'New rule', exact: true }).press('Enter')
    await pick('When', 'a value of the game')
    await pick('Value', 'Mining: Ore')
    await pick('Passes', 'rises above')
    await tabTo(page, field('Ore'))
    await page.keyboard.type('7999.5')
    await pick('Then', 'a command of the game')
    await pick('Command', 'Mining: Make fuel')
    await tabAndPress(page, orders.getByRole('button', { name: 'Save', exact: true }))
    // What is lacking is asked for, and nothing is saved.
    expect(await field('Ore for fuel').evaluate((input) => input.matches(':focus:invalid'))).toBe(
      true,
    )
    await page.keyboard.type('40')
    expect(await violations(page)).toEqual([])
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(320)
    await page.keyboard.press('Enter')
    const sentence = (): Promise<string | null> => orders.locator('.rule small').textContent()
    expect(await sentence()).toBe(
      'When Ore of Mining rises above 7,999.5 kg, order Make fuel of Mining.',
    )
    const values = { kg: 40 }
    expect(await savedRule(page)).toMatchObject({
      condition: { type: 'module', module: 'mining', column: 'ore', above: 7999.5 },
      action: { type: 'event' },
      module_command: { module: 'mining', command: 'refine', values },
    })
    await orders.getByRole('button', { name: /^Change the rule/ }).press('Enter')
    await field('Value').selectOption({ label: 'Mining: Hold' })
    await field('Becomes').selectOption({ label: 'is full' })
    await field('Command').selectOption({ label: 'Missions: Take' })
    await field('Offer').selectOption({ label: 'Offer 3' })
    await field('Offer').press('Tab')
    await orders.getByRole('button', { name: 'Save', exact: true }).press('Enter')
    await expect.poll(sentence).toBe('When Hold of Mining: is full, order Take of Missions.')
    expect(await savedRule(page)).toMatchObject({
      condition: { type: 'module', module: 'mining', column: 'full', above: 1 },
      module_command: { module: 'missions', command: 'take', values: { offer: 3 } },
    })
  })
}

/** The only rule of the ship, as the server has it. */
function savedRule(page: Page): Promise<unknown> {
  return page.evaluate(async () => {
    const { token } = JSON.parse(localStorage.getItem('orrery.account') ?? '')
    const headers = { authorization: `Bearer ${token}` }
    const answer = await fetch('/api/player/rules', { headers })
    return (await answer.json()).rules[0]
  })
}
