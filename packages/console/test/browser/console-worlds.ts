// Snapshots and backups at the operators' console, as part of its tests.
import { stat } from 'node:fs/promises'
import type { Route } from 'playwright-core'
import { IS_NIGHT } from '@orrery/testkit/tier'
import { expect, test } from 'vitest'
import type { MapParts } from './console-map.ts'

/** Registers the tests; a snapshot that an admin made is there. */
export function worldTests(parts: () => Pick<MapParts, 'game' | 'desk'>): void {
  test.runIf(IS_NIGHT)('what was done is said once the tables show it', async () => {
    const { desk } = parts()
    const { page } = desk
    await desk.section('Worlds')
    await desk.table('Snapshots').getByRole('row').first().waitFor()
    const held = Promise.withResolvers<Route>()
    await page.route(/snapshots\?/, (route) => held.resolve(route))
    await page.getByRole('button', { name: 'Make a snapshot' }).click()
    const route = await held.promise
    // The other parts of the console show the new state by then.
    for (let i = 0; i < 2; i++) await page.waitForResponse(/\/load$/)
    await page.evaluate(() => new Promise((resolve) => requestAnimationFrame(resolve)))
    expect(await page.locator('.outcome p').count()).toBe(0)
    await route.continue()
    await page.unroute(/snapshots\?/)
    const [, id = ''] = /^Snapshot (\d+),/.exec(await desk.outcome(/^Snapshot/)) ?? []
    expect(await desk.table('Snapshots').getByTitle(id, { exact: true }).count()).toBe(1)
  })

  test('ship classes are listed with what they can do', async () => {
    const { desk, game } = parts()
    const { ship_classes: classes } = await game.client.shipClasses()
    await desk.section('Worlds')
    const rows = desk.table('Ship classes').locator('tbody tr')
    await rows.nth(classes.length - 1).waitFor()
    const texts = await rows.allTextContents()
    expect(texts).toEqual(classes.map(({ name }) => expect.stringContaining(name)))
    // The default class has 9.7 km/s.
    expect(texts[0]).toContain('9.7')
  })

  test('a star system is given to a host by its row', async () => {
    const { desk } = parts()
    await desk.section('Worlds')
    // Owners come first.
    await desk
      .table('Hosts')
      .getByRole('button', { name: /^Give: / })
      .first()
      .click()
    await desk.fillIn({ 'Star system': 'Alpha Centauri' })
    await desk.confirm()
    expect(await desk.outcome(/^alpha-centauri goes/)).toContain('to the host')
  })

  test.runIf(IS_NIGHT)('a host is drained, and no more, by its row', async () => {
    const { desk } = parts()
    await desk.section('Worlds')
    const row = desk.table('Hosts').getByRole('row').filter({ hasText: 'owner' }).first()
    await row.getByRole('button', { name: /^Drain: / }).click()
    await desk.confirm()
    await desk.outcome(/^The host gives its star systems away/)
    await row.getByText('drained').waitFor()
    expect(await row.textContent()).toContain('owner, drained')
    await row.getByRole('button', { name: /^Undrain: / }).click()
    await desk.confirm()
    await desk.outcome(/^The host may own star systems again/)
    await row.getByText('drained').waitFor({ state: 'detached' })
  })

  test.runIf(IS_NIGHT)('a moment after a snapshot is flown again', async () => {
    const { desk } = parts()
    await desk.section('Worlds')
    await desk
      .table('Snapshots')
      .getByRole('button', { name: /^Look back: / })
      .first()
      .click()
    await desk.fillIn({ 'Star system': 'Sol' })
    await desk.confirm()
    expect(await desk.outcome(/^At \d{4}-/)).toMatch(/: \d+ ships; (\d+) of \1 digests are equal\./)
  })

  test('a restore is done after it is known', async () => {
    const { desk } = parts()
    const { page } = desk
    await desk.section('Worlds')
    await page
      .getByRole('button', { name: /^Restore: / })
      .first()
      .click()
    await desk.warned(/^It undoes \d+ ticks/)
    await desk.confirm()
    expect(await desk.outcome(/^Restored: tick \d+/)).toContain('game time')
  })

  test.runIf(IS_NIGHT)('a snapshot that is needed stays; one that is gone is named', async () => {
    const { desk } = parts()
    const { page } = desk
    // The first is the one that the restore has begun an era with.
    await page
      .getByRole('button', { name: /^Delete: / })
      .first()
      .click()
    await desk.warned(/^Snapshot \d+ can never be restored again\.$/)
    await desk.press()
    await desk
      .dialog()
      .getByText(/is needed: .*\(E003\)/)
      .waitFor()
    await page.keyboard.press('Escape')
    await page
      .getByRole('row')
      .filter({ hasText: 'admin' })
      .getByRole('button', { name: /^Delete: / })
      .first()
      .click()
    await desk.warned(/^Snapshot \d+ can never be restored again\.$/)
    await desk.confirm()
    await desk.outcome(/^Snapshot \d+ is deleted\./)
    await desk.choose('e')
    await desk.fillIn({ 'Number of the snapshot': '4711' })
    await desk.dialog().getByRole('button', { name: 'Show what it does' }).click()
    const gone = desk.dialog().getByText(/\(E016\)/)
    await gone.waitFor()
    expect(await gone.count()).toBe(1)
    await page.keyboard.press('Escape')
  })

  test.runIf(IS_NIGHT)(
    'a backup is made, downloaded, restored after a question, and deleted',
    async () => {
      const { game, desk } = parts()
      const { page } = desk
      await desk.table('Backups').getByRole('button', { name: 'Make a backup' }).click()
      const made = await desk.outcome(/^Backup \S+, tick \d+, \d+ accounts\./)
      const coming = page.waitForEvent('download')
      await desk
        .table('Backups')
        .getByRole('button', { name: /^Download: / })
        .click()
      await desk.fillIn({ 'Your password': 'guessed' })
      await desk.press()
      await desk.dialog().getByText('The password is wrong (E003).').waitFor()
      await desk.fillIn({ 'Your password': game.server.chief.password })
      await desk.confirm()
      const download = await coming
      const outcome = await desk.outcome(/^Backup \S+, \d+ bytes\. It holds password hashes\./)
      const [, id, bytes] = /^Backup (\S+), (\d+) bytes/.exec(outcome) ?? []
      expect(download.suggestedFilename()).toBe(`orrery-${id}.backup`)
      expect((await stat(await download.path())).size).toBe(Number(bytes))
      await desk
        .table('Backups')
        .getByRole('button', { name: /^Restore: / })
        .click()
      await desk.warned(/^What is there now becomes a backup first\./)
      await desk.confirm()
      await desk.outcome(/^Restored: tick \d+\. Before it: backup /)
      await desk.table('Backups').getByText('restore', { exact: true }).waitFor()
      await desk
        .table('Backups')
        .getByRole('button', { name: /^Delete: / })
        .last()
        .click()
      await desk.warned(/^The backup of \S+ \S+ UTC can never be restored again\.$/)
      await desk.confirm()
      expect(await desk.outcome(/^The backup is deleted\./)).not.toBe(made)
    },
  )
}
