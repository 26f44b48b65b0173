// Sections 1.0 and 1.11: what all requests have in common, and what is decided where the contract's
// service is silent.
import { expect } from 'vitest'
import { type Json, ask, created, newName, newSession } from '../ask.ts'
import { type Cases, NOBODY, answers, id, rendered, stamps, wrong } from './case.ts'

const PROSE = { title: 'T', context: 'C', decision: 'D', consequences: 'E' }
const DIAGRAM = { name: 'A', artifact_type: 'diagram', engine: 'graphviz' }

export const conventions: Cases = {
  '1.0 errors': async (stage) => {
    await answers(stage, ['GET', '/nowhere'], { status: 404, body: 'Not Found' })
    const wrongMethod = await ask(stage, 'DELETE', '/clients')
    expect([wrongMethod.status, wrongMethod.headers.get('allow')?.split(', ').toSorted()]).toEqual([
      405,
      ['GET', 'HEAD', 'POST'],
    ])
    const { detail } = await answers(stage, ['POST', '/clients', { logo_path: 5 }], { status: 422 })
    expect(detail).toEqual([
      { type: 'missing', loc: ['body', 'name'], msg: 'Field required', input: null },
      { type: 'string', loc: ['body', 'logo_path'], msg: expect.any(String), input: 5 },
    ])
    for (const raw of ['', '{', 'null', '[]', '"text"']) {
      const headers = { 'content-type': 'application/json' }
      const { status, body } = await ask(stage, 'POST', '/clients', { raw, headers })
      expect([raw, status, body.detail[0].loc]).toEqual([raw, 422, ['body']])
    }
  },
  '1.0 ids': async (stage) => {
    const { client } = await newSession(stage)
    await answers(stage, ['GET', `/clients/${client.id.toUpperCase()}`], {
      status: 200,
      body: client,
    })
    for (const malformed of ['1', 'null', `${NOBODY}0`, NOBODY.replaceAll('-', '')]) {
      const body = wrong('path', 'client_id')
      await answers(stage, ['GET', `/clients/${malformed}`], { status: 422, body })
    }
  },
  '1.0 fields': async (stage) => {
    const sent = { name: newName('N'), id: NOBODY, slug: 's', created_at: null, unknown: {} }
    const client = await created(stage, '/clients', sent)
    expect(client).toMatchObject({ id, slug: expect.stringMatching(/^n-/), ...stamps })
    expect(client.id).not.toBe(NOBODY)
    const path = `/clients/${client.id}`
    const changes = { logo_path: 'l', unknown: 1 }
    const changed = await answers(stage, ['PATCH', path, changes], { status: 200 })
    expect(changed).toEqual({ ...client, logo_path: 'l', updated_at: changed.updated_at })
    expect(changed.updated_at > client.updated_at).toBe(true)
  },
  '1.0 slug': async (stage) => {
    const mark = newName('').trim().replace(' ', '-')
    for (const [name, slug] of [
      ['  Acme__Corp & Söhne!  ', 'acme-corp-sohne'],
      ['ﬁne ② Ünïcode', 'fine-2-unicode'],
    ]) {
      const client = await created(stage, '/clients', { name: `${name} ${mark}` })
      expect(client.slug).toBe(`${slug}-${mark}`)
      const sent = { name: `${slug} ${mark}`.toUpperCase() }
      await answers(stage, ['POST', '/clients', sent], { status: 409 })
    }
  },
  '1.11 pages': async (stage) => {
    const { path } = await newSession(stage)
    const ids: string[] = []
    for (let i = 0; i < 5; i++) {
      ids.push((await created(stage, `${path}/questions`, { question_text: `${i}` })).id)
    }
    const seen: string[][] = []
    let next: string | undefined = `${path}/questions?limit=2&status=open&category=`
    while (next !== undefined) {
      const { body, headers } = await ask(stage, 'GET', next)
      seen.push(body.map((one: Json) => one.id))
      next = /^<\/api\/v1(.*)>; rel="next"$/.exec(headers.get('link') ?? '')?.[1]
    }
    expect(seen).toEqual([ids.slice(0, 2), ids.slice(2, 4), ids.slice(4)])
    for (const query of ['limit=0', 'limit=1001', 'limit=two', 'cursor=none']) {
      await answers(stage, ['GET', `${path}/questions?${query}`], {
        status: 422,
        body: wrong('query', query.split('=')[0]),
      })
    }
  },
  '1.11 state': async (stage) => {
    const { client } = await newSession(stage)
    const path = `/clients/${client.id}`
    const tag = (await ask(stage, 'GET', path)).headers.get('etag') ?? ''
    expect(tag).toMatch(/^"[^"]+"$/)
    const patched = async (match: string): Promise<number> => {
      const headers = { 'if-match': match }
      return (await ask(stage, 'PATCH', path, { json: { logo_path: 'l' }, headers })).status
    }
    expect(await patched(`"other", ${tag}`)).toBe(200)
    expect(await patched(tag)).toBe(412)
    expect(await patched('*')).toBe(200)
  },
  '1.11 clone': async (stage) => {
    const { path, project, version } = await newSession(stage)
    const old = await created(stage, `${path}/adrs`, PROSE)
    const supersede = `${path}/adrs/${old.id}/supersede`
    await answers(stage, ['POST', supersede, PROSE], { status: 201 })
    const target = await created(stage, `/projects/${project.id}/versions`, {})
    await created(stage, `/versions/${target.id}/adrs`, PROSE)
    const clone = [path, 'artifacts/clone'].join('/')
    const self = { target_version_id: version.id }
    await answers(stage, ['POST', clone, self], {
      status: 422,
      body: wrong('body', 'target_version_id'),
    })
    await answers(stage, ['POST', clone, { target_version_id: target.id }], { status: 201 })
    const adrs = await answers(stage, ['GET', `/versions/${target.id}/adrs`], { status: 200 })
    // Number 1 was taken there: all get fresh ones, and point to each other as before.
    expect(adrs.map((one: Json) => [one.adr_number, one.superseded_by])).toEqual([
      [1, null],
      [2, adrs[2].id],
      [3, null],
    ])
  },
  '1.11 render': async (stage) => {
    const session = await newSession(stage)
    const done = await rendered(stage, session, { ...DIAGRAM, source_code: 'digraph { a }' })
    const path = `${session.path}/artifacts/${done.id}`
    const headers = { prefer: 'respond-async' }
    const at = await ask(stage, 'POST', `${path}/render`, { headers })
    expect([at.status, at.body.render_status]).toEqual([202, 'rendering'])
    expect(at.headers.get('preference-applied')).toBe('respond-async')
    const bad = await answers(stage, ['PATCH', path, { source_code: 'digraph {' }], { status: 200 })
    expect([bad.output_paths, bad.outputs_stale]).toEqual([done.output_paths, true])
  },
}
