// Goal: a person leads a session in a browser: signs in once, answers questions in place, looks at
// diagrams, saves the report; names are text, and the page is accessible. Method: the page of a
// real service with a token, in Chromium; pictures of it when SCREENSHOTS names a directory.
import { CHROMIUM_RUNS_HERE, sharedBrowser } from '@orrery/testkit/browser'
import { IS_NIGHT, testPatience } from '@orrery/testkit/tier'
import { readFile } from 'node:fs/promises'
import type { Locator, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { DECISION, type Place, type Session, ask, created, newSession, renderedAt } from '../ask.ts'
import { pdfTexts } from '../documents/pdf-pages.ts'
import { writeFiles } from '../indexing/fixture.ts'
import { useOwnService } from '../service.ts'
import { LIBRARY, coverageTests } from './page-coverage.ts'
import { decisionTests } from './page-decisions.ts'
import { diagramTests } from './page-diagrams.ts'
import { PageDesk } from './page-desk.ts'
import { fileTests } from './page-files.ts'
import { finishTests } from './page-finish.ts'
import { recordTests } from './page-records.ts'

const TOKEN = 'a token of this test'.replaceAll(' ', '-')
const HOSTILE = '<img src=x onerror=alert(1)> 東京 & "Co"'

const service = useOwnService({ DESIGN_SESSIONS_TOKEN: TOKEN })
writeFiles(service.library, LIBRARY)

const place: Place = {
  get url() {
    return service.url
  },
  request: (url, init) => {
    const headers = new Headers(init.headers)
    headers.set('authorization', `Bearer ${TOKEN}`)
    return fetch(url, { ...init, headers })
  },
}

/** Keeps the addresses of objects that the page has not freed. */
function countUrls(): void {
  const create = URL.createObjectURL.bind(URL)
  const revoke = URL.revokeObjectURL.bind(URL)
  const open = new Set<string>()
  Object.assign(globalThis, { openUrls: open })
  URL.createObjectURL = (bytes: Blob) => {
    const url = create(bytes)
    open.add(url)
    return url
  }
  URL.revokeObjectURL = (url) => {
    open.delete(url)
    revoke(url)
  }
}

describe.runIf(CHROMIUM_RUNS_HERE)('the page', () => {
  let page: Page
  let desk: PageDesk
  let session: Session

  beforeAll(async () => {
    session = await newSession(place, { name: HOSTILE, description: HOSTILE })
    const { path, client } = session
    await ask(place, 'PATCH', `/clients/${client.id}`, { json: { name: HOSTILE } })
    await created(place, `${path}/questions`, { question_text: `Who runs ${HOSTILE}?` })
    await created(place, `${path}/coverage`, {
      knowledge_file: 'own.md',
      item_text: `Who is called at night? ${HOSTILE}`,
      priority: 'Critical',
    })
    await created(place, `${path}/adrs`, { ...DECISION, title: HOSTILE })
    const diagram = await created(place, `${path}/artifacts`, {
      name: HOSTILE,
      artifact_type: 'diagram',
      engine: 'graphviz',
      source_code: 'digraph { rankdir=LR; "a shop" -> "a queue" -> "a store" }',
    })
    await renderedAt(place, `${path}/artifacts/${diagram.id}`)
    await created(place, `${path}/artifacts`, {
      name: HOSTILE,
      artifact_type: 'document',
      source_code: `# Operations\n\nThe night shift is called. ${HOSTILE}`,
    })
    page = await (await sharedBrowser()).newPage()
    page.setDefaultTimeout(20_000 * testPatience())
    desk = new PageDesk(page, place)
    await page.addInitScript(countUrls)
    await desk.open()
  })

  afterAll(() => page.context().close())

  const part = (name: string): Locator => desk.part(name)

  test('asks for a name and the token once, and refuses another token', async () => {
    await page.getByLabel('Your name').fill('Ann Å')
    const field = page.getByLabel('Token')
    await field.fill('another-token')
    await desk.refused(async () => {
      await field.press('Enter')
      await page.getByText('This token is not accepted.').waitFor()
    })
    expect(await desk.flaws('sign-in')).toEqual([])
    await field.fill(TOKEN)
    await page.getByRole('button', { name: 'Continue' }).click()
    await desk.record(HOSTILE).getByText('Projects').click()
    await page.getByRole('link', { name: HOSTILE }).waitFor()
    await page.getByText('Ann Å').waitFor()
    expect(await page.title()).toBe('Projects - Design sessions')
    expect(await desk.flaws('home')).toEqual([])
  })

  test('shows gate, decisions and diagrams, and names as text', async () => {
    await page.getByRole('link', { name: HOSTILE }).click()
    await part('Overview').getByText(HOSTILE).first().waitFor()
    await desk.choose('Decisions')
    await part('Decisions').getByText(HOSTILE).first().waitFor()
    await desk.choose('Diagrams')
    await part('Diagrams').locator('img').waitFor()
    expect(await page.locator('img[src=x]').count()).toBe(0)
    await desk.choose('Coverage')
    await part('Coverage gate').getByText('Closed by 2 critical items.').waitFor()
  })

  coverageTests(() => ({ desk, session }))

  test('a diagram is enlarged by keys', async () => {
    await desk.choose('Diagrams')
    await part('Diagrams').getByRole('button', { name: 'enlarge' }).focus()
    await page.keyboard.press('Enter')
    const picture = page.locator('dialog[open] img')
    const width = async (): Promise<number> => (await picture.boundingBox())?.width ?? 0
    const fitted = await width()
    await page.keyboard.press('+')
    await expect.poll(width).toBeGreaterThan(fitted * 1.2)
    expect(await desk.flaws('diagram')).toEqual([])
    await page.keyboard.press('Escape')
    await picture.waitFor({ state: 'detached' })
    const open = (): number => (globalThis as unknown as { openUrls: Set<string> }).openUrls.size
    await expect.poll(() => page.evaluate(open)).toBe(0)
  })

  test('a list that fails to load is shown, and can be tried again', async () => {
    await desk.refused(async () => {
      await page.route(/\/api\/v1\/clients\?/, (route) => route.abort(), { times: 1 })
      await page.goto(`${service.url}/#/`)
      await page.getByRole('alert').waitFor()
      await page.getByRole('button', { name: 'Try again' }).click()
      await desk.record(HOSTILE).waitFor()
      expect(await page.getByRole('alert').count()).toBe(0)
    })
    await desk.show(session)
  })

  test.runIf(IS_NIGHT)('so is any other that fails to load', async () => {
    const long = await newSession(place, { name: 'Long' })
    await ask(place, 'PATCH', `/clients/${long.client.id}`, { json: { name: 'Patient' } })
    const titles = Array.from({ length: 101 }, (_, i) => `Decision ${i}`)
    for (const title of titles) await created(place, `${long.path}/adrs`, { ...DECISION, title })
    const { id } = await created(place, `${long.path}/artifacts`, {
      name: 'Plan',
      artifact_type: 'diagram',
      engine: 'graphviz',
      source_code: 'digraph { a -> b }',
    })
    await renderedAt(place, `${long.path}/artifacts/${id}`)
    const failOnce = async (path: RegExp): Promise<void> => {
      await page.route(path, (route) => route.abort(), { times: 1 })
    }
    const again = page.getByRole('button', { name: 'Try again' })

    await desk.refused(async () => {
      await failOnce(/\/api\/v1\/clients\?/)
      await page.goto(`${service.url}/#/`)
      await again.click()
      await failOnce(/\/clients\/[^/]+\/projects/)
      await desk.record('Patient').getByText('Projects').click()
      await again.click()
      await failOnce(/\/projects\/[^/]+\/versions/)
      await page.getByRole('link', { name: 'Long' }).click()
      await again.click()
      await failOnce(/\/coverage\/gate/)
      await desk.choose('Coverage')
      await part('Coverage gate').getByRole('alert').waitFor()
      await again.click()
      await part('Coverage gate').getByText('Closed by').waitFor()
      await failOnce(/\/outputs\//)
      await desk.choose('Diagrams')
      await part('Diagrams').getByRole('alert').waitFor()
      await again.click()
      await part('Diagrams').locator('img').waitFor()
      await desk.choose('Decisions')
      await failOnce(/cursor=/)
      const more = part('Decisions').getByRole('button', { name: 'Show more' })
      await more.click()
      await part('Decisions').getByRole('alert').waitFor()
      await more.click()
      await part('Decisions').getByText('Decision 100').waitFor()
      expect(await more.count()).toBe(0)
      expect(await part('Decisions').getByRole('alert').count()).toBe(0)
    })
    await desk.show(session)
  })

  recordTests(() => desk)
  decisionTests(() => desk)
  diagramTests(() => desk)

  fileTests(() => desk)
  finishTests(() => desk)

  test('the report is saved with the chosen sections', async () => {
    await desk.show(session)
    await desk.choose('Report')
    await page.getByLabel('Questions and answers').uncheck()
    const waiting = page.waitForEvent('download')
    await page.getByRole('button', { name: 'Save the report' }).click()
    const texts = await pdfTexts(await readFile(await (await waiting).path()))
    expect(texts.join(' ')).toContain('a queue')
    expect(texts.join(' ')).not.toContain('The shop team')
    expect(desk.faults).toEqual([])
  })

  test.runIf(IS_NIGHT)('a diagram that the report is without is named', async () => {
    const broken = { name: 'Broken plan', artifact_type: 'diagram', engine: 'graphviz' }
    await created(place, `${session.path}/artifacts`, { ...broken, source_code: 'digraph {' })
    const again = page.waitForEvent('download')
    await page.getByRole('button', { name: 'Save the report' }).click()
    await again
    await page.locator('.bad', { hasText: 'Broken plan' }).waitFor()
    expect(desk.faults).toEqual([])
  })

  test('the API is described without a token', async () => {
    const answer = await page.goto(`${service.url}/docs`)
    expect(answer?.status()).toBe(200)
    await page.getByRole('heading', { name: 'Schemas' }).waitFor()
    expect(service.output()).not.toContain('ExperimentalWarning')
  })
})
