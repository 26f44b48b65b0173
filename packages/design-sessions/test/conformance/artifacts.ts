// Sections 1.2 to 1.4: artifacts, their rendering and export.
import { expect } from 'vitest'
import {
  DECISION,
  ITEM,
  type Json,
  NO_ID,
  type Place,
  ask,
  created,
  newSession,
  renderedAt,
  settled,
} from '../ask.ts'
import { pdfPages } from '../documents/pdf-pages.ts'
import {
  type Cases,
  answers,
  change,
  missing,
  needsParent,
  read,
  rejects,
  rendered,
} from './case.ts'

const VERSION = `/versions/${NO_ID}`
const DIAGRAM = { name: 'A', artifact_type: 'diagram', engine: 'graphviz' }
const SOURCE = 'digraph { web -> store }'

/** The file name and all text of an answer that is a PDF. */
async function pdf(stage: Place, path: string): Promise<{ disposition: string; text: string }> {
  const response = await fetch(`${stage.url}/api/v1${path}`)
  expect([response.status, response.headers.get('content-type')]).toEqual([200, 'application/pdf'])
  const { texts } = await pdfPages(new Uint8Array(await response.arrayBuffer()))
  const disposition = response.headers.get('content-disposition') ?? ''
  return { disposition, text: texts.join('\n') }
}

/** A change that renders again, after that. */
async function changedAndRendered(stage: Place, path: string, changes: object): Promise<Json> {
  const answer = await change(stage, path, changes)
  const done = await settled(stage, path)
  expect(['rendering', done.render_status]).toContain(answer.render_status)
  return done
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
    for (const [name, sort_order, artifact_type, detail_level] of [
      ['b', 1, 'document', 'logical'],
      ['z', 0, 'diagram', 'logical'],
      ['a', 1, 'diagram', 'detailed'],
    ]) {
      await created(stage, `${path}/artifacts`, { name, sort_order, artifact_type, detail_level })
    }
    const names = async (query = ''): Promise<string[]> =>
      (await read(stage, `${path}/artifacts${query}`)).map((one: Json) => one.name)
    expect(await names()).toEqual(['z', 'a', 'b'])
    expect(await names('?artifact_type=document')).toEqual(['b'])
    expect(await names('?detail_level=logical&engine=d2')).toEqual(['z'])
    expect(await names('?render_status=success')).toEqual([])
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
      const sent = { ...DIAGRAM, [field]: value }
      await rejects(stage, ['POST', `${path}/artifacts`, sent], 'body', field)
    }
    await needsParent(stage, 'POST', `${VERSION}/artifacts`, 'Version', DIAGRAM)
  },
  '1.2 GET /versions/{v}/artifacts/{a}': async (stage) => {
    const [{ path }, other] = [await newSession(stage), await newSession(stage)]
    const artifact = await created(stage, `${path}/artifacts`, DIAGRAM)
    const below = `artifacts/${artifact.id}`
    await answers(stage, ['GET', `${path}/${below}`], { status: 200, body: artifact })
    await missing(stage, ['GET', `${other.path}/${below}`], 'Artifact')
    await needsParent(stage, 'GET', `${VERSION}/${below}`, 'Version')
  },
  '1.2 PATCH /versions/{v}/artifacts/{a}': async (stage) => {
    const { path } = await newSession(stage)
    const artifact = await created(stage, `${path}/artifacts`, DIAGRAM)
    const place = `${path}/artifacts/${artifact.id}`
    const patched = (changes: object): Promise<Json> => changedAndRendered(stage, place, changes)
    // Without outputs nothing is stale.
    const first = await patched({ source_code: 'graph {' })
    expect([first.render_status, first.outputs_stale]).toEqual(['error', false])
    const stamp = '# Last updated: 2001-02-03 04:05 UTC'
    const changed = await patched({ source_code: `${stamp}\n${SOURCE}` })
    expect(changed.source_code).toMatch(/^# Last updated: 20[2-9]\d-\d\d-\d\d \d\d:\d\d UTC\n/)
    expect([changed.render_status, changed.output_paths.length]).toEqual(['success', 1])
    const broken = await patched({ source_code: 'digraph {' })
    expect([broken.render_status, broken.source_code]).toEqual(['error', 'digraph {'])
    // Only another source or engine renders again.
    const renamed = await patched({ name: 'Other' })
    expect([renamed.render_status, renamed.name]).toEqual(['error', 'Other'])
    const other = await patched({ engine: 'd2', source_code: 'a -> b' })
    expect([other.engine, other.render_status]).toEqual(['d2', 'success'])
    await rejects(stage, ['PATCH', place, { engine: 'visio' }], 'body', 'engine')
    await missing(stage, ['PATCH', `${path}/artifacts/${NO_ID}`, {}], 'Artifact')
  },
  '1.2 PATCH stamp': async (stage) => {
    const { path } = await newSession(stage)
    const source_code = '# D\n\nLast updated: 2001-02-03 04:05 CET\n'
    const made = await created(stage, `${path}/artifacts`, {
      name: 'D',
      artifact_type: 'document',
      source_code,
    })
    expect(made.source_code).toBe(source_code)
    const place = `${path}/artifacts/${made.id}`
    const same = await change(stage, place, { source_code, engine: 'markdown', name: 'E' })
    expect(same.source_code).toBe(source_code)
    const changed = await change(stage, place, { source_code: `${source_code}More.` })
    const stamp = /^# D\n\nLast updated: (\d{4}-\d\d-\d\d \d\d:\d\d) UTC\nMore\.$/
    const at = Date.parse(`${stamp.exec(changed.source_code)?.[1]}Z`)
    expect(Math.abs(at - Date.now())).toBeLessThan(120_000)
  },
  '1.2 DELETE /versions/{v}/artifacts/{a}': async (stage) => {
    const { path } = await newSession(stage)
    const artifact = await created(stage, `${path}/artifacts`, DIAGRAM)
    const place = `${path}/artifacts/${artifact.id}`
    await answers(stage, ['DELETE', place], { status: 204 })
    await missing(stage, ['DELETE', place], 'Artifact')
  },
  '1.2 POST /versions/{v}/artifacts/clone': async (stage) => {
    const session = await newSession(stage)
    const { path, project } = session
    const one = await rendered(stage, session, { ...DIAGRAM, source_code: SOURCE })
    const old = await created(stage, `${path}/adrs`, DECISION)
    await answers(stage, ['POST', `${path}/adrs/${old.id}/supersede`, DECISION], { status: 201 })
    await created(stage, `${path}/adrs`, { ...DECISION, status: 'accepted' })
    for (const question_text of ['Q2', 'Q1']) {
      await created(stage, `${path}/questions`, { question_text, category: 'dr' })
    }
    await created(stage, `${path}/inventory`, { name: 'N', data: 'D', sort_order: 4 })
    await created(stage, `${path}/coverage`, ITEM)
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
    const below = `/versions/${target.id}`
    const adrs = await read(stage, `${below}/adrs`)
    for (const [kind, copied] of Object.entries({
      adrs: [
        { ...DECISION, adr_number: 1, status: 'superseded', superseded_by: adrs[1].id },
        { ...DECISION, adr_number: 2, status: 'proposed', superseded_by: null },
        { ...DECISION, adr_number: 3, status: 'accepted', superseded_by: null },
      ],
      questions: [
        { question_text: 'Q2', category: 'dr', status: 'open', answer_text: null },
        { question_text: 'Q1', category: 'dr', status: 'open', answer_text: null },
      ],
      inventory: [{ name: 'N', data: 'D', data_type: 'custom', sort_order: 4 }],
      coverage: [],
      uploads: [],
    })) {
      const wanted = copied.map((fields) => expect.objectContaining(fields))
      expect(await read(stage, `${below}/${kind}`)).toEqual(wanted)
    }
    const empty = await newSession(stage)
    await answers(stage, ['POST', `${empty.path}/artifacts/clone`, sent], { status: 201, body: [] })
    await missing(stage, ['POST', `${VERSION}/artifacts/clone`, sent], 'Version')
    await answers(stage, ['POST', `${path}/artifacts/clone`, { target_version_id: NO_ID }], {
      status: 404,
    })
  },
  '1.2 POST /versions/{v}/artifacts/{a}/render': async (stage) => {
    const session = await newSession(stage)
    const done = await rendered(stage, session, { ...DIAGRAM, source_code: SOURCE })
    const read = await ask(stage, 'GET', `${session.path}/artifacts/${done.id}`)
    expect(read.body).toEqual(done)
    expect(done.render_status).toBe('success')
    const nothing = `${session.path}/artifacts/${NO_ID}/render`
    await missing(stage, ['POST', nothing], 'Artifact')
    await answers(stage, ['POST', `${session.path}/artifacts/none/render`], { status: 422 })
    const other = await newSession(stage)
    const foreign = `${other.path}/artifacts/${done.id}`
    await missing(stage, ['POST', `${foreign}/render`], 'Artifact')
    await answers(stage, ['GET', `${foreign}/outputs/diagram.svg`], { status: 404 })
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
    expect(artifact.output_paths).toEqual(['diagram.svg'])
    const svg = await ask(stage, 'GET', `${outputs}/diagram.svg`)
    expect(svg.text).toMatch(/^<svg .*store/s)
    expect(Object.fromEntries(svg.headers)).toMatchObject({
      'content-type': 'image/svg+xml',
      'content-disposition': 'inline; filename="diagram.svg"',
      'content-security-policy':
        "sandbox; default-src 'none'; style-src 'unsafe-inline'; img-src data:; font-src data:",
      'x-content-type-options': 'nosniff',
    })
    const png = await fetch(`${stage.url}/api/v1${outputs}/diagram.png`)
    expect([png.status, png.headers.get('content-type')]).toEqual([200, 'image/png'])
    expect(Buffer.from(await png.arrayBuffer()).toString('latin1')).toMatch(/^.PNG/)
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
    const bare = await created(stage, `${session.path}/artifacts`, DIAGRAM)
    const none = `${session.path}/artifacts/${bare.id}/outputs`
    for (const [target, status] of [
      [`${outputs}/none.svg`, 404],
      [`${outputs}/..%2Fdiagram.svg`, 400],
      [`${outputs}/a..b`, 400],
      [`${outputs}/..%2f..%2fetc%2fpasswd`, 400],
      [`${outputs}/..%5c..%5csecret`, 400],
      [`${outputs}/%252e%252e%252fsecret`, 400],
      [`${outputs}/a/b.svg`, 400],
      [`${outputs}/diagram.svg%00.png`, 400],
      [`${outputs}/x'; drop table artifact; --`, 404],
      // Not rendered yet.
      [`${none}/diagram.svg`, 404],
      [`${none}/diagram.png`, 404],
    ] as const) {
      await answers(stage, ['GET', target], { status })
    }
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
    await missing(stage, ['GET', `${path}/artifacts/${NO_ID}/export-pdf`], 'Artifact')
    const other = await newSession(stage)
    const foreign = `${other.path}/artifacts/${artifact.id}/export-pdf`
    await missing(stage, ['GET', foreign], 'Artifact')
    await answers(stage, ['GET', `${path}/artifacts/x/export-pdf`], { status: 422 })
  },
  '1.3 states': async (stage) => {
    const session = await newSession(stage)
    const artifact = await created(stage, `${session.path}/artifacts`, {
      ...DIAGRAM,
      source_code: 'digraph {',
    })
    expect(artifact.render_status).toBe('pending')
    const place = `${session.path}/artifacts/${artifact.id}`
    const failed = await renderedAt(stage, place)
    const again = await renderedAt(stage, place)
    expect([failed.render_status, again.render_status]).toEqual(['error', 'error'])
  },
  '1.3 start, success, error': async (stage) => {
    const session = await newSession(stage)
    const good = await rendered(stage, session, { ...DIAGRAM, source_code: SOURCE })
    const place = `${session.path}/artifacts/${good.id}`
    const bad = await changedAndRendered(stage, place, { source_code: 'digraph {' })
    expect(bad).toMatchObject({
      render_status: 'error',
      render_error: expect.stringMatching(/syntax error/),
      // The last good files stay, marked as stale.
      output_paths: good.output_paths,
      outputs_stale: true,
    })
    expect(await output(stage, session.path, good, 'diagram.svg')).toContain('>store<')
    const fixed = await changedAndRendered(stage, place, { source_code: 'digraph { after }' })
    expect(fixed).toMatchObject({ render_status: 'success', render_error: null })
    expect(fixed.outputs_stale).toBe(false)
    expect(await output(stage, session.path, good, 'diagram.svg')).toContain('>after<')
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
      const place = `${session.path}/artifacts/${artifact.id}`
      expect((await read(stage, place)).render_status).toBe('pending')
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
    // The program is read, never run.
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

![x](artifact:${NO_ID})

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
    // A report without parts succeeds.
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
    // A source that cannot be drawn is shown as text.
    expect(await made('digraph { unfinished')).toContain('unfinished')
  },
  '1.4 nothing to show': async (stage) => {
    const { path } = await newSession(stage)
    for (const artifact_type of ['diagram', 'document']) {
      for (const source_code of [null, '', ' \n ']) {
        const fields = { name: 'Empty', artifact_type, source_code }
        const artifact = await created(stage, `${path}/artifacts`, fields)
        await answers(stage, ['GET', `${path}/artifacts/${artifact.id}/export-pdf`], {
          status: 400,
          body: 'No content to export',
        })
      }
    }
  },
}
