// Decisions are written with all that MADR 4 has, superseded, and seen as a graph and a timeline.
import type { Route } from 'playwright-core'
import { IS_NIGHT } from '@orrery/testkit/tier'
import { expect, test } from 'vitest'
import { DECISION, type Json, type Session, ask, created, newSession } from '../ask.ts'
import type { PageDesk } from './page-desk.ts'

export function decisionTests(given: () => PageDesk): void {
  let desk: PageDesk
  let session: Session

  const stored = async (): Promise<Json[]> =>
    (await ask(desk.place, 'GET', `${session.path}/adrs`)).body

  test('a decision has the fields of MADR 4', async () => {
    desk = given()
    const { page, place } = desk
    session = await newSession(place)
    await created(place, `${session.path}/adrs`, {
      ...DECISION,
      title: 'Run on VMware',
      status: 'accepted',
      date: '2026-01-20',
      context: 'The museum has its own hall.',
    })
    await desk.show(session)
    await desk.choose('Decisions')
    await desk.button('New decision').click()
    await page.getByLabel('Title').fill('Keep pictures on disk')
    await page.getByLabel('Status').selectOption('Accepted')
    await page.getByLabel('Date of the decision').fill('2026-03-02')
    await page.getByLabel('Decision makers').fill('Ann\nBo')
    await page.getByLabel('Context').fill('ADR-001 gives us disks.')
    await page.getByLabel('Drivers').fill('cost')
    await desk.button('Add an option').click()
    const option = page.getByRole('group', { name: 'An option' })
    await option.getByLabel('Option', { exact: true }).fill('Disks')
    await option.getByLabel('Good, because').fill('cheap\nknown')
    await option.getByLabel('Bad, because').fill('they fail')
    await page.getByLabel('Decision', { exact: true }).fill('Disks, mirrored.')
    expect(await desk.flaws('decision-form')).toEqual([])
    await desk.refused(async () => {
      const lose = async (route: Route): Promise<void> => {
        await route.fetch()
        await route.abort()
      }
      await page.route(/\/adrs$/, lose, { times: 1 })
      await desk.button('Create decision').click()
      await page.getByText('The service cannot be reached; nothing is lost, try again.').waitFor()
    })
    await desk.button('Create decision').click()
    const shown = desk.record('ADR-002 Keep pictures on disk')
    await shown.getByText('accepted, 2026-03-02, Ann, Bo').waitFor()
    const [, decision, ...others] = await stored()
    expect(others).toEqual([])
    expect(decision).toMatchObject({
      date: '2026-03-02',
      decision_makers: ['Ann', 'Bo'],
      drivers: ['cost'],
      options: [
        { title: 'Disks', description: null, pros: ['cheap', 'known'], cons: ['they fail'] },
      ],
      consequences: '',
    })
    await shown.getByText('Text', { exact: true }).click()
    await shown.getByText('Bad: they fail').waitFor()
    expect(await desk.flaws('decision')).toEqual([])
  })

  test('a superseded decision leads to its successor', async () => {
    const { page } = desk
    await desk.button('Supersede ADR-002 Keep pictures on disk').click()
    await page.getByLabel('Title').fill('Keep pictures in an object store')
    await page.getByLabel('Context').fill('Disks are full.')
    await page.getByLabel('Decision', { exact: true }).fill('An object store.')
    await desk.button('Replace ADR-002').click()
    await desk.record('ADR-003 Keep pictures in an object store').waitFor()
    const old = desk.record('ADR-002 Keep pictures on disk')
    expect(await old.getByRole('button', { name: 'Supersede' }).count()).toBe(0)
    await old.getByRole('link', { name: 'ADR-003 Keep pictures in an object store' }).click()
    await page.locator('article:focus', { hasText: 'ADR-003' }).waitFor()
    expect((await stored()).map(({ status }) => status)).toEqual([
      'accepted',
      'superseded',
      'accepted',
    ])
  })

  test.runIf(IS_NIGHT)(
    'the graph joins what supersedes and what is named, the timeline has the days',
    async () => {
      const { page, place } = desk
      await created(place, `${session.path}/adrs`, { ...DECISION, title: 'Cool the hall' })
      await desk.button('Graph').press('Enter')
      const boxes = page.locator('svg.graph a')
      await boxes.first().waitFor()
      expect(await boxes.locator('.strong').allTextContents()).toEqual([
        'ADR-001, accepted ',
        'ADR-002, superseded ',
        'ADR-003, accepted ',
      ])
      expect(await page.locator('svg.graph path.relates').count()).toBe(1)
      expect(await page.locator('svg.graph path.supersedes').count()).toBe(1)
      await page.getByRole('link', { name: 'ADR-004 Cool the hall' }).waitFor()
      expect(await desk.flaws('decision-graph')).toEqual([])
      await desk.button('Timeline').click()
      const entries = page.locator('.timeline li')
      await entries.first().waitFor()
      const days = await entries.allTextContents()
      expect(days[0]).toBe('2026-01-20 ADR-001 Run on VMware accepted')
      expect(days.find((text) => text.includes('ADR-003'))).toContain('supersedes ADR-002')
      expect(await desk.flaws('decision-timeline')).toEqual([])
      await desk.button('Graph').click()
      await boxes.first().focus()
      await page.keyboard.press('Enter')
      await page.locator('article:focus', { hasText: 'ADR-001' }).waitFor()
    },
  )
}
