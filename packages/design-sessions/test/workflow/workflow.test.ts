// Goal: the gate opens if and only if every applicable critical item is covered; the files of a
// session follow its project; the workflow leads through all its rules in order. Method: a small
// library as a value, the app in process.
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { IndexStatus, Knowledge } from '../../src/indexing/knowledge.ts'
import type { ChecklistItem, Priority } from '../../src/indexing/knowledge-items.ts'
import { PATTERNS } from '../../src/records/projects.ts'
import { type Answer, type Json, ask as send, created, newSession } from '../ask.ts'
import { type DirectApp, openApp } from '../direct-app.ts'

const LIBRARY: Readonly<Record<string, readonly Priority[]>> = {
  'compliance/gdpr.md': ['critical'],
  'compliance/soc2.md': ['critical'],
  'failures/dns.md': ['critical', 'optional'],
  'frameworks/aws-well-architected.md': ['recommended'],
  'frameworks/gcp-well-architected.md': ['critical'],
  'general/on-prem-facilities.md': ['critical'],
  'general/security.md': ['critical', 'critical', 'recommended'],
  'patterns/hybrid-cloud.md': ['critical'],
  'patterns/microservices.md': ['critical'],
  'providers/aws/networking.md': ['critical'],
  'providers/ceph/storage.md': ['recommended'],
  'providers/hashicorp/vault.md': ['recommended'],
  'providers/prometheus-grafana/alerts.md': ['recommended'],
  'providers/vmware/licences.md': ['critical'],
}

function itemsOf(file: string): ChecklistItem[] {
  return (LIBRARY[file] ?? []).map((priority, i) => ({
    file,
    section: 'Checklist',
    text: `Is **${file}** item ${i} settled?`,
    priority,
  }))
}

let isIndexed = false
let isIndexing = false
/** The version whose uploads were searched for suggestions. */
let suggestedFor: string | undefined

/** The part of the library that the workflow reads. */
const knowledge = {
  files: async () =>
    Object.keys(LIBRARY).map((path) => ({ path, name: path, category: 'of no matter' })),
  checklist: async (files: readonly string[]) => files.flatMap(itemsOf),
  indexed: async () => isIndexed,
  status: async () => ({ reindexing: isIndexing }) as IndexStatus,
  search: async () => [],
  filesAbout: async (text: string) =>
    new Set(text.includes('walls') ? ['general/security.md'] : []),
  suggestions: async (text: string, of?: { readonly versionId: string }) => {
    suggestedFor = of?.versionId
    if (text.includes('broken')) throw new Error('no index')
    return [{ source_file: 'f.md', checklist_item: text, priority: null, score: 0.6 }]
  },
} satisfies Partial<Knowledge>

let app: DirectApp

beforeAll(async () => {
  app = await openApp(knowledge as unknown as Knowledge)
})

afterAll(() => app.close())

const ask = (method: string, path: string, json?: unknown): Promise<Answer> =>
  send(app, method, path, { json })

const made = (path: string, json: unknown): Promise<Json> => created(app, path, json)

/** A question that is answered. */
async function answered(path: string, question_text: string): Promise<Json> {
  const { id } = await made(`${path}/questions`, { question_text })
  const fields = { answer_text: 'So', status: 'answered' }
  return (await ask('PATCH', `${path}/questions/${id}`, fields)).body
}

const decide = (path: string, decision: string): Promise<Json> =>
  made(`${path}/adrs`, { title: 'T', context: 'C', decision, consequences: 'E' })

/** A rule of the workflow in a version. */
async function step(path: string, number: number): Promise<Json> {
  const { body } = await ask('GET', `${path}/workflow`)
  return body.steps.find(({ rule }: Json) => rule === number)
}

test('the files of a session follow its providers, pattern, frameworks and tools', async () => {
  const files = async (project: object): Promise<string[]> => {
    const { project: made } = await newSession(app, project)
    const { body } = await ask('GET', `/projects/${made.id}/knowledge-files`)
    return body.map(({ path }: Json) => path)
  }
  const always = ['failures/dns.md', 'general/security.md']
  expect(await files({})).toEqual(always)
  expect(
    await files({
      cloud_providers: ['Amazon Web Services'],
      architecture_pattern: 'microservices',
      compliance_frameworks: ['GDPR'],
      description: 'Terraform, watched by Grafana',
    }),
  ).toEqual([
    'compliance/gdpr.md',
    'failures/dns.md',
    'frameworks/aws-well-architected.md',
    'general/security.md',
    'patterns/microservices.md',
    'providers/aws/networking.md',
    'providers/hashicorp/vault.md',
    'providers/prometheus-grafana/alerts.md',
  ])
  for (const project of [
    { description: 'GDPR applies' },
    { compliance_frameworks: ['EU GDPR 2016'] },
  ]) {
    expect(await files(project)).toEqual(['compliance/gdpr.md', ...always])
  }
  for (const provider of ['vmware', 'Nutanix', 'openstack']) {
    expect(await files({ cloud_providers: [provider] })).toContain('general/on-prem-facilities.md')
  }
  expect(await files({ compliance_frameworks: [' SOC2'] })).toEqual([
    'compliance/soc2.md',
    ...always,
  ])
  expect(PATTERNS).toHaveLength(12)
})

test('the gate names every uncovered critical item and opens with the last one', async () => {
  const { path } = await newSession(app, { cloud_providers: ['aws'] })
  const gate = async (): Promise<Json> => (await ask('GET', `${path}/coverage/gate`)).body
  const closed = await gate()
  expect(closed.open).toBe(false)
  expect(closed.blockers).toHaveLength(4)
  expect(closed.categories).toEqual([
    { category: 'failures', critical_total: 1, critical_covered: 0, open: false },
    { category: 'general', critical_total: 2, critical_covered: 0, open: false },
    { category: 'providers/aws', critical_total: 1, critical_covered: 0, open: false },
  ])
  const diagram = { name: 'D', artifact_type: 'diagram' }
  const early = await ask('POST', `${path}/artifacts?require_gate=true`, diagram)
  expect([early.status, early.body.detail]).toEqual([
    409,
    'Coverage gate is closed: 4 critical items uncovered',
  ])
  await made(`${path}/artifacts?require_gate=true`, { ...diagram, artifact_type: 'document' })
  await made(`${path}/artifacts`, diagram)

  const [first, ...others] = closed.blockers
  expect((await step(path, 4)).done).toBe(false)
  const record = await made(`${path}/coverage`, first)
  expect((await step(path, 4)).done).toBe(true)
  expect((await gate()).blockers[0]).toMatchObject({ state: 'pending', coverage_id: record.id })
  const { id: question_id } = await answered(path, first.item_text)
  await ask('PATCH', `${path}/coverage/${record.id}`, { status: 'addressed', question_id })
  await decide(path, `So: ${others[2].item_text}`)
  for (const [i, { knowledge_file, item_text }] of others.entries()) {
    // As in the file, in another case, without its marks.
    const text = [item_text, `[Critical] ${item_text.toUpperCase()}`, item_text.replaceAll('*', '')]
    await made(`${path}/coverage`, {
      knowledge_file,
      item_text: text[i],
      priority: 'Critical',
      status: ['na', 'deferred', 'addressed'][i],
      reason: ['Not here', 'Later', null][i],
    })
  }
  const again = { ...first, item_text: first.item_text.toUpperCase(), status: 'pending' }
  await made(`${path}/coverage`, again)
  expect(await gate()).toMatchObject({ open: true, blockers: [] })
  const own = { knowledge_file: 'own.md', item_text: 'Ours', priority: 'Critical' }
  await made(`${path}/coverage`, own)
  expect((await gate()).blockers).toMatchObject([{ knowledge_file: 'own.md', state: 'pending' }])
  await made(`${path}/artifacts`, { name: 'Design', artifact_type: 'pdf_report' })
  expect((await step(path, 10)).todo).toContainEqual(
    expect.objectContaining({ what: 'Render Design' }),
  )
})

test('of two coverage records of one item the settled one counts, in either order', async () => {
  const { path } = await newSession(app, {})
  const gate = async (): Promise<Json> => (await ask('GET', `${path}/coverage/gate`)).body
  const record = ({ knowledge_file, item_text }: Json, status: string): Promise<Json> =>
    made(`${path}/coverage`, {
      knowledge_file,
      item_text,
      priority: 'Critical',
      status,
      reason: 'R',
    })
  const { blockers } = await gate()
  expect(blockers).toHaveLength(3)
  await decide(
    path,
    itemsOf('failures/dns.md')
      .map(({ text }) => text)
      .join(' '),
  )
  await decide(
    path,
    itemsOf('general/security.md')
      .map(({ text }) => text)
      .join(' '),
  )
  for (const [i, statuses] of [
    ['addressed', 'pending'],
    ['pending', 'deferred'],
    ['pending', 'na', 'pending'],
  ].entries()) {
    for (const status of statuses) await record(blockers[i], status)
    expect((await gate()).blockers).toHaveLength(2 - i)
  }
  const [{ file: knowledge_file, text: item_text }] = itemsOf('general/security.md').slice(-1)
  const item = { knowledge_file, item_text }
  expect((await step(path, 8)).todo[0].what).toContain('(Recommended, general/security.md)')
  for (const status of ['pending', 'addressed', 'pending']) await record(item, status)
  expect((await step(path, 8)).todo[0].what).toBe('Ask what is missing')
  // An item that the library does not have blocks only when it is critical.
  const own = { knowledge_file: 'own.md', item_text: 'Ours' }
  await made(`${path}/coverage`, { ...own, priority: 'Recommended' })
  expect(await gate()).toMatchObject({ open: true, blockers: [] })
})

test('a record counts only with what its state needs', async () => {
  const { path } = await newSession(app, {})
  const gate = async (): Promise<Json> => (await ask('GET', `${path}/coverage/gate`)).body
  const [{ text: item_text }] = itemsOf('general/security.md')
  const item = { knowledge_file: 'general/security.md', item_text, priority: 'Critical' }
  const other = await answered(path, 'Which colour has the logo?')
  const open = await made(`${path}/questions`, { question_text: item_text })
  const { id } = await made(`${path}/coverage`, item)
  const counts = async (fields: object): Promise<boolean> => {
    const { status } = await ask('PATCH', `${path}/coverage/${id}`, {
      question_id: null,
      reason: null,
      ...fields,
    })
    expect(status).toBe(200)
    const { blockers } = await gate()
    return !blockers.some((blocker: Json) => blocker.coverage_id === id)
  }
  expect(await counts({ status: 'addressed' })).toBe(false)
  expect(await counts({ status: 'addressed', reason: 'R' })).toBe(false)
  expect(await counts({ status: 'addressed', question_id: other.id })).toBe(false)
  expect(await counts({ status: 'addressed', question_id: open.id })).toBe(false)
  for (const status of ['na', 'deferred']) {
    expect([status, await counts({ status })]).toEqual([status, false])
    expect([status, await counts({ status, reason: ' ' })]).toEqual([status, false])
    expect([status, await counts({ status, reason: 'R' })]).toEqual([status, true])
  }
  // An answer that the library finds the file by.
  const fitting = await answered(path, 'How high are the walls?')
  expect(await counts({ status: 'addressed', question_id: fitting.id })).toBe(true)
  expect(await counts({ status: 'addressed' })).toBe(false)
  const { id: decided } = await decide(path, 'As in general/security.md')
  expect(await counts({ status: 'addressed' })).toBe(true)
  await ask('PATCH', `${path}/adrs/${decided}`, { status: 'deprecated' })
  expect(await counts({ status: 'addressed' })).toBe(false)
})

test('a batch is refused that ties items to an unrelated question, or names no item', async () => {
  const { path } = await newSession(app, {})
  const items = itemsOf('general/security.md').map(({ file, text }) => ({
    knowledge_file: file,
    item_text: text,
    priority: 'Critical',
  }))
  const { id: question_id } = await answered(path, 'Which colour has the logo?')
  const batch = (sent: readonly object[]): Promise<Answer> =>
    ask('POST', `${path}/coverage/batch`, { items: sent })
  const refusal = async (sent: readonly object[]): Promise<unknown> => {
    const { status, body } = await batch(sent)
    expect(status).toBe(422)
    return body.detail.map(({ loc, msg }: Json) => [loc.slice(2).join(' '), msg])
  }
  const needs =
    'addressed needs an answered question, or a decision, that belongs to general/security.md'
  const tied = items.map((item) => ({ ...item, status: 'addressed', question_id }))
  expect(await refusal(tied)).toEqual(tied.map((_, i) => [`${i} status`, needs]))
  expect(await refusal([{ ...items[0], status: 'na' }])).toEqual([
    ['0 status', 'na needs a reason'],
  ])
  expect(await refusal([items[0], { ...items[0], knowledge_file: 'general/none.md' }])).toEqual([
    ['1 knowledge_file', 'is no file of the library'],
  ])
  expect(await refusal([{ ...items[0], item_text: 'Is it?' }])).toEqual([
    ['0 item_text', 'is no item of general/security.md'],
  ])
  const { body: gate } = await ask('GET', `${path}/coverage/gate`)
  expect(gate.blockers).toHaveLength(3)
  const sound = items.map((item) => ({ ...item, status: 'na', reason: 'A static page' }))
  expect((await batch(sound)).status).toBe(201)
})

test('of two questions in the words of an item the first counts', async () => {
  const { path } = await newSession(app, {})
  const [{ text }] = itemsOf('failures/dns.md')
  const first = await made(`${path}/questions`, { question_text: text })
  await made(`${path}/questions`, { question_text: text.toUpperCase() })
  const { todo } = await step(path, 6)
  const bodies = todo.flatMap(({ request }: Json) => request.body.items ?? [])
  expect(bodies).toContainEqual(expect.objectContaining({ question_id: first.id }))
})

test('three patterns at most are offered, and multi-cloud only for several clouds', async () => {
  const description = 'Web shop, microservices, Kafka events, analytics, hybrid, multi-cloud'
  const offered = async (cloud_providers: readonly string[]): Promise<string[]> => {
    const { path } = await newSession(app, { description, cloud_providers })
    const { todo } = await step(path, 3)
    return todo.map(({ request }: Json) => request.body.architecture_pattern)
  }
  const ofOne = await offered(['aws'])
  expect(ofOne).toHaveLength(3)
  expect(ofOne).not.toContain('multi-cloud')
  expect((await offered(['aws', 'gcp']))[0]).toBe('multi-cloud')
})

test('the review asks for the items of frameworks that have no record', async () => {
  const { path } = await newSession(app, { cloud_providers: ['aws'] })
  const [{ file, text }] = itemsOf('frameworks/aws-well-architected.md')
  const reviewed = async (): Promise<boolean> => {
    const { todo } = await step(path, 10)
    return todo.some(({ what }: Json) => what.includes(file))
  }
  expect(await reviewed()).toBe(true)
  const item = { knowledge_file: file, item_text: text, priority: 'Recommended' }
  await made(`${path}/coverage`, { ...item, status: 'deferred', reason: 'R' })
  expect(await reviewed()).toBe(false)
})

test('questions and answers return suggestions, none without an index', async () => {
  const { path } = await newSession(app, {})
  const asked = await made(`${path}/questions`, { question_text: 'Who?' })
  expect(path).toBe(`/versions/${suggestedFor}`)
  expect(asked.suggestions).toEqual([
    { source_file: 'f.md', checklist_item: 'Who?', priority: null, score: 0.6 },
  ])
  const one = `${path}/questions/${asked.id}`
  const answered = (await ask('PATCH', one, { answer_text: 'We' })).body
  expect(answered.suggestions[0].checklist_item).toBe('Who? We')
  const broken = await made(`${path}/questions`, { question_text: 'broken' })
  expect(broken.suggestions).toEqual([])
})

/** Sends the request of a workflow step, with the fields that people must supply. */
async function done({ request }: Json, fields: object = {}): Promise<Json> {
  expect([request.path, Object.keys(fields)]).toEqual([request.path, request.needs ?? []])
  const path = request.path.replace(/^\/api\/v1(?=\/)/, '')
  const { status, body } = await ask(request.method, path, { ...request.body, ...fields })
  expect([request.path, status < 300, body]).toEqual([request.path, true, body])
  return body
}

test('the requests of the workflow lead from rule to rule to the end', async () => {
  const { path } = await newSession(app, {})
  const workflow = async (): Promise<Json> => (await ask('GET', `${path}/workflow`)).body
  const next = async (): Promise<Json> => (await workflow()).next
  isIndexed = false
  expect(await next()).toMatchObject({ rule: 1, request: { path: '/api/v1/knowledge/reindex' } })
  isIndexing = true
  expect((await next()).request.path).toBe(`/api/v1${path}/workflow`)
  isIndexed = true
  const description = 'Two data centers and a hybrid setup with Ceph'
  await done(await next(), { description })
  await done(await next(), { cloud_providers: ['vmware'] })
  const confirm = await next()
  expect(confirm).toMatchObject({ rule: 3, request: { method: 'PATCH' } })
  expect(confirm.request.body).toEqual({ architecture_pattern: 'hybrid-cloud' })
  await done(confirm)
  expect(await next()).toMatchObject({ rule: 4 })
  const body = await workflow()
  const discovery = body.steps.find(({ rule }: Json) => rule === 5).todo[0].request
  expect(discovery.body).toEqual({
    query: `${description} vmware hybrid-cloud`,
    top_k: 20,
    exclude_files: body.files.map((file: Json) => file.path),
  })
  expect(body.steps.map(({ rule }: Json) => rule)).toEqual([1, 2, 3, 11, 4, 5, 6, 7, 8, 9, 10])
  expect(body.steps[3]).toMatchObject({ rule: 11, applicable: false, done: false })

  const hosting = body.steps.find(({ rule }: Json) => rule === 6).todo[0]
  expect(hosting.what).toBe('Ask for the hosting model first')
  expect(body.steps.find(({ rule }: Json) => rule === 6).todo).toHaveLength(5)
  await done(hosting)
  expect((await next()).what).toMatch(/^Record the answer to: Which hosting model/)
  await ask('PATCH', (await next()).request.path.slice(7), { status: 'answered' })
  expect((await next()).what).toMatch(/^Record the answer/)
  await done(await next(), { answer_text: 'own' })
  const items = body.files.flatMap((file: Json) => itemsOf(file.path))
  for (const priority of ['Critical', 'Recommended']) {
    const count = items.filter((item: Json) => item.priority === priority.toLowerCase()).length
    const rule = priority === 'Critical' ? 6 : 8
    for (let i = 0; i < count; i++) {
      expect(await next()).toMatchObject({ rule, what: expect.stringContaining(`(${priority}, `) })
      const { id } = await done(await next())
      await done(await next(), { answer_text: 'so' })
      expect(await done(await next())).toMatchObject([{ priority, question_id: id }])
    }
  }
  const categories = (await ask('GET', `${path}/questions`)).body.map((question: Json) => [
    /\*\*(.+)\*\*/.exec(question.question_text)?.[1],
    question.category,
  ])
  expect(Object.fromEntries(categories)).toMatchObject({
    'failures/dns.md': 'networking',
    'general/security.md': 'security',
    'patterns/hybrid-cloud.md': 'requirements',
    'providers/ceph/storage.md': 'storage',
  })
  const texts = { context: 'C', decision: 'D', consequences: 'E' }
  await made(`${path}/adrs`, { ...texts, title: 'Kept', status: 'accepted' })
  await made(`${path}/adrs`, { ...texts, title: 'Gone', status: 'deprecated' })
  const gaps = (await workflow()).steps.find(({ rule }: Json) => rule === 8).todo
  const queries = gaps.map(({ request }: Json) => request.body?.query).filter(Boolean)
  expect(queries).toEqual(['Kept D', `${description}. Kept`])
  expect((await next()).what).toBe('Ask what is missing')
  await done(await next())
  await done(await next(), { answer_text: 'Nothing' })

  const drawn = async (): Promise<void> => {
    const { id, name } = await done(await next(), { source_code: 'a -> b' })
    expect((await next()).what).toBe(`Render ${name}`)
    const state = (values: object): Promise<unknown> =>
      app.sql`update artifact set ${app.sql({ ...values })} where id = ${id}`
    await state({ render_status: 'error', render_error: '1:2 no' })
    expect((await next()).what).toContain(`Fix the source of ${name}`)
    expect((await next()).what).toContain('1:2 no')
    await state({ render_status: 'rendering' })
    expect((await next()).what).toBe(`Wait until ${name} is rendered`)
    await state({ render_status: 'pending', source_code: ' ' })
    expect((await next()).what).toBe(`Write the source of ${name}`)
    await state({ render_status: 'success', source_code: 'a' })
  }
  const levels = ['conceptual', 'logical', 'detailed', 'security-focused']
  for (const [level, name] of levels.entries()) {
    const { what, rule, request } = await next()
    expect([what, rule, request.body.sort_order]).toEqual([`Draw the ${name} diagram`, 9, level])
    expect(request.path).toMatch(/require_gate=true$/)
    await drawn()
  }
  expect((await next()).rule).toBe(10)
  await done(await next(), { title: 'Tool', ...texts, decision: 'OpenTofu' })
  const documents = ['infrastructure', 'cost', 'architecture', 'design', 'coverage']
  for (const name of documents) {
    expect((await next()).what).toContain(`Write the ${name}`)
    await drawn()
  }
  expect(await next()).toBeNull()
})

test('a later version starts with its change and the coverage of the earlier one', async () => {
  const { project, path } = await newSession(app, {
    description: 'D',
    cloud_providers: ['aws'],
    architecture_pattern: 'microservices',
  })
  const place = `/clients/${project.client_id}/projects/${project.id}`
  const { body: first } = await ask('GET', `${path}/coverage/gate`)
  for (const blocker of first.blockers) {
    await made(`${path}/coverage`, { ...blocker, status: 'addressed', reason: 'R' })
  }
  for (const knowledge_file of first.files) {
    const [{ text: item_text, priority }] = itemsOf(knowledge_file)
    await made(`${path}/coverage`, { knowledge_file, item_text, priority, status: 'na' })
  }
  await made(`${path}/artifacts`, { name: 'D', artifact_type: 'diagram', source_code: 'a' })
  const texts = first.blockers.map((blocker: Json) => blocker.item_text).join(' ')
  const decision = { title: 'Version change', context: 'C', decision: texts, consequences: 'E' }
  await made(`${path}/adrs`, decision)

  const { id } = await made(`/projects/${project.id}/versions`, {})
  const next = async (): Promise<Json> => (await ask('GET', `/versions/${id}/workflow`)).body.next
  expect(await next()).toMatchObject({ rule: 11 })
  await done(await next(), { notes: 'Ceph comes in' })
  await ask('PATCH', place, { description: 'D with Ceph, under GDPR' })
  await done(await next())
  const record = await next()
  const [, diff = ''] = /GET \/api\/v1(\S+)/.exec(record.what) ?? []
  expect(await ask('GET', diff)).toMatchObject({
    status: 200,
    type: expect.stringContaining('text/markdown'),
  })
  // The change record of the earlier version does not count for this one.
  await done(record, { ...decision, title: 'Version change 2' })
  const { body: gate } = await ask('GET', `/versions/${id}/coverage/gate`)
  expect(gate.blockers.map((blocker: Json) => blocker.knowledge_file)).toEqual([
    'compliance/gdpr.md',
  ])
  const { body } = await ask('GET', `/versions/${id}/workflow`)
  const loads = body.steps.find(({ rule }: Json) => rule === 4).todo
  expect(loads.map(({ request }: Json) => request.path)).toEqual([
    '/api/v1/knowledge/compliance/gdpr.md',
    '/api/v1/knowledge/providers/ceph/storage.md',
  ])
  const third = await made(`/projects/${project.id}/versions`, { notes: 'N' })
  const { next: copying } = (await ask('GET', `/versions/${third.id}/workflow`)).body
  expect(copying.request.path).toBe(`/api/v1/versions/${id}/artifacts/clone`)
})
