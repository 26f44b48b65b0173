// What keeps the gate closed is asked, answered and settled, or put aside with a reason.
import { IS_NIGHT, byTier } from '@orrery/testkit/tier'
import { expect, test } from 'vitest'
import { type Json, type Session, ask } from '../ask.ts'
import { knowledgeFile } from '../indexing/fixture.ts'
import type { PageDesk } from './page-desk.ts'

/** The critical item of the library that applies. */
const ITEM = 'Who restores the backups of the shop, and how often is that tried?'

const OTHERS = ['networks', 'identities', 'prices', 'regions', 'queues', 'certificates']

/** Files of the library; those of a provider apply to no project here. */
export const LIBRARY: Readonly<Record<string, string>> = {
  'general/backup.md': knowledgeFile('Backup', [ITEM]),
  'conditions.txt': 'general/backup.md detail lasting_data=yes\n',
  ...Object.fromEntries(
    OTHERS.map((name) => [
      `providers/azure/${name}.md`,
      knowledgeFile(name, [`Are the ${name} of Azure chosen?`]),
    ]),
  ),
}

export function coverageTests(
  given: () => { readonly desk: PageDesk; readonly session: Session },
): void {
  let desk: PageDesk
  let path: string

  const stored = async (list: string): Promise<Json[]> =>
    (await ask(desk.place, 'GET', `${path}/${list}`)).body

  test('facts said once leave out what does not apply', async () => {
    desk = given().desk
    path = given().session.path
    const gate = desk.part('Coverage gate')
    const data = gate.getByLabel('Does it keep data that exists nowhere else?')
    await gate.getByText('Facts: 0 of 10 said').waitFor()
    expect(await desk.flaws('facts')).toEqual([])
    const stage = gate.getByLabel('What does the session prepare?')
    const set = async (facts: Json, left: string): Promise<void> => {
      await data.selectOption(facts.lasting_data ?? '')
      await stage.selectOption(facts.stage ?? '')
      await desk.button('Save facts').click()
      await gate.getByText(left).waitFor()
      expect((await ask(desk.place, 'GET', `${path}/facts`)).body.facts).toEqual(facts)
    }
    const sayings = [
      [{ lasting_data: 'no' }, 'What does not apply', 'By the fact lasting_data: '],
      [{ stage: 'first' }, 'What a later stage asks', 'By the fact stage: '],
    ] as const
    for (const [facts, list, reason] of sayings.slice(0, byTier({ gate: 1, night: 2 }))) {
      await set(facts, 'Closed by 1 critical item.')
      await gate.getByText(list).click()
      await gate.getByText(reason).waitFor()
      expect(await desk.flaws('excluded')).toEqual([])
      await set({}, 'Closed by 2 critical items.')
      await gate.getByText(list).click()
      await gate.getByText('Nothing is left out.').waitFor()
    }
  })

  test('an item is asked, answered, and settled by its answer', async () => {
    desk = given().desk
    path = given().session.path
    const { page } = desk
    const gate = desk.part('Coverage gate')
    await gate.getByText('What keeps it closed').click()
    await desk.button(`Ask it: ${ITEM}`).click()
    const question = desk.record(ITEM)
    await page.locator('article:focus', { hasText: ITEM }).waitFor()
    await desk.button(`Answer ${ITEM}`).press('Enter')
    await page.locator('textarea:focus').waitFor()
    await page.keyboard.type('The night shift of the shop, each month.')
    expect(await desk.flaws('answer')).toEqual([])
    await desk.button('Save').click()
    const item = (await stored('coverage')).find(({ item_text: text }) => text === ITEM)
    const put = async (status: string): Promise<void> => {
      await ask(desk.place, 'PATCH', `${path}/coverage/${item.id}`, { json: { status } })
    }
    const settled = desk.button(`Addressed by this answer: ${ITEM}`)
    await settled.waitFor()
    await put('deferred')
    await settled.click()
    await question.getByText('It is deferred already.').waitFor()
    await put('pending')
    await settled.click()
    await question.getByText('Addressed.').waitFor()
    expect(await desk.flaws('suggestions')).toEqual([])
    const asked = (await stored('questions')).find(({ question_text: text }) => text === ITEM)
    const answer_text = 'The night shift of the shop, each month.'
    expect(asked).toMatchObject({ status: 'answered', answer_text })
    const covered = (await stored('coverage')).filter(({ item_text: text }) => text === ITEM)
    expect(covered).toMatchObject([{ status: 'addressed', question_id: asked.id }])
  })

  test.runIf(IS_NIGHT)('an answer that would replace another is shown beside it', async () => {
    const { page, place } = desk
    const asked = (await stored('questions')).find(({ question_text: text }) => text === ITEM)
    await desk.button(`Answer ${ITEM}`).click()
    await page.getByLabel('Answer', { exact: true }).fill('Nobody')
    const json = { answer_text: 'Another team' }
    await ask(place, 'PATCH', `${path}/questions/${asked.id}`, { json })
    await desk.refused(async () => {
      await desk.button('Save').click()
      await page.locator('blockquote', { hasText: 'Another team' }).waitFor()
    })
    await desk.button('Take theirs: Answer').click()
    await desk.button('Save').click()
    await desk.record(ITEM).getByText('Another team').waitFor()
    const { body } = await ask(place, 'GET', `${path}/questions/${asked.id}`)
    expect(body.answer_text).toBe('Another team')
    await page.getByLabel('State', { exact: true }).first().selectOption('Open')
    await desk.record(ITEM).waitFor({ state: 'detached' })
  })

  test('what keeps the gate closed is put aside with a reason', async () => {
    await desk.choose('Coverage')
    const gate = desk.part('Coverage gate')
    await gate.getByText('Closed by 1 critical item.').waitFor()
    await gate.getByText('What keeps it closed').click()
    await gate.getByText('Put it aside').click()
    await gate.getByLabel('State').selectOption('Not applicable')
    await gate.getByLabel('Reason').fill('   ')
    expect(await desk.flaws('gate')).toEqual([])
    await gate.getByRole('button', { name: 'Save', exact: true }).click()
    const own = async (): Promise<Json> =>
      (await stored('coverage')).find(({ knowledge_file: file }) => file === 'own.md')
    expect(await own()).toMatchObject({ status: 'pending' })
    await gate.getByLabel('Reason').fill('It is closed at night')
    await gate.getByRole('button', { name: 'Save', exact: true }).click()
    await gate.getByText('Open: diagrams can be drawn.').waitFor()
    expect(await own()).toMatchObject({ status: 'na', reason: 'It is closed at night' })
  })

  test.runIf(IS_NIGHT)('recorded items are found by their state, and changed', async () => {
    const { page } = desk
    const items = desk.part('Recorded items')
    await items.getByLabel('State').selectOption('Addressed')
    await expect.poll(() => items.getByRole('article').count()).toBe(1)
    await desk.button(`Edit ${ITEM}`).click()
    await page.getByLabel('Reason').fill('Tried in May')
    expect(await desk.flaws('coverage')).toEqual([])
    await desk.button('Save').click()
    await desk.record(ITEM).getByText('Tried in May').waitFor()
  })
}
