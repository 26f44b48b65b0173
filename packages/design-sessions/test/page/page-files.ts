// Documents begin with templates and become PDF; files are sent, saved and deleted; the library and
// what a version holds are searched.
import { IS_NIGHT } from '@orrery/testkit/tier'
import { expect, test } from 'vitest'
import { readFile } from 'node:fs/promises'
import type { Route } from 'playwright-core'
import { type Json, type Session, ask, newSession } from '../ask.ts'
import { pdfTexts } from '../documents/pdf-pages.ts'
import type { PageDesk } from './page-desk.ts'

export function fileTests(given: () => PageDesk): void {
  let desk: PageDesk
  let session: Session

  const stored = async (list: string): Promise<Json[]> =>
    (await ask(desk.place, 'GET', `${session.path}/${list}`)).body

  const saved = async (button: string): Promise<Buffer> => {
    const waiting = desk.page.waitForEvent('download')
    await desk.button(button).click()
    return readFile(await (await waiting).path())
  }

  test('a document begins with a template, is read in place, and saved as PDF', async () => {
    desk = given()
    const { page, place } = desk
    session = await newSession(place)
    await desk.show(session)
    await desk.choose('Documents')
    await desk.button('New document').click()
    await page.getByLabel('Name', { exact: true }).fill('Operations')
    await page.getByLabel('Template').selectOption('runbook')
    const source = page.getByLabel('Markdown', { exact: true })
    await source.fill('# Nights\n\nThe night shift is called.')
    await desk.button('Add this template').click()
    await expect.poll(() => source.inputValue()).toContain(session.project.name)
    await desk.button('Create document').click()
    const shown = desk.record('Operations')
    await shown.getByText('Text', { exact: true }).click()
    await shown.getByText('The night shift is called.').waitFor()
    await desk.button('Render: Operations').click()
    await shown.getByText('As a page: success').waitFor()
    expect((await saved('Save as HTML: Operations.html')).toString()).toContain('night shift')
    expect(await desk.flaws('document')).toEqual([])
    if (!IS_NIGHT) return
    const texts = await pdfTexts(await saved('Save as PDF: Operations.pdf'))
    expect(texts.join(' ')).toContain('The night shift is called.')
  })

  test('files are sent, saved and deleted', async () => {
    const { page } = desk
    await desk.choose('Files')
    const [name, buffer] = ['servers Å.csv', Buffer.from('name\nshop-1\n')]
    const file = { name, mimeType: 'text/csv', buffer }
    await page.getByLabel('Files, up to').setInputFiles([file, { ...file, name: 'b.csv' }])
    // The answer is lost; what was stored is not stored again.
    const lost = async (route: Route): Promise<void> => {
      await route.fetch()
      await route.abort()
    }
    await desk.refused(async () => {
      await page.route(/\/uploads$/, lost, { times: 1 })
      await desk.button('Upload').click()
      await page.getByText('The service cannot be reached').waitFor()
    })
    await desk.button('Upload').click()
    await page.getByText('Uploaded.').waitFor()
    expect(await stored('uploads')).toHaveLength(2)
    expect((await saved(`Save ${name}`)).toString()).toBe('name\nshop-1\n')
    expect(await desk.flaws('files')).toEqual([])
    await desk.button('Delete b.csv').click()
    await desk.button('Delete it and all it has').click()
    await desk.record('b.csv').waitFor({ state: 'detached' })
    expect(await stored('uploads')).toMatchObject([{ original_filename: name }])
    await desk.button('New list').click()
    await page.getByLabel('Name', { exact: true }).fill('Servers')
    await page.getByLabel('Data').fill('shop-1')
    await desk.button('Create list').click()
    await desk.record('Servers').waitFor()
    expect(await stored('inventory')).toMatchObject([{ name: 'Servers', data: 'shop-1' }])
  })

  test('the library and what a version holds are searched', async () => {
    const { page } = desk
    await desk.choose('Search')
    await page.getByRole('searchbox').fill('who restores the backups of the shop?')
    await page.keyboard.press('Enter')
    const found = desk.record('general/backup.md').first()
    await found.getByText('The whole file').click()
    await found.getByText('# Backup').waitFor()
    expect(await desk.flaws('search')).toEqual([])
    await page.getByLabel('Only in what this version holds').check()
    await page.getByRole('searchbox').fill('the night shift is called')
    await desk.button('Search').click()
    await page.getByRole('article').getByText('The night shift is called.').waitFor()
    expect(await found.count()).toBe(0)
  })
}
