// Sections 1.3 and 1.4: rendering, and export as PDF.
import { expect } from 'vitest'
import { type Json, NO_ID, type Place, ask, created, newSession, renderedAt } from '../ask.ts'
import { pdfTexts } from '../documents/pdf-pages.ts'
import {
  type Cases,
  DIAGRAM,
  SOURCE,
  answers,
  changedAndRendered,
  missing,
  read,
  rendered,
} from './case.ts'

/** The file name and all text of an answer that is a PDF. */
async function pdf(stage: Place, path: string): Promise<{ disposition: string; text: string }> {
  const response = await fetch(`${stage.url}/api/v1${path}`)
  expect([response.status, response.headers.get('content-type')]).toEqual([200, 'application/pdf'])
  const texts = await pdfTexts(new Uint8Array(await response.arrayBuffer()))
  const disposition = response.headers.get('content-disposition') ?? ''
  return { disposition, text: texts.join('\n') }
}

async function output(stage: Place, path: string, artifact: Json, name: string): Promise<string> {
  const target = `${path}/artifacts/${artifact.id}/outputs/${name}`
  const { status, text } = await ask(stage, 'GET', target)
  expect([name, status]).toEqual([name, 200])
  return text
}

export const rendering: Cases = {
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
    const elsewhere = source_code.split('\n').slice(2).join('\n')
    for (const source of [attack, elsewhere]) {
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
    expect([done.render_status, done.output_paths]).toEqual(['success', ['document.html']])
    expect(done.render_error).toContain(`artifact:${NO_ID} is not shown`)
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
    const texts = await pdfTexts(new Uint8Array(await response.arrayBuffer()))
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
