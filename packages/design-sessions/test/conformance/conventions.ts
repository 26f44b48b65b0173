// Section 1.0: what all requests have in common.
import { byTier } from '@orrery/testkit/tier'
import { expect } from 'vitest'
import {
  DECISION,
  ITEM,
  type Json,
  NO_ID,
  type Session,
  ask,
  created,
  newName,
  newSession,
} from '../ask.ts'
import { type Cases, answers, change, id, read, rejects, stamps } from './case.ts'

/** Lists of each kind of record, with a body to create one. */
function kinds({ client, project, path }: Session): Readonly<Record<string, object>> {
  return {
    '/clients': { name: newName('N') },
    [`/clients/${client.id}/projects`]: { name: newName('N') },
    [`/projects/${project.id}/versions`]: {},
    [`${path}/questions`]: { question_text: 'Q' },
    [`${path}/adrs`]: DECISION,
    [`${path}/coverage`]: ITEM,
    [`${path}/inventory`]: { name: 'N', data: '' },
    [`${path}/artifacts`]: { name: 'N', artifact_type: 'diagram' },
  }
}

const MALFORMED = [
  'x',
  `${NO_ID}0`,
  '%00',
  '..%2f..',
  ...byTier({ gate: [], night: ['1', 'null', NO_ID.replaceAll('-', ''), `{${NO_ID}}`] }),
]

/** All of them, by day one: each kind of record has the next. */
const malformedOf = (kind: number): readonly string[] =>
  byTier({ gate: [MALFORMED[kind % MALFORMED.length]], night: MALFORMED })

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
    const headers = { 'content-type': 'application/json' }
    const post = (raw: string, type = headers): ReturnType<typeof ask> =>
      ask(stage, 'POST', '/clients', { raw, headers: type })
    for (const raw of ['', '{', 'null', '[]', '"text"', '{"name":"a"']) {
      const { status, body } = await post(raw)
      expect([raw, status, body.detail[0].loc]).toEqual([raw, 422, ['body']])
    }
    const deep = `${'{"a":'.repeat(100)}1${'}'.repeat(100)}`
    for (const raw of [
      '{"name":"\\ud800"}',
      `{"name":"deep","metadata":${deep}}`,
      '{"name":"nul","metadata":{"a":[{"b\\u0000":1}]}}',
    ]) {
      const { status, body } = await post(raw)
      expect([raw, status, body.detail[0].loc[0]]).toEqual([raw, 422, 'body'])
    }
    expect((await post('<a/>', { 'content-type': 'text/xml' })).status).toBe(415)
    const large = await post(`{"name":"a","metadata":{"a":"${'x'.repeat(1_100_000)}"}}`)
    expect([large.status, typeof large.body.detail]).toEqual([413, 'string'])
  },
  '1.0 ids': async (stage) => {
    const [session, other] = [await newSession(stage), await newSession(stage)]
    for (const [i, [path, good]] of Object.entries(kinds(session)).entries()) {
      const made = await created(stage, path, good)
      const upperCase = await read(stage, `${path}/${made.id.toUpperCase()}`)
      expect(upperCase.id).toBe(made.id)
      const foreign = path
        .replace(session.client.id, other.client.id)
        .replace(session.project.id, other.project.id)
        .replace(session.version.id, other.version.id)
      const nowhere = path.replace(/[\da-f-]{36}/, NO_ID)
      for (const [method, json] of [['GET'], ['PATCH', {}]] as const) {
        for (const malformed of malformedOf(i)) {
          const request = [method, `${path}/${malformed}`, json] as const
          const { detail } = await answers(stage, request, { status: 422 })
          expect(detail[0].loc[0]).toBe('path')
        }
        await answers(stage, [method, `${path}/${NO_ID}`, json], { status: 404 })
        if (foreign === path) continue
        await answers(stage, [method, `${foreign}/${made.id}`, json], { status: 404 })
        const list = [method === 'PATCH' ? 'POST' : method, nowhere, json && good] as const
        await answers(stage, list, { status: 404 })
      }
      if (foreign === path) continue
      const removed = await ask(stage, 'DELETE', `${foreign}/${made.id}`)
      expect([foreign, [404, 405].includes(removed.status)]).toEqual([foreign, true])
    }
    for (const query of ['status=%00', 'knowledge_file=a%00', 'cursor=%00', 'limit=1e3']) {
      const [field] = query.split('=')
      await rejects(stage, ['GET', `${session.path}/coverage?${query}`], 'query', field)
    }
  },
  '1.0 fields': async (stage) => {
    const sent = { name: newName('N'), id: NO_ID, slug: 's', created_at: null, unknown: {} }
    const client = await created(stage, '/clients', sent)
    expect(client).toMatchObject({ id, slug: expect.stringMatching(/^n-/), ...stamps })
    expect(client.id).not.toBe(NO_ID)
    const changed = await change(stage, `/clients/${client.id}`, { logo_path: 'l', unknown: 1 })
    expect(changed).toEqual({ ...client, logo_path: 'l', updated_at: changed.updated_at })
    expect(changed.updated_at > client.updated_at).toBe(true)
  },
  '1.0 slug': async (stage) => {
    const mark = newName('').trim().replace(' ', '-')
    for (const [name, slug] of [
      ['  Acme__Corp & Söhne!  ', 'acme-corp-sohne'],
      ['ﬁne ② Ünïcode', 'fine-2-unicode'],
      // Two code points that Unicode holds equal to one.
      ['Zu\u0308rich', 'zurich'],
    ]) {
      const client = await created(stage, '/clients', { name: `${name} ${mark}` })
      expect(client.slug).toBe(`${slug}-${mark}`)
      const sent = { name: `${slug} ${mark}`.toUpperCase() }
      await answers(stage, ['POST', '/clients', sent], { status: 409 })
    }
  },
  '1.0 slug without ASCII': async (stage) => {
    const first = await created(stage, '/clients', { name: '株式会社オレリー' })
    const second = await created(stage, '/clients', { name: '別の会社が' })
    expect(first.slug).not.toBe(second.slug)
    // The same name, its last letter written with a combining mark.
    for (const name of ['別の会社が', '別の会社か\u3099']) {
      await answers(stage, ['POST', '/clients', { name }], { status: 409 })
    }
    const slugs = new Set<string>()
    for (const name of ['東京 AG', '大阪 AG', 'Москва', 'か AG', 'が AG']) {
      slugs.add((await created(stage, '/clients', { name })).slug)
    }
    expect(slugs.size).toBe(5)
    await answers(stage, ['POST', '/clients', { name: 'МОСКВА' }], { status: 409 })
  },
  '1.0 texts': async (stage) => {
    // Limits count characters, not UTF-16 code units.
    const name = '😀'.repeat(255)
    expect((await created(stage, '/clients', { name })).name).toBe(name)
    await rejects(stage, ['POST', '/clients', { name: `${name}😀` }], 'body', 'name')
    const { path } = await newSession(stage)
    const question_text =
      "{{7*7}} <script>alert(1)</script> ${x} %00 \\u0000 ../../etc/passwd '; drop table adr"
    const question: Json = await created(stage, `${path}/questions`, { question_text })
    const stored = await read(stage, `${path}/questions/${question.id}`)
    expect(stored.question_text).toBe(question_text)
  },
}
