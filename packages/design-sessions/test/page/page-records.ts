// Clients, projects and versions are created, changed and deleted on the page, and nothing that was
// typed is lost.
import { expect, test } from 'vitest'
import { type Json, ask } from '../ask.ts'
import type { PageDesk } from './page-desk.ts'

export function recordTests(given: () => PageDesk): void {
  let desk: PageDesk
  let client: Json

  test('a client, a project and a version are created by keys alone', async () => {
    desk = given()
    const { page } = desk
    await page.goto(`${desk.place.url}/#/`)
    await desk.button('New client').press('Enter')
    await page.getByLabel('Name', { exact: true }).waitFor()
    await page.keyboard.type('Harbour Museum')
    await page.keyboard.press('Enter')
    await desk.record('Harbour Museum').locator('summary').first().press('Enter')
    await desk.button('New project').press('Enter')
    await page.getByLabel('Providers').fill('aws\n vmware \n')
    await page.getByLabel('Name', { exact: true }).fill('Image archive')
    await page.keyboard.press('Enter')
    await page.getByRole('link', { name: 'Open Image archive' }).press('Enter')
    await desk.button('New version').press('Enter')
    expect(await desk.flaws('new-version')).toEqual([])
    await desk.button('Create version').press('Enter')
    await page.getByRole('link', { name: 'v0.1.0 (draft)' }).waitFor()
    const { body } = await ask(desk.place, 'GET', '/clients')
    client = body.find(({ name }: Json) => name === 'Harbour Museum')
    const { body: projects } = await ask(desk.place, 'GET', `/clients/${client.id}/projects`)
    expect(projects).toMatchObject([
      { name: 'Image archive', cloud_providers: ['aws', 'vmware'], description: null },
    ])
    expect(await desk.flaws('overview')).toEqual([])
  })

  test('of two who edit a record, other fields are merged, the same is shown twice', async () => {
    const { page, place } = desk
    const { body: projects } = await ask(place, 'GET', `/clients/${client.id}/projects`)
    const list = `/projects/${projects[0].id}/versions`
    const { body: versions } = await ask(place, 'GET', list)
    const path = `${list}/${versions[0].id}`
    await desk.button('Edit').click()
    await page.getByLabel('Label').fill('First workshop')
    await page.getByLabel('Notes').fill('Ours')
    await desk.refused(async () => {
      await ask(place, 'PATCH', path, { json: { description: 'Photographs of ships' } })
      await desk.button('Save').click()
      await page.getByText('Photographs of ships').waitFor()
    })
    expect((await ask(place, 'GET', path)).body).toMatchObject({
      label: 'First workshop',
      notes: 'Ours',
    })

    await desk.button('Edit').click()
    await page.getByLabel('Notes').fill('Mine')
    await ask(place, 'PATCH', path, {
      json: { notes: 'Theirs', label: 'Theirs, too' },
      headers: { 'x-author': 'Bo' },
    })
    await desk.refused(async () => {
      await desk.button('Save').click()
      await page.getByText('Notes, as Bo has saved it:').waitFor()
    })
    expect(await page.getByLabel('Label').inputValue()).toBe('Theirs, too')
    expect((await ask(place, 'GET', path)).body.notes).toBe('Theirs')
    expect(await desk.flaws('conflict')).toEqual([])
    await desk.button('Save').click()
    await desk.record('About this version').getByText('Mine').waitFor()
    expect((await ask(place, 'GET', path)).body.notes).toBe('Mine')
  })

  test('what is typed outlives a reload and a failed save', async () => {
    const { page } = desk
    await desk.button('Edit').click()
    await page.getByLabel('Notes').fill('Typed in the train')
    await desk.open(new URL(page.url()).hash)
    await desk.button('Edit').click()
    expect(await page.getByLabel('Notes').inputValue()).toBe('Typed in the train')
    await desk.refused(async () => {
      await page.route(/\/versions\//, (route) => route.abort(), { times: 1 })
      await desk.button('Save').click()
      await page.getByText('The service cannot be reached; nothing is lost, try again.').waitFor()
    })
    await desk.button('Save').click()
    await desk.record('About this version').getByText('Typed in the train').waitFor()
    await desk.button('Edit').click()
    await page.getByLabel('Notes').fill('Not this')
    await desk.button('Cancel').click()
    await desk.button('Edit').click()
    expect(await page.getByLabel('Notes').inputValue()).toBe('Typed in the train')
    await desk.button('Cancel').click()
  })

  test('what has changed since it was shown is not deleted', async () => {
    const { page, place } = desk
    await page.getByRole('link', { name: 'Design sessions' }).click()
    const shown = desk.record('Harbour Museum')
    await shown.waitFor()
    await ask(place, 'PATCH', `/clients/${client.id}`, { json: { metadata: { a: 1 } } })
    await desk.button('Delete Harbour Museum').click()
    await desk.button('Delete it and all it has').click()
    await shown.getByText('Somebody else has changed it: look at it again.').waitFor()
    await page.reload()
    await desk.button('Delete Harbour Museum').click()
    await desk.button('Delete it and all it has').click()
    await page.getByText('Deleted: Harbour Museum').first().waitFor()
    expect((await ask(place, 'GET', `/clients/${client.id}`)).status).toBe(404)
  })
}
