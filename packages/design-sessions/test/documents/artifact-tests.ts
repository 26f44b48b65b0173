import { expect, test } from 'vitest'
import { type Json, type Place, ask, created, newSession, renderedAt } from '../ask.ts'
import { exported } from './exported.ts'
import { pdfPages, pdfTexts } from './pdf-pages.ts'

const REPORT = { name: 'Report', artifact_type: 'pdf_report' }

/** Tests of single artifacts, and of what a report says that facts and dates bring. */
export function artifactTests(service: Place): void {
  test('a diagram is rendered first', async () => {
    const { path, client, project } = await newSession(service)
    const diagram = await created(service, `${path}/artifacts`, {
      name: 'Net – "Plan" / 1',
      artifact_type: 'diagram',
      engine: 'graphviz',
      detail_level: 'logical',
      source_code: 'digraph { "left host" -> "right host" }',
    })
    expect(diagram.render_status).toBe('pending')
    const { status, headers, bytes } = await exported(service, diagram)
    expect(status).toBe(200)
    expect(headers.get('content-type')).toBe('application/pdf')
    const whole = 'Net%20%E2%80%93%20%22Plan%22%20%2F%201.pdf'
    expect(headers.get('content-disposition')).toBe(
      `attachment; filename="Net _ _Plan_ / 1.pdf"; filename*=UTF-8''${whole}`,
    )
    const { texts, rasterImages } = await pdfPages(bytes)
    expect(texts[0]).toContain(
      `Net – "Plan" / 1 ${client.name} / ${project.name} / v0.1.0 - logical`,
    )
    expect(texts[0]).toContain('left host')
    expect(rasterImages).toBe(0)
    const after = await ask(service, 'GET', `${path}/artifacts/${diagram.id}`)
    expect(after.body.render_status).toBe('success')
    expect(Buffer.from((await exported(service, diagram)).bytes).equals(bytes)).toBe(true)
  })

  test('the source replaces a diagram that cannot be rendered', async () => {
    const { path } = await newSession(service)
    const artifact = { name: 'Broken', artifact_type: 'diagram', engine: 'graphviz' }
    const source_code = 'digraph { *** }'
    const broken = await created(service, `${path}/artifacts`, { ...artifact, source_code })
    const { status, bytes } = await exported(service, broken)
    expect(status).toBe(200)
    const texts = await pdfTexts(bytes)
    expect(texts[0]).toContain(source_code)
    expect(texts[0]).toContain('Not rendered: ')
  })

  test('a document is its Markdown, with diagrams of its own version only', async () => {
    const { path } = await newSession(service)
    const other = await newSession(service)
    const diagram = { artifact_type: 'diagram', engine: 'graphviz' }
    const drawn = async (place: string, i: number): Promise<Json> => {
      const name = `Diagram ${i}`
      const source_code = `digraph { "node of ${i}" }`
      const made = await created(service, `${place}/artifacts`, { ...diagram, name, source_code })
      await renderedAt(service, `${place}/artifacts/${made.id}`)
      return made
    }
    // Not at once, which starts a further render process.
    const own = await drawn(path, 0)
    const foreign = await drawn(other.path, 1)
    const document = await created(service, `${path}/artifacts`, {
      name: 'Handbook',
      artifact_type: 'document',
      source_code: `# Part\n\n![Own](artifact:${own.id})\n\n![Foreign](artifact:${foreign.id})`,
    })
    const texts = await pdfTexts((await exported(service, document)).bytes)
    for (const part of ['Part', 'node of 0', '[artifact not rendered: Foreign]']) {
      expect(texts[0]).toContain(part)
    }
    expect(texts[0]).not.toContain('node of 1')
    await renderedAt(service, `${path}/artifacts/${document.id}`)
    const page = await ask(service, 'GET', `${path}/artifacts/${document.id}/outputs/document.html`)
    expect(page.headers.get('content-type')).toBe('text/html; charset=utf-8')
    expect(page.text.match(/<img /g)).toHaveLength(1)
    expect(page.text).toContain('[artifact not rendered: Foreign]')
  })

  test('a report names what facts exclude, and counts what comes later', async () => {
    const { path } = await newSession(service)
    const artifact = { name: 'Report', artifact_type: 'pdf_report' }
    const made = await created(service, `${path}/artifacts`, artifact)
    const section = async (): Promise<string> =>
      (await pdfTexts((await exported(service, made, '?sections=exclusions')).bytes)).join(' ')
    expect(await section()).toContain('Nothing has been written down')
    await ask(service, 'PUT', `${path}/facts`, { json: { software: 'bought', stage: 'first' } })
    const text = await section()
    for (const part of [
      'Excluded by facts',
      'Is software written or changed for it?',
      'All its software is bought as it is.',
      'Which data needs multi-row transactions',
      'Critical items for a later stage',
    ]) {
      expect(text).toContain(part)
    }
    // Of a later stage.
    expect(text).not.toContain('Within how many days must a vulnerability')
  })

  test('a report lists what is put off as risks, the first due date first', async () => {
    const { path } = await newSession(service)
    const item = { knowledge_file: 'f.md', priority: 'Critical', status: 'deferred', reason: 'R' }
    for (const fields of [
      { item_text: 'Third', owner: 'Ann' },
      { item_text: 'Second', owner: 'Ben', due_date: '2027-02-28' },
      { item_text: 'First', due_date: '2027-01-31', priority: 'Optional' },
      { item_text: 'Unowned' },
    ]) {
      await created(service, `${path}/coverage`, { ...item, ...fields })
    }
    const artifact = { name: 'Report', artifact_type: 'pdf_report' }
    const made = await created(service, `${path}/artifacts`, artifact)
    const texts = await pdfTexts((await exported(service, made, '?sections=coverage')).bytes)
    const risks = texts.join(' ').split('Risks that were accepted for now').at(-1)
    expect(risks).toMatch(/First R 2027-01-31 .*Second R Ben 2027-02-28 .*Third R Ann .*2 critical/)
    expect(risks).not.toContain('Unowned')
  })

  test('a report of an empty version is created', async () => {
    const { path } = await newSession(service)
    const { status, bytes } = await exported(
      service,
      await created(service, `${path}/artifacts`, REPORT),
    )
    expect(status).toBe(200)
    expect((await pdfTexts(bytes)).at(-1)).toContain('Nothing has been written down')
  })
}
