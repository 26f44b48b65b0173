// Section 1.2: artifacts.
import { expect } from 'vitest'
import { type Json, NO_ID, ask, created, newSession } from '../ask.ts'
import {
  type Cases,
  DIAGRAM,
  SOURCE,
  answers,
  change,
  changedAndRendered,
  missing,
  needsParent,
  read,
  rejects,
  rendered,
} from './case.ts'

const VERSION = `/versions/${NO_ID}`

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
    const program = 'from diagrams import Diagram, Node\nwith Diagram("x"): Node("a")'
    const other = await patched({ engine: 'diagrams_py', source_code: program })
    expect([other.engine, other.render_status]).toEqual(['diagrams_py', 'success'])
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
}
