// The change of a docked ship's class, as part of the tests of a server that is started again.
import type { ShipClassesResponse } from '@orrery/client'
import { api } from '@orrery/client/routes'
import type { GamePage } from '@orrery/page-kit/game-page'
import { IS_NIGHT } from '@orrery/testkit/tier'
import { loadAxe, violations } from '@orrery/testkit/violations'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'

/** A file with a class more than a world has. */
export class YardClasses implements AsyncDisposable {
  readonly #directory: string
  readonly path: string

  private constructor(directory: string) {
    this.#directory = directory
    this.path = join(directory, 'ship-classes.json')
  }

  static async write({ ship_classes: known }: ShipClassesResponse): Promise<YardClasses> {
    const classes = new YardClasses(await mkdtemp(join(tmpdir(), 'orrery-yard-')))
    const barge = { ...known[0], name: 'barge', title: 'Barge', price: 1200, fuel_capacity: 4000 }
    await writeFile(classes.path, JSON.stringify({ ship_classes: [...known, barge] }))
    return classes
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await rm(this.#directory, { recursive: true })
  }
}

/** Registers the tests; the server has the classes, and the page flies a ship. */
export function yardTests(gameOf: () => GamePage): void {
  // Docking is flown for minutes of game time; by day the routes have their own tests.
  test.runIf(IS_NIGHT)(
    'a docked ship becomes another by keyboard, with its fuel and Δv',
    async () => {
      const { page } = gameOf()
      const admin = await gameOf().admin()
      const pilot = (await admin.players.list()).players.find((one) => one.ship_id !== '')
      const id = pilot?.ship_id ?? ''
      const [{ station_id: station }] = (await admin.stations.list()).stations
      await admin.call(api.alterShip, { ship_id: id, station_id: station })
      await page.getByRole('button', { name: 'Orders', exact: true }).click()
      const panel = page.locator('.orders')
      await panel.getByRole('button', { name: 'Dock', exact: true }).click()
      expect(await panel.getByRole('region', { name: 'Shipyard' }).count()).toBe(0)
      await admin.game.changeTimeScale(100)
      await panel
        .getByRole('button', { name: /^Dock at/ })
        .first()
        .press('Enter')
      const change = panel.getByRole('button', { name: 'Change to Barge' })
      await change.waitFor({ timeout: 0 })
      await admin.game.changeTimeScale(1)
      expect(await panel.locator('li', { hasText: 'Barge' }).textContent()).toMatch(
        /Barge.*Δv 4\.376 km\/s.*Price 1,200/,
      )
      await loadAxe(page)
      expect(await violations(page)).toEqual([])
      await change.press('Enter')
      const own = panel.getByRole('button', { name: 'Yours: Barge' })
      await own.waitFor()
      expect(await own.evaluate((button) => button === document.activeElement)).toBe(true)
      const left = page.locator('.ship-data dt:text-is("Δv left") ~ dd')
      await expect.poll(() => left.textContent()).toBe('4.376 km/s')
      await panel.getByText('Tanks: 100.0 %').waitFor()
      await panel.getByRole('button', { name: 'Undock' }).press('Enter')
      await own.waitFor({ state: 'detached' })
      await page.locator('.tab-bar').getByRole('button', { name: 'Orders', exact: true }).click()
      // What the dock has sent is not for the next test.
      await page.evaluate(() => {
        for (const close of document.querySelectorAll<HTMLElement>('.notice-close')) close.click()
      })
      await page.locator('.notice-close').first().waitFor({ state: 'detached' })
    },
  )

  test('a second ship is taken and flown, from the account', async () => {
    const { page } = gameOf()
    await page.locator('.account-user').press('Enter')
    const ships = page.locator('dialog section').filter({ hasText: 'Ships' })
    await ships.getByRole('radio', { name: /^courier/ }).check()
    await ships.getByRole('button', { name: 'Take another ship' }).press('Enter')
    await ships.getByRole('radio', { name: /^Wanderer 2/ }).check()
    await ships.getByRole('button', { name: 'Fly this ship' }).press('Enter')
    await page.keyboard.press('Escape')
    const left = page.locator('.ship-data dt:text-is("Δv left") ~ dd')
    await expect.poll(() => left.textContent()).toBe('9.731 km/s')
  })

  test('the other ship is given up', async () => {
    const { page } = gameOf()
    await page.locator('.account-user').press('Enter')
    const ships = page.locator('dialog section').filter({ hasText: 'Ships' })
    await ships.getByLabel('Ship to give up for good').selectOption('Wanderer')
    await ships.getByRole('button', { name: 'Give up this ship' }).press('Enter')
    await ships.getByText('Ship to give up').waitFor({ state: 'detached' })
    const left = ships.locator('input[name=ship]')
    expect(await left.count()).toBe(1)
    expect(await left.isChecked()).toBe(true)
    await page.keyboard.press('Escape')
  })
}
