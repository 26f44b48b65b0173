// Section 1.11: decisions where the contract's service is silent, and many requests at once.
import { expect } from 'vitest'
import {
  type Answer,
  DECISION,
  ITEM,
  type Json,
  ask,
  created,
  fileForm,
  newName,
  newSession,
  settled,
} from '../ask.ts'
import { type Cases, type Stage, change, read, refuses, rejects, rendered } from './case.ts'

/** A list, page after page. */
async function pages(stage: Stage, first: string): Promise<Json[][]> {
  const found: Json[][] = []
  let next: string | undefined = first
  while (next !== undefined) {
    const { body, headers } = await ask(stage, 'GET', next)
    found.push(body)
    next = /^<\/api\/v1(.*)>; rel="next"$/.exec(headers.get('link') ?? '')?.[1]
  }
  return found
}

const idsOf = (rows: readonly Json[]): string[] => rows.map((one) => one.id)

/** The sorted statuses of many requests at once. */
async function statuses(count: number, one: (i: number) => Promise<Answer>): Promise<number[]> {
  const answers = await Promise.all(Array.from({ length: count }, (_, i) => one(i)))
  return answers.map(({ status }) => status).toSorted((a, b) => a - b)
}

/** One status of the request that won before those of the others. */
function onlyOne(status: number, others: number, count: number): number[] {
  return [status, ...Array.from({ length: count - 1 }, () => others)]
}

export const decisions: Cases = {
  '1.11 pages': async (stage) => {
    const { path } = await newSession(stage)
    const questions: Json[] = []
    for (let i = 0; i < 5; i++) {
      questions.push(await created(stage, `${path}/questions`, { question_text: `${i}` }))
    }
    const ids = idsOf(questions)
    const some = await pages(stage, `${path}/questions?limit=2&status=open&category=`)
    expect(some.map(idsOf)).toEqual([ids.slice(0, 2), ids.slice(2, 4), ids.slice(4)])
    const word = newName('page')
    for (const letter of ['c', 'a', 'd', 'b']) {
      await created(stage, '/clients', { name: `${word} ${letter}` })
    }
    const clients = await pages(stage, '/clients?limit=7')
    expect(Math.max(...clients.map(({ length }) => length))).toBe(7)
    expect(clients.flat()).toEqual(await read(stage, '/clients'))
    for (const [list, query] of [
      [`${path}/questions`, 'limit=0'],
      [`${path}/questions`, 'limit=1001'],
      [`${path}/questions`, 'limit=two'],
      [`${path}/questions`, 'cursor=none'],
      ['/clients', 'limit=0'],
      // A cursor of too few parts.
      ['/clients', 'cursor=WyJhIl0'],
    ]) {
      await rejects(stage, ['GET', `${list}?${query}`], 'query', query.split('=')[0])
    }
  },
  '1.11 state': async (stage) => {
    const { client } = await newSession(stage)
    const path = `/clients/${client.id}`
    const tag = (await ask(stage, 'GET', path)).headers.get('etag') ?? ''
    expect(tag).toMatch(/^"[^"]+"$/)
    const status = async (method: string, match: string, json?: object): Promise<number> =>
      (await ask(stage, method, path, { json, headers: { 'if-match': match } })).status
    expect(await status('PATCH', `"other", ${tag}`, { logo_path: 'l' })).toBe(200)
    expect(await status('PATCH', tag, { logo_path: 'l' })).toBe(412)
    expect(await status('PATCH', tag, {})).toBe(412)
    expect(await status('DELETE', tag)).toBe(412)
    expect(await status('PATCH', '*', { logo_path: 'l' })).toBe(200)
    expect(await status('DELETE', '*')).toBe(204)
  },
  '1.11 render': async (stage) => {
    const session = await newSession(stage)
    const source = { engine: 'graphviz', source_code: 'digraph { a }' }
    const done = await rendered(stage, session, source)
    const path = `${session.path}/artifacts/${done.id}`
    const headers = { prefer: 'respond-async' }
    const at = await ask(stage, 'POST', `${path}/render`, { headers })
    expect([at.status, at.body.render_status]).toEqual([202, 'rendering'])
    expect(at.headers.get('preference-applied')).toBe('respond-async')
    await change(stage, path, { source_code: 'digraph {' })
    const bad = await settled(stage, path)
    expect([bad.output_paths, bad.outputs_stale]).toEqual([done.output_paths, true])
  },
  '1.11 decision lists': async (stage) => {
    const { path } = await newSession(stage)
    const option = { title: 'A', description: 'B', pros: ['P'], neutral: ['N'], cons: ['C'] }
    const lists = {
      date: '2028-02-29',
      decision_makers: ['Ann', 'Bob'],
      drivers: ['One'],
      options: [option],
    }
    const made = await created(stage, `${path}/adrs`, { ...DECISION, ...lists })
    expect(made).toMatchObject(lists)
    const one = `${path}/adrs/${made.id}`
    const changes = {
      date: null,
      decision_makers: [],
      drivers: [' Two '],
      options: [{ title: 'A' }],
    }
    expect(await change(stage, one, changes)).toMatchObject({
      ...changes,
      drivers: ['Two'],
      options: [{ title: 'A', description: null, pros: [], neutral: [], cons: [] }],
    })
    const bad = {
      date: ['', 'May', '2026-02-30', '2026-05-01T00:00:00Z', 7],
      decision_makers: ['Ann', [''], ['A\nB'], null],
      drivers: [[7], [null]],
      options: [[{}], [{ title: ' ' }], [{ title: 'A' }, { title: 'A ' }], null],
    }
    await refuses(stage, ['POST', `${path}/adrs`, DECISION], bad)
    await refuses(stage, ['PATCH', one], bad)
  },
  '1.11 decision numbers at once': async (stage) => {
    const { path, version, project } = await newSession(stage)
    const sources: Json[] = []
    for (let i = 0; i < 5; i++) {
      const source = await created(stage, `/projects/${project.id}/versions`, {})
      await created(stage, `/versions/${source.id}/adrs`, DECISION)
      sources.push(source)
    }
    const old: Json[] = []
    for (let i = 0; i < 5; i++) old.push(await created(stage, `${path}/adrs`, DECISION))
    const decision = { json: DECISION }
    const clone = { json: { target_version_id: version.id } }
    const writes = [
      () => ask(stage, 'POST', `${path}/adrs`, decision),
      () => ask(stage, 'POST', `${path}/adrs/${old.pop().id}/supersede`, decision),
      () => ask(stage, 'POST', `/versions/${sources.pop().id}/artifacts/clone`, clone),
    ]
    const all = await statuses(15, (i) => writes[i % 3]())
    expect(all).toEqual(Array.from({ length: 15 }, () => 201))
    const numbers = (await read(stage, `${path}/adrs`)).map((one: Json) => one.adr_number)
    expect(numbers).toEqual(Array.from({ length: 5 + 5 + 5 + 5 }, (_, i) => i + 1))
    const { id } = await created(stage, `${path}/adrs`, DECISION)
    const successors = await statuses(5, () =>
      ask(stage, 'POST', `${path}/adrs/${id}/supersede`, decision),
    )
    expect(successors).toEqual(onlyOne(201, 409, 5))
  },
  '1.11 names and numbers at once': async (stage) => {
    const { client, project } = await newSession(stage)
    const projects = `/clients/${client.id}/projects`
    const versions = `/projects/${project.id}/versions`
    const name = newName('Race')
    for (const [path, json] of [
      ['/clients', { name }],
      [projects, { name }],
      [versions, { version_number: '7.0.0' }],
    ] as const) {
      const all = await statuses(10, () => ask(stage, 'POST', path, { json }))
      expect([path, all]).toEqual([path, onlyOne(201, 409, 10)])
    }
    const free = await statuses(10, () => ask(stage, 'POST', versions, { json: {} }))
    expect(free).toEqual(Array.from({ length: 10 }, () => 201))
    const made: Json[] = []
    for (let i = 0; i < 5; i++) {
      made.push(await created(stage, projects, { name: newName('Other') }))
    }
    const json = { name: newName('Target') }
    const renamed = await statuses(5, (i) =>
      ask(stage, 'PATCH', `${projects}/${made[i].id}`, { json }),
    )
    expect(renamed).toEqual(onlyOne(200, 409, 5))
  },
  '1.11 changes at once': async (stage) => {
    const { path } = await newSession(stage)
    for (const [kind, fields] of [
      ['inventory', { name: 'N', data: '' }],
      ['artifacts', { name: 'N', artifact_type: 'diagram' }],
      ['questions', { question_text: 'N' }],
    ] as const) {
      const { id } = await created(stage, `${path}/${kind}`, fields)
      const one = `${path}/${kind}/${id}`
      const tag = (await ask(stage, 'GET', one)).headers.get('etag') ?? ''
      const headers = { 'if-match': `"of another", ${tag}` }
      const [field] = Object.keys(fields)
      const all = await statuses(10, (i) =>
        ask(stage, 'PATCH', one, { json: { [field]: `N${i}` }, headers }),
      )
      expect([kind, all]).toEqual([kind, onlyOne(200, 412, 10)])
    }
    // Without a tag, changes of different fields are all made.
    const item = await created(stage, `${path}/inventory`, { name: 'N', data: '' })
    const one = `${path}/inventory/${item.id}`
    const changes = [{ name: 'M' }, { data: 'D' }, { description: 'S' }, { sort_order: 3 }]
    await statuses(4, (i) => ask(stage, 'PATCH', one, { json: changes[i] }))
    expect(await read(stage, one)).toMatchObject(Object.assign({}, ...changes))
  },
  '1.11 writes during a removal': async (stage) => {
    const { client, project, path } = await newSession(stage)
    const writes = [
      () => ask(stage, 'POST', `${path}/adrs`, { json: DECISION }),
      () => ask(stage, 'POST', `${path}/questions`, { json: { question_text: 'Q' } }),
      () => ask(stage, 'POST', `${path}/coverage`, { json: ITEM }),
      () => ask(stage, 'POST', `${path}/uploads`, { raw: fileForm('x', 'x') }),
      () => ask(stage, 'POST', `/projects/${project.id}/versions`, { json: {} }),
      () => ask(stage, 'PATCH', `/clients/${client.id}`, { json: { logo_path: 'l' } }),
    ]
    const all = await statuses(60, (i) =>
      i === 30 ? ask(stage, 'DELETE', `/clients/${client.id}`) : writes[i % writes.length](),
    )
    expect(all).toContain(204)
    expect(all.filter((status) => ![200, 201, 204, 404].includes(status))).toEqual([])
    expect((await ask(stage, 'GET', `${path}/adrs`)).status).toBe(404)
  },
}
