// A second version begins with what the first holds, is compared with it, exported and signed off;
// the history has who did what.
import { IS_NIGHT } from '@orrery/testkit/tier'
import { expect, test } from 'vitest'
import { readFile } from 'node:fs/promises'
import { DECISION, type Session, ask, created, newSession } from '../ask.ts'
import type { PageDesk } from './page-desk.ts'

const SOURCE = 'digraph { shop -> store }'

export function finishTests(given: () => PageDesk): void {
  let desk: PageDesk
  let session: Session

  const saved = async (button: string): Promise<Buffer> => {
    const waiting = desk.page.waitForEvent('download')
    await desk.button(button).click()
    return readFile(await (await waiting).path())
  }

  test('a next version begins with what the last one holds', async () => {
    desk = given()
    const { page, place } = desk
    session = await newSession(place)
    await created(place, `${session.path}/adrs`, { ...DECISION, title: 'Use a queue' })
    const diagram = { name: 'Shop', artifact_type: 'diagram', engine: 'graphviz' }
    await created(place, `${session.path}/artifacts`, { ...diagram, source_code: SOURCE })
    await desk.show(session)
    await desk.button('New version').click()
    await desk.button('Create version').click()
    await page.getByRole('link', { name: 'v0.2.0 (draft)' }).waitFor()
    await desk.choose('Compare')
    await page.getByText('Nothing differs.').waitFor()
    const all = await ask(place, 'GET', `/projects/${session.project.id}/versions`)
    expect(all.body).toHaveLength(2)
  })

  // By day version-diff.test.ts notices a difference that is lost.
  test.runIf(IS_NIGHT)('a next version is compared with the one before it', async () => {
    const { page, place } = desk
    const [, next] = (await ask(place, 'GET', `/projects/${session.project.id}/versions`)).body
    const list = `/versions/${next.id}/artifacts`
    const [{ id }] = (await ask(place, 'GET', list)).body
    const source_code = SOURCE.replace('store', 'archive')
    await ask(place, 'PATCH', `${list}/${id}`, { json: { source_code } })
    await created(place, `/versions/${next.id}/adrs`, { ...DECISION, title: 'Keep an archive' })
    await desk.choose('Overview')
    await desk.choose('Compare')
    await page.getByText('Added: 2, Keep an archive').waitFor()
    await page.getByText('Changed:').click()
    await page.getByText('+digraph { shop -> archive }').waitFor()
    expect(await desk.flaws('compare')).toEqual([])
    expect((await saved('Save as Markdown')).toString()).toContain('Keep an archive')
  })

  test('a version is exported, imported and approved under a name', async () => {
    const { page } = desk
    await desk.choose('Report')
    expect((await saved('Save the decisions as Markdown')).toString()).toContain('Use a queue')
    const zip = await saved('Save the whole project as ZIP')
    await desk.part('Sign-off').getByText('Version 0.2.0 is draft.').waitFor()
    await desk.button('Approve it as Ann Å').click()
    await page.getByRole('link', { name: 'v0.2.0 (approved)' }).waitFor()
    await desk.part('Sign-off').getByText('approved by Ann Å').waitFor()
    expect(await desk.flaws('report')).toEqual([])

    await page.getByRole('link', { name: 'Design sessions' }).click()
    const owner = desk.record(session.client.name)
    await owner.getByText('Import a project').click()
    const file = { name: 'shop.zip', mimeType: 'application/zip', buffer: zip }
    await owner.getByLabel('Exported file').setInputFiles(file)
    await owner.getByLabel('New name').fill('Copy of the shop')
    await desk.button('Import').click()
    await page.getByRole('heading', { name: 'Copy of the shop', level: 1 }).waitFor()
  })

  test.runIf(IS_NIGHT)('the history has who did what', async () => {
    const { page } = desk
    await desk.show(session)
    await desk.choose('History')
    await page.getByText('Ann Å changed version: 0.2.0').waitFor()
    await page.getByText('Somebody created decision: Use a queue').waitFor()
    await page.getByText('Fields').first().click()
    expect(await desk.flaws('history')).toEqual([])
    await page.getByLabel('Records').selectOption('Decision')
    await page.getByText('Ann Å changed version: 0.2.0').waitFor({ state: 'detached' })
    expect(await page.locator('.entry').count()).toBe(2)
  })
}
