// Sections 1.2 to 1.4: artifacts, their rendering and export.
import { expect } from 'vitest'
import { type Json, type Place, ask, created, newSession } from '../ask.ts'
import { pdfPages } from '../documents/pdf-pages.ts'
import { type Cases, NOBODY, answers, needsParent, rendered, settled, wrong } from './case.ts'

const VERSION = `/versions/${NOBODY}`
const DIAGRAM = { name: 'A', artifact_type: 'diagram', engine: 'graphviz' }
const SOURCE = 'digraph { web -> store }'
const NO_ARTIFACT = { status: 404, body: 'Artifact not found' }

/** Of an answer that is a PDF: its name, and all its text. */
async function pdf(stage: Place, path: string): Promise<{ disposition: string; text: string }> {
  const response = await fetch(`${stage.url}/api/v1${path}`)
  expect([response.status, response.headers.get('content-type')]).toEqual([200, 'application/pdf'])
  const { texts } = await pdfPages(new Uint8Array(await response.arrayBuffer()))
  const disposition = response.headers.get('content-disposition') ?? ''
  return { disposition, text: texts.join('\n') }
}

async function output(stage: Place, path: string, artifact: Json, name: string): Promise<string> {
  const target = `${path}/artifacts/${artifact.id}/outputs/${name}`
  const { status, text } = await ask(stage, 'GET', target)
  expect([name, status]).toEqual([name, 200])
  return text
}

export const artifacts: Cases = {
  '1.2 GET /versions/{v}/artifacts': async (stage) => {
    const { path } = await newSession(stage)
    for (const [name, sort_order] of [
      ['b', 1],
      ['z', 0],
      ['a', 1],
    ]) {
      await created(stage, `${path}/artifacts`, { ...DIAGRAM, name, sort_order })
    }
    const listed = await answers(stage, ['GET', `${path}/artifacts`], { status: 200 })
    expect(listed.map((one: Json) => one.name)).toEqual(['z', 'a', 'b'])
    await needsParent(stage, 'GET', `${VERSION}/artifacts`, 'Version')
  },
  '1.2 POST /versions/{v}/artifacts': async (stage) => {
    const { path } = await newSession(stage)
    for (const [field, value] of [
      ['name', undefined],
      ['artifact_type', 'picture'],
      ['engine', 'visio'],
      ['detail_level', 'security'],
      ['sort_order', 'first'],
    ] as const) {
      const body = wrong('body', field)
      const sent = { ...DIAGRAM, [field]: value }
      await answers(stage, ['POST', `${path}/artifacts`, sent], { status: 422, body })
    }
    await needsParent(stage, 'POST', `${VERSION}/artifacts`, 'Version', DIAGRAM)
  },
  '1.2 GET /versions/{v}/artifacts/{a}': async (stage) => {
    const [{ path }, other] = [await newSession(stage), await newSession(stage)]
    const artifact = await created(stage, `${path}/artifacts`, DIAGRAM)
    const below = `artifacts/${artifact.id}`
    await answers(stage, ['GET', `${path}/${below}`], { status: 200, body: artifact })
    await answers(stage, ['GET', `${other.path}/${below}`], NO_ARTIFACT)
    await needsParent(stage, 'GET', `${VERSION}/${below}`, 'Version')
  },
  '1.2 PATCH /versions/{v}/artifacts/{a}': async (stage) => {
    const { path } = await newSession(stage)
    const stamp = '# Last updated: 2001-02-03 04:05 UTC'
    const artifact = await created(stage, `${path}/artifacts`, DIAGRAM)
    const place = `${path}/artifacts/${artifact.id}`
    const source_code = `${stamp}\n${SOURCE}`
    const patched = async (change: object): Promise<Json> =>
      settled(stage, place, await answers(stage, ['PATCH', place, change], { status: 200 }))
    const changed = await patched({ source_code })
    expect(changed.source_code).toMatch(/^# Last updated: 20[2-9]\d-\d\d-\d\d \d\d:\d\d [A-Z]+\n/)
    expect([changed.render_status, changed.output_paths.length]).toEqual(['success', 1])
    const broken = await patched({ source_code: 'digraph {' })
    expect([broken.render_status, broken.source_code]).toEqual(['error', 'digraph {'])
    const other = await patched({ engine: 'd2', source_code: 'a -> b' })
    expect([other.engine, other.render_status]).toEqual(['d2', 'success'])
    const body = wrong('body', 'engine')
    await answers(stage, ['PATCH', place, { engine: 'visio' }], { status: 422, body })
    await answers(stage, ['PATCH', `${path}/artifacts/${NOBODY}`, {}], NO_ARTIFACT)
  },
  '1.2 DELETE /versions/{v}/artifacts/{a}': async (stage) => {
    const { path } = await newSession(stage)
    const artifact = await created(stage, `${path}/artifacts`, DIAGRAM)
    const place = `${path}/artifacts/${artifact.id}`
    await answers(stage, ['DELETE', place], { status: 204 })
    await answers(stage, ['DELETE', place], NO_ARTIFACT)
  },
  '1.2 POST /versions/{v}/artifacts/clone': async (stage) => {
    const session = await newSession(stage)
    const { path, project } = session
    const one = await rendered(stage, session, { ...DIAGRAM, source_code: SOURCE })
    const prose = { context: 'C', decision: 'D', consequences: 'E' }
    await created(stage, `${path}/adrs`, { title: 'T', status: 'accepted', ...prose })
    await created(stage, `${path}/questions`, { question_text: 'Q', category: 'dr' })
    await created(stage, `${path}/inventory`, { name: 'N', data: 'D', sort_order: 4 })
    const item = { knowledge_file: 'f.md', item_text: 'I', priority: 'Optional' }
    await created(stage, `${path}/coverage`, item)
    const target = await created(stage, `/projects/${project.id}/versions`, {})
    const sent = { target_version_id: target.id }
    const copies = await answers(stage, ['POST', `${path}/artifacts/clone`, sent], { status: 201 })
    expect(copies).toEqual([
      {
        ...one,
        id: copies[0].id,
        version_id: target.id,
        render_status: 'pending',
        output_paths: [],
        outputs_stale: false,
        created_at: expect.any(String),
        updated_at: expect.any(String),
      },
    ])
    expect(copies[0].id).not.toBe(one.id)
    const counts = await Promise.all(
      ['adrs', 'questions', 'inventory', 'coverage', 'uploads'].map(async (kind) => {
        const { body } = await ask(stage, 'GET', `/versions/${target.id}/${kind}`)
        return [kind, body.length]
      }),
    )
    expect(Object.fromEntries(counts)).toEqual({
      adrs: 1,
      questions: 1,
      inventory: 1,
      coverage: 0,
      uploads: 0,
    })
    for (const [kind, copied] of Object.entries({
      adrs: { adr_number: 1, title: 'T', status: 'accepted', superseded_by: null, ...prose },
      questions: { question_text: 'Q', category: 'dr', status: 'open', answer_text: null },
      inventory: { name: 'N', data: 'D', data_type: 'custom', sort_order: 4 },
    })) {
      const { body } = await ask(stage, 'GET', `/versions/${target.id}/${kind}`)
      expect(body).toEqual([expect.objectContaining(copied)])
    }
    const empty = await newSession(stage)
    await answers(stage, ['POST', `${empty.path}/artifacts/clone`, sent], { status: 201, body: [] })
    await answers(stage, ['POST', `${VERSION}/artifacts/clone`, sent], { status: 404 })
    await answers(stage, ['POST', `${path}/artifacts/clone`, { target_version_id: NOBODY }], {
      status: 404,
    })
  },
  '1.2 POST /versions/{v}/artifacts/{a}/render': async (stage) => {
    const session = await newSession(stage)
    const done = await rendered(stage, session, { ...DIAGRAM, source_code: SOURCE })
    const read = await ask(stage, 'GET', `${session.path}/artifacts/${done.id}`)
    expect(read.body).toEqual(done)
    expect(done.render_status).toBe('success')
    const nothing = `${session.path}/artifacts/${NOBODY}/render`
    await answers(stage, ['POST', nothing], NO_ARTIFACT)
    await needsParent(stage, 'POST', `${VERSION}/artifacts/${done.id}/render`, 'Version')
    const at = await ask(stage, 'POST', `${session.path}/artifacts/${done.id}/render`, {
      headers: { prefer: 'respond-async' },
    })
    expect([at.status, at.body.render_status]).toEqual([202, 'rendering'])
  },
  '1.2 GET /versions/{v}/artifacts/{a}/outputs/{filename}': async (stage) => {
    const session = await newSession(stage)
    const artifact = await rendered(stage, session, { ...DIAGRAM, source_code: SOURCE })
    const outputs = `${session.path}/artifacts/${artifact.id}/outputs`
    for (const name of artifact.output_paths) {
      const { status, headers } = await ask(stage, 'GET', `${outputs}/${name}`)
      expect([status, headers.get('content-type')]).toEqual([200, 'image/svg+xml'])
    }
    const png = await ask(stage, 'GET', `${outputs}/diagram.png`)
    expect([png.status, png.headers.get('content-type')]).toEqual([200, 'image/png'])
    for (const [fields, name, type] of [
      [{ artifact_type: 'document', source_code: '# A' }, 'document.html', /^text\/html/],
      [{ artifact_type: 'pdf_report' }, 'report.pdf', /^application\/pdf$/],
    ] as const) {
      const { id } = await rendered(stage, session, fields)
      const { status, headers } = await ask(
        stage,
        'GET',
        `${session.path}/artifacts/${id}/outputs/${name}`,
      )
      expect([name, status, headers.get('content-type')]).toEqual([
        name,
        200,
        expect.stringMatching(type),
      ])
    }
    await answers(stage, ['GET', `${outputs}/none.svg`], { status: 404 })
    await answers(stage, ['GET', `${outputs}/..%2Fdiagram.svg`], { status: 400 })
  },
  '1.2 GET /versions/{v}/artifacts/{a}/export-pdf': async (stage) => {
    const { path } = await newSession(stage)
    const artifact = await created(stage, `${path}/artifacts`, {
      name: 'Übersicht "1"',
      artifact_type: 'document',
      engine: 'markdown',
      source_code: '# Words',
    })
    const { disposition, text } = await pdf(stage, `${path}/artifacts/${artifact.id}/export-pdf`)
    expect(disposition).toMatch(/^attachment;/)
    expect(disposition).toContain(`''%C3%9Cbersicht%20%221%22.pdf`)
    expect(text).toContain('Words')
    await answers(stage, ['GET', `${path}/artifacts/${NOBODY}/export-pdf`], NO_ARTIFACT)
  },
  '1.3 states': async (stage) => {
    const session = await newSession(stage)
    const artifact = await created(stage, `${session.path}/artifacts`, {
      ...DIAGRAM,
      source_code: 'digraph {',
    })
    expect(artifact.render_status).toBe('pending')
    const render = `${session.path}/artifacts/${artifact.id}/render`
    const failed = await answers(stage, ['POST', render], { status: 202 })
    const again = await answers(stage, ['POST', render], { status: 202 })
    expect([failed.render_status, again.render_status]).toEqual(['error', 'error'])
  },
  '1.3 start, success, error': async (stage) => {
    const session = await newSession(stage)
    const good = await rendered(stage, session, { ...DIAGRAM, source_code: SOURCE })
    const place = `${session.path}/artifacts/${good.id}`
    const bad = await answers(stage, ['PATCH', place, { source_code: 'digraph {' }], {
      status: 200,
    })
    expect(bad).toMatchObject({
      render_status: 'error',
      render_error: expect.stringMatching(/\w/),
      // The last good files stay, and say that they are old.
      output_paths: good.output_paths,
      outputs_stale: true,
    })
    const fixed = await answers(stage, ['PATCH', place, { source_code: SOURCE }], { status: 200 })
    expect(fixed).toMatchObject({ render_status: 'success', render_error: null })
    expect(fixed.outputs_stale).toBe(false)
  },
  '1.3 no source': async (stage) => {
    const session = await newSession(stage)
    for (const source_code of [null, '', ' \n']) {
      const artifact = await created(stage, `${session.path}/artifacts`, {
        ...DIAGRAM,
        source_code,
      })
      await answers(stage, ['POST', `${session.path}/artifacts/${artifact.id}/render`], {
        status: 400,
        body: 'No source code to render',
      })
    }
  },
  '1.3 d2': async (stage) => {
    const session = await newSession(stage)
    const source_code = 'direction: right\nshop: Shop { web -> store }\nuser -> shop.web: buys'
    const done = await rendered(stage, session, { engine: 'd2', source_code })
    expect([done.render_status, done.output_paths]).toEqual(['success', ['diagram.svg']])
    expect(await output(stage, session.path, done, 'diagram.svg')).toContain('Shop')
    const bad = await rendered(stage, session, { engine: 'd2', source_code: 'a -> {' })
    expect([bad.render_status, bad.render_error]).toEqual(['error', expect.stringMatching(/1:\d/)])
  },
  '1.3 diagrams_py': async (stage) => {
    const session = await newSession(stage)
    const source_code = [
      'from diagrams import Diagram',
      'from diagrams.aws.compute import EC2',
      'from diagrams.aws.database import RDS',
      'with Diagram("Web Service", show=False, outformat=["svg", "png"]):',
      '    EC2("web") >> RDS("userdb")',
    ].join('\n')
    const engine = 'diagrams_py'
    const done = await rendered(stage, session, { engine, source_code })
    const files = ['web_service.svg', 'web_service.png']
    expect([done.render_status, done.output_paths]).toEqual(['success', files])
    expect(await output(stage, session.path, done, files[0])).toContain('userdb')
    // It is read, never run.
    const attack = 'import os\nos.system("touch /tmp/run")'
    const shown = source_code.replace('show=False, ', '')
    const elsewhere = source_code.split('\n').slice(2).join('\n')
    for (const source of [attack, shown, elsewhere]) {
      const refused = await rendered(stage, session, { engine, source_code: source })
      expect(refused.render_status).toBe('error')
    }
  },
  '1.3 markdown': async (stage) => {
    const session = await newSession(stage)
    const diagram = await rendered(stage, session, { ...DIAGRAM, source_code: SOURCE })
    const source_code = `# Title
[TOC]
## Part
!!! note
    Mind this.

| a | b |
|---|---|
| 1 | 2 |

- [x] done

~~old~~

\`\`\`js
const a = 1
\`\`\`

![d](artifact:${diagram.id})

![x](artifact:${NOBODY})

<script>alert(1)</script>
`
    const fields = { artifact_type: 'document', engine: 'markdown', source_code }
    const done = await rendered(stage, session, fields)
    expect([done.render_error, done.output_paths]).toEqual([null, ['document.html']])
    const html = await output(stage, session.path, done, 'document.html')
    for (const part of [
      /<h1[^>]*>Title/,
      /href="#[^"]*part"/,
      /Mind this\./,
      /<td[^>]*>2<\/td>/,
      /type="checkbox"/,
      /<del>old<\/del>/,
      /<svg|data:image\/svg/,
      /hljs|<span class/,
    ]) {
      expect(html).toMatch(part)
    }
    expect(html).not.toContain('<script')
  },
  '1.3 weasyprint': async (stage) => {
    const session = await newSession(stage)
    await rendered(stage, session, { ...DIAGRAM, name: 'Overview plan', source_code: SOURCE })
    const fields = { name: 'Report', artifact_type: 'pdf_report', engine: 'weasyprint' }
    const done = await rendered(stage, session, fields)
    expect([done.render_error, done.output_paths]).toEqual([null, ['report.pdf']])
    const { client, project, version, path } = session
    const target = `${path}/artifacts/${done.id}/outputs/report.pdf`
    const response = await fetch(`${stage.url}/api/v1${target}`)
    const { texts } = await pdfPages(new Uint8Array(await response.arrayBuffer()))
    for (const words of [project.name, client.name, `v${version.version_number}`]) {
      expect(texts[0]).toContain(words)
    }
    expect(texts.slice(1).join('\n')).toContain('Overview plan')
    // Nothing to show is no failure.
    const empty = await newSession(stage)
    expect((await rendered(stage, empty, fields)).render_status).toBe('success')
  },
  '1.3 files': async (stage) => {
    const { project } = await newSession(stage)
    const version_number = '../../../../etc'
    const version = await created(stage, `/projects/${project.id}/versions`, { version_number })
    const path = `/versions/${version.id}`
    const session = { ...(await newSession(stage)), path }
    const done = await rendered(stage, session, { ...DIAGRAM, source_code: SOURCE })
    expect(done.output_paths).toEqual(['diagram.svg'])
    expect(await output(stage, path, done, 'diagram.svg')).toContain('<svg')
  },
  '1.4 rendered diagram': async (stage) => {
    const session = await newSession(stage)
    const done = await rendered(stage, session, { ...DIAGRAM, name: 'Net', source_code: SOURCE })
    const { path, client, project, version } = session
    const { text } = await pdf(stage, `${path}/artifacts/${done.id}/export-pdf`)
    for (const words of [
      'Net',
      client.name,
      project.name,
      `v${version.version_number}`,
      'web',
      'store',
    ]) {
      expect(text).toContain(words)
    }
    expect(text).toMatch(/conceptual/i)
  },
  '1.4 document': async (stage) => {
    const { path } = await newSession(stage)
    const fields = { name: 'Doc', artifact_type: 'document', engine: 'markdown' }
    const source_code = '# Heading one\n\nA *word* with `code`.'
    const artifact = await created(stage, `${path}/artifacts`, { ...fields, source_code })
    const { text } = await pdf(stage, `${path}/artifacts/${artifact.id}/export-pdf`)
    expect(text).toContain('Heading one')
    expect(text).toContain('A word with code.')
  },
  '1.4 diagram without rendering': async (stage) => {
    const { path } = await newSession(stage)
    const made = async (source_code: string): Promise<string> => {
      const artifact = await created(stage, `${path}/artifacts`, { ...DIAGRAM, source_code })
      return (await pdf(stage, `${path}/artifacts/${artifact.id}/export-pdf`)).text
    }
    expect(await made(SOURCE)).toContain('store')
    // One that cannot be drawn shows its source.
    expect(await made('digraph { unfinished')).toContain('unfinished')
  },
  '1.4 nothing to show': async (stage) => {
    const { path } = await newSession(stage)
    for (const fields of [DIAGRAM, { name: 'D', artifact_type: 'document' }]) {
      const artifact = await created(stage, `${path}/artifacts`, fields)
      await answers(stage, ['GET', `${path}/artifacts/${artifact.id}/export-pdf`], {
        status: 400,
        body: 'No content to export',
      })
    }
  },
}
