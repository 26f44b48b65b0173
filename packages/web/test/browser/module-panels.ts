// The panels of modules on the page, as part of the tests of a server that is started again.
import { IS_NIGHT } from '@orrery/testkit/tier'
import { loadAxe, violations } from '@orrery/testkit/violations'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Locator, Page } from 'playwright-core'
import { expect, test } from 'vitest'

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
    // The next reading is seconds later.
    if (IS_NIGHT) await value(mining, 'Ore').filter({ hasText: /[1-9]/ }).waitFor()
    await mining.getByRole('button', { name: 'Rendezvous with Asteroid 2', exact: true }).click()
    await mining.getByRole('button', { name: 'Show cost' }).click()
    await mining.getByText('Δv', { exact: true }).waitFor()
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
}
