// A diagram is drawn beside its source while that is written; faults are at their lines, and a
// source that never ends stops nothing.
import { IS_NIGHT } from '@orrery/testkit/tier'
import { expect, test } from 'vitest'
import { readFile } from 'node:fs/promises'
import { type Json, type Session, ask, newSession } from '../ask.ts'
import { hang } from '../rendering/hostile-sources.ts'
import type { PageDesk } from './page-desk.ts'

const SHOP = 'digraph {\n  rankdir=LR\n  shop -> queue -> store\n}'

export function diagramTests(given: () => PageDesk): void {
  let desk: PageDesk
  let session: Session

  const stored = async (): Promise<Json[]> =>
    (await ask(desk.place, 'GET', `${session.path}/artifacts`)).body

  test('a fault is marked at its line, and its button leads there', async () => {
    desk = given()
    const { page, place } = desk
    session = await newSession(place)
    await desk.show(session)
    await desk.choose('Diagrams')
    await desk.button('New diagram').click()
    await page.getByLabel('Name', { exact: true }).fill('Shop')
    await page.getByLabel('Language').selectOption('Graphviz')
    const source = page.getByLabel('Source', { exact: true })
    await source.fill('digraph {\n  shop ->\n}')
    await desk.button('Line 3').click()
    const at = await source.evaluate((area: Json) => [area.selectionStart, area.selectionEnd])
    expect(at).toEqual([20, 21])
    expect(await page.locator('.numbers mark').allTextContents()).toEqual(['3'])
    expect(await desk.flaws('diagram-fault')).toEqual([])
  })

  test.runIf(IS_NIGHT)('a line far down has its number, too', async () => {
    const { page } = desk
    const source = page.getByLabel('Source', { exact: true })
    // Typing it takes Chromium minutes.
    await source.evaluate((area: Json) => {
      area.value = `digraph {${'\n'.repeat(50_000)}shop -> }`
      area.dispatchEvent(new Event('input', { bubbles: true }))
    })
    await desk.button('Line 50001').click()
    await expect
      .poll(() => page.locator('.numbers').textContent())
      .toMatch(/^4\d+\n[^]*50000\n50001\n$/)
    expect(await page.locator('.numbers mark').allTextContents()).toEqual(['50001'])
  })

  test.runIf(IS_NIGHT)(
    'a source that never ends is left alone for what is written after it',
    async () => {
      const { page } = desk
      const source = page.getByLabel('Source', { exact: true })
      await source.fill(hang())
      const preview = page.getByRole('group', { name: 'Preview' })
      await preview.getByText('Being drawn.').waitFor()
      await source.fill(SHOP)
      await preview.getByText('Drawn.', { exact: true }).waitFor()
      await preview.locator('img').waitFor()
      expect(await page.locator('.numbers mark').count()).toBe(0)
      expect(await desk.flaws('diagram-editor')).toEqual([])
      expect(await stored()).toEqual([])
    },
  )

  test('a diagram is created, changed and saved as PNG', async () => {
    const { page } = desk
    await page.getByLabel('Source', { exact: true }).fill(SHOP)
    await desk.button('Create diagram').click()
    const shown = desk.record('Shop')
    await shown.locator('img').waitFor()
    await desk.button('Edit Shop').click()
    const source = page.getByLabel('Source', { exact: true })
    await source.fill(SHOP.replace('store', 'archive'))
    await desk.button('Save').click()
    // The former picture is shown until the new one is drawn.
    await expect
      .poll(stored)
      .toMatchObject([{ name: 'Shop', render_status: 'success', outputs_stale: false }])
    expect(await desk.flaws('diagram-shown')).toEqual([])
    const waiting = page.waitForEvent('download')
    await desk.button('Save as PNG: Shop.png').click()
    const png = await readFile(await (await waiting).path())
    expect(png.subarray(1, 4).toString()).toBe('PNG')
  })
}
