// Goal: PDF exports are complete: each artifact alone, and a version as a report with the right
// contents. Method: a real service, its PDFs read by an independent library.
import { IS_NIGHT } from '@orrery/testkit/tier'
import { beforeAll, describe, expect, test } from 'vitest'
import { type Json, NO_ID, ask, created, newSession, renderedAt } from '../ask.ts'
import { useService } from '../service.ts'
import { artifactTests } from './artifact-tests.ts'
import { exported } from './exported.ts'
import { type FullVersion, fullVersion } from './full-version.ts'
import { type PdfPages, pdfPages, pdfTexts } from './pdf-pages.ts'

const service = useService()

const REPORT = { name: 'Report', artifact_type: 'pdf_report' }

describe('the report of a full version', () => {
  let full: FullVersion
  let bytes: Uint8Array
  let pages: PdfPages

  beforeAll(async () => {
    full = await fullVersion(service)
    bytes = (await exported(service, full.report)).bytes
    pages = await pdfPages(bytes)
  })

  test('shows every title', () => {
    const { client, project, diagrams, document, adrs, questions } = full
    const text = pages.texts.slice(2).join(' ')
    for (const { render_status: status } of diagrams) expect(status).toBe('success')
    for (const { name } of [...diagrams, document]) expect(text).toContain(name)
    for (const { title } of adrs) expect(text).toContain(title)
    for (const { question_text: question } of questions) expect(text).toContain(question)
    for (const { name } of [client, project]) expect(pages.texts[0]).toContain(name)
    expect(pages.texts[0]).toContain('v0.1.0')
    expect(pages.title).toBe(project.name)
  })

  test('has contents with the right page numbers, without the files of its coverage', () => {
    const { diagrams, document, adrs } = full
    const contents = pages.texts[1]
    const titles = [
      ...diagrams.map(({ name }) => name),
      document.name,
      ...adrs.map(({ title }) => title),
      'Questions and answers',
      'Coverage',
    ]
    const wrong = titles.filter((title) => {
      const at = contents.indexOf(`${title} `)
      const number = Number(/^[ .]+(\d+)/.exec(contents.slice(at + title.length))?.[1])
      return at < 0 || !pages.texts[number - 1]?.includes(title)
    })
    expect(wrong).toEqual([])
    expect(full.files.filter((file) => contents.includes(file))).toEqual([])
  })

  test('numbers its pages, but not the cover', () => {
    const count = pages.texts.length
    const numbered = pages.texts.map((text, i) => text.includes(`${i + 1} / ${count}`))
    expect(numbered).toEqual(pages.texts.map((_, i) => i > 0))
  })

  test('has vector pictures, tags and embedded fonts', () => {
    expect(pages.rasterImages).toBe(0)
    expect(pages.tagged).toBe(true)
    expect([...pages.fonts].filter(([, isEmbedded]) => !isEmbedded)).toEqual([])
    // A document refers to a diagram that the report shows elsewhere.
    expect(pages.texts.filter((text) => text.includes('visits'))).toHaveLength(1)
  })

  test('has paper formats alone, no nearly empty page and no small letters', () => {
    const looks = pages.looks.slice(1)
    expect(looks.filter(({ filled }) => filled < 0.25)).toEqual([])
    expect(Math.min(...looks.map(({ letter }) => letter))).toBeGreaterThan(6)
    expect(looks.filter(({ paper }) => !/^A[34]( across)?$/.test(paper))).toEqual([])
    expect(pages.texts.length).toBeLessThan(40)
  })

  test('has no heading twice', () => {
    const titles = pages.outline.filter(
      (title) => !/^(?:Context|Decision|Consequences)$/.test(title),
    )
    expect(titles.filter((title, i) => titles.indexOf(title) < i)).toEqual([])
    expect(titles.filter((title) => title === 'Handbook')).toHaveLength(1)
  })

  test('shows who decided, when, what drove it, and the arguments for each option', () => {
    const text = pages.texts.join(' ').replaceAll(/\s+/g, ' ')
    for (const part of ['2026-05-31', 'decided by Ann Ox, Bob Elk', 'driven by cost']) {
      expect(text).toContain(part)
    }
    expect(text).toMatch(/Option one: Known\. .{0,9}Good, because it is here .{0,9}Bad, because/)
  })

  test('draws the fences of documents, with a note at one that fails', () => {
    const text = pages.texts.join(' ')
    for (const part of ['fence two', 'fence three', 'fence five']) expect(text).toContain(part)
    expect(text).not.toContain('flowchart LR')
    expect(text.match(/Not drawn: /g)).toHaveLength(1)
  })

  test('has the sections asked for, and all coverage items on demand only', async () => {
    for (const file of full.files) expect(pages.texts.join(' ')).not.toContain(file)
    const some = await exported(service, full.report, '?sections=decisions,%20coverage_items')
    const text = (await pdfTexts(some.bytes)).join(' ')
    for (const part of ['Architecture decisions', ...full.files]) expect(text).toContain(part)
    for (const part of ['Handbook', 'Questions and answers', 'Overview']) {
      expect(text).not.toContain(part)
    }
    const unknown = await exported(service, full.report, '?sections=coverage,prices')
    expect(unknown.status).toBe(422)
    expect(Buffer.from(unknown.bytes).toString()).toContain('is none of overview, diagrams')
    expect((await exported(service, full.document, '?sections=overview')).status).toBe(400)
  })

  test('has equal bytes until a record changes, whatever a later version is for', async () => {
    const { client, project } = full
    await created(service, `/projects/${project.id}/versions`, {})
    await ask(service, 'PATCH', `/clients/${client.id}/projects/${project.id}`, {
      json: { description: 'Another shop', cloud_providers: ['gcp'] },
    })
    expect(Buffer.from((await exported(service, full.report)).bytes).equals(bytes)).toBe(true)
    const json = { title: 'Another title' }
    await ask(service, 'PATCH', `${full.path}/adrs/${full.adrs[0].id}`, { json })
    const { bytes: changed } = await exported(service, full.report)
    expect(Buffer.from(changed).equals(bytes)).toBe(false)
    expect((await pdfTexts(changed))[1]).toContain('ADR-001 Another title')
  })

  test('is also the output of rendering the artifact, with what it lacks', async () => {
    const path = `${full.path}/artifacts/${full.report.id}`
    expect(await renderedAt(service, path)).toMatchObject({
      render_status: 'error',
      render_error: expect.stringMatching(/^A diagram of a document: syntax error/),
      output_paths: ['report.pdf'],
    })
    const { headers } = await ask(service, 'GET', `${path}/outputs/report.pdf`)
    expect(headers.get('content-type')).toBe('application/pdf')
  })

  test('templates are filled from the same records', async () => {
    const filled = async (name: string): Promise<string> => {
      const json = { template_name: name, version_id: full.version.id }
      return (await ask(service, 'POST', '/templates/render', { json })).body.source_code
    }
    for (const name of ['architecture', 'design-document']) {
      const source = await filled(name)
      expect(source).toContain(`# ${full.project.name}: `)
      expect(source).toContain(`](artifact:${full.diagrams[0].id})`)
      expect(source).toContain(full.adrs[1].title)
    }
    const checklist = await filled('coverage-checklist')
    for (const file of full.files) expect(checklist).toContain(`## ${file}`)
    expect(checklist).toContain('- [x] **[Critical]** Is point 0 of the checklist settled')
  })
})

test('a report says each answer and decision once, whatever documents repeat', async () => {
  const { path, version } = await newSession(service)
  const asked = { question_text: 'Who may read?', category: 'security' }
  const { id } = await created(service, `${path}/questions`, asked)
  const answer_text = 'Readers **by role**:\n\n- doctors\n- nurses'
  await ask(service, 'PATCH', `${path}/questions/${id}`, {
    json: { answer_text, status: 'answered' },
  })
  await created(service, `${path}/adrs`, {
    title: 'Keep a copy',
    context: 'Halls burn.\n\n## Drivers of it\n\n* safety first',
    decision: 'Use `two` halls.',
    consequences: 'Twice the price.',
  })
  for (const template_name of ['architecture', 'design-document', 'runbook']) {
    const json = { template_name, version_id: version.id }
    const { body } = await ask(service, 'POST', '/templates/render', { json })
    const made = { name: template_name, artifact_type: 'document', ...body }
    const document = await created(service, `${path}/artifacts`, made)
    // By day of one: what cleans the texts is the same for all templates.
    if (!IS_NIGHT && template_name !== 'design-document') continue
    const alone = (await pdfTexts((await exported(service, document)).bytes)).join(' ')
    for (const part of ['by role', '• doctors', '• nurses']) expect(alone).toContain(part)
    expect(alone).not.toMatch(/\*\*|## |`/)
  }
  const made = await created(service, `${path}/artifacts`, REPORT)
  const whole = (await pdfTexts((await exported(service, made)).bytes)).join(' ')
  for (const part of ['by role', 'Halls burn', 'safety first', 'Twice the price']) {
    expect(whole.split(part)).toHaveLength(2)
  }
  expect(whole).toContain('See Questions and answers: Who may read?')
  const some = await exported(service, made, '?sections=documents')
  const documents = (await pdfTexts(some.bytes)).join(' ')
  expect(documents.split('by role')).toHaveLength(4)
})

test('open items are grouped by reason, those that fit first, and numbers agree', async () => {
  const { path } = await newSession(service)
  const states = [
    ['failures/a.md', 'deferred', 'Left to the detailed design'],
    ['compliance/hipaa.md', 'deferred', 'Left to the detailed design'],
    ['general/b.md', 'deferred', 'Waits for the vendor'],
    ['general/c.md', 'na', 'Not on premises'],
    ['general/d.md', 'pending', null],
  ] as const
  for (let i = 0; i < 60; i++) {
    const [knowledge_file, status, reason] = states[i % states.length]
    const item = { knowledge_file, status, reason, priority: 'Critical' }
    await created(service, `${path}/coverage`, {
      ...item,
      item_text: `Is \`matter ${i}\` settled?`,
    })
  }
  const report = await created(service, `${path}/artifacts`, REPORT)
  const text = (await pdfTexts((await exported(service, report)).bytes)).join(' ')
  expect(text).toContain('Critical checklist items 60 36 deferred, 12 pending, 12 not applicable')
  const open = text.slice(text.lastIndexOf('Open items'))
  expect(open).toContain('Deferred: Left to the detailed design 24 0')
  expect(open).toContain('Deferred: Waits for the vendor 12 0')
  expect(open).toContain('Pending 12 0')
  expect(open.match(/Deferred: Left to the detailed design/g)).toHaveLength(2)
  expect(open.indexOf('compliance')).toBeLessThan(open.indexOf('failures'))
  expect(open).not.toContain('`')
  const shown = open.match(/Is matter \d+ settled/g)?.length ?? 0
  const more = [...open.matchAll(/(\d+) more for this reason/g)].map(([, count]) => Number(count))
  expect(shown + more.reduce((sum, count) => sum + count, 0)).toBe(48)
})

const DOT = { artifact_type: 'diagram', engine: 'graphviz' }

test('a report draws what is pending, as after a clone', async () => {
  const { path, project } = await newSession(service)
  const drawn = { ...DOT, name: 'Drawn', source_code: 'digraph { "node of one" }' }
  const { id } = await created(service, `${path}/artifacts`, drawn)
  await created(service, `${path}/artifacts`, {
    name: 'Handbook',
    artifact_type: 'document',
    source_code: `![Drawn](artifact:${id})`,
  })
  await created(service, `${path}/artifacts`, REPORT)
  const { id: target_version_id } = await created(service, `/projects/${project.id}/versions`, {})
  const cloned = await created(service, `${path}/artifacts/clone`, { target_version_id })
  for (const type of ['document', 'pdf_report']) {
    const clone = cloned.find(({ artifact_type: own }: Json) => own === type)
    const place = `/versions/${target_version_id}/artifacts/${clone.id}`
    const done = { render_status: 'success', render_error: null }
    expect(await renderedAt(service, place)).toMatchObject(done)
    const texts = await pdfTexts((await exported(service, clone)).bytes)
    expect(texts.join(' ')).toContain('node of one')
  }
  const { body } = await ask(service, 'GET', `/versions/${target_version_id}/artifacts`)
  expect(body.map(({ render_status: status }: Json) => status)).toEqual(Array(3).fill('success'))
})

test('a report that lacks a diagram is no success, and says which and why', async () => {
  const { path } = await newSession(service)
  const broken = { ...DOT, name: 'Broken one', source_code: 'digraph { *** }' }
  await created(service, `${path}/artifacts`, broken)
  const empty = { name: 'Empty one', artifact_type: 'diagram' }
  await created(service, `${path}/artifacts`, empty)
  const report = await created(service, `${path}/artifacts`, REPORT)
  const place = `${path}/artifacts/${report.id}`
  const { render_status, render_error, output_paths } = await renderedAt(service, place)
  expect([render_status, output_paths]).toEqual(['error', ['report.pdf']])
  expect(render_error).toMatch(
    /^Broken one is not drawn: syntax error in line 1.*\nEmpty one is not drawn$/,
  )
  const texts = await pdfTexts((await exported(service, report)).bytes)
  expect(texts.join(' ')).toMatch(/The last drawing failed: syntax error in line 1[^[]* \[artifact/)
})

test('a document names the pictures that it does not show', async () => {
  const { path, client } = await newSession(service)
  await ask(service, 'PATCH', `/clients/${client.id}`, { json: { logo_path: 'logo.svg' } })
  const document = await created(service, `${path}/artifacts`, {
    name: 'Handbook',
    artifact_type: 'document',
    source_code: `![a](none.png)\n\n![b](https://a.example/b.png)\n\n![c](artifact:${NO_ID})`,
  })
  expect(await renderedAt(service, `${path}/artifacts/${document.id}`)).toMatchObject({
    render_status: 'success',
    render_error: [
      `artifact:${NO_ID} is not shown: this version has no such artifact`,
      'none.png is not drawn: this version has no such upload',
      'https://a.example/b.png is not fetched: upload the picture and use its name',
    ].join('\n'),
  })
  const report = await created(service, `${path}/artifacts`, REPORT)
  const { render_error: error } = await renderedAt(service, `${path}/artifacts/${report.id}`)
  expect(error).toContain('logo.svg is not drawn')
})

test('open points name critical items, and count those that are open for one reason', async () => {
  const { path, version } = await newSession(service)
  for (let i = 0; i < 9; i++) {
    await created(service, `${path}/coverage`, {
      knowledge_file: 'general/file.md',
      item_text: `Is point ${i} settled?`,
      priority: i === 1 ? 'Optional' : 'Critical',
      status: i === 2 ? 'pending' : 'deferred',
      reason: i > 2 ? 'Left to the *next* version' : null,
    })
  }
  const json = { template_name: 'runbook', version_id: version.id }
  const { body } = await ask(service, 'POST', '/templates/render', { json })
  const points = String(body.source_code).match(/^- \[ \] .*$/gm)
  expect(points).toEqual([
    '- [ ] Is point 0 settled? (Critical, deferred)',
    '- [ ] Is point 2 settled? (Critical, pending)',
    String.raw`- [ ] Checklist items: 6 (Critical, deferred: Left to the \*next\* version)`,
    '- [ ] Recommended and optional checklist items, pending or deferred: 1',
  ])
})

describe('an artifact as PDF', () => {
  artifactTests(service)
})
