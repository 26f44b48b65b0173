// Goal: the files of a session follow its project; the workflow leads through all its rules in
// order. Method: a small library as a value, the app in process.
import { expect, test } from 'vitest'
import { FACT_NAMES, choicesOf } from '../../src/records/facts.ts'
import { PATTERNS } from '../../src/records/projects.ts'
import { DECISION, type Json, newSession } from '../ask.ts'
import { itemsOf, useStage } from './stage.ts'

const stage = useStage()
const { ask, made, state, step } = stage

test('the files of a session follow its providers, pattern, frameworks and tools', async () => {
  const files = async (project: object): Promise<string[]> => {
    const { project: made } = await newSession(stage.app, project)
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

test('of two questions in the words of an item the first counts', async () => {
  const { path } = await newSession(stage.app, {})
  const [{ text }] = itemsOf('failures/dns.md')
  const first = await made(`${path}/questions`, { question_text: text })
  await made(`${path}/questions`, { question_text: text.toUpperCase() })
  const { todo } = await step(path, 6)
  const bodies = todo.flatMap(({ request }: Json) => request.body.items ?? [])
  expect(bodies).toContainEqual(expect.objectContaining({ question_id: first.id }))
})

test('three patterns at most are offered, and multi-cloud only for several clouds', async () => {
  const found = ['multi-cloud', 'microservices', 'of-our-own', 'event-driven', 'hybrid-cloud']
  state.found = found.map((name) => `patterns/${name}.md`)
  const offered = async (cloud_providers: readonly string[]): Promise<string[]> => {
    const { path } = await newSession(stage.app, { description: 'A shop', cloud_providers })
    const { todo } = await step(path, 3)
    return todo.map(({ request }: Json) => request.body.architecture_pattern)
  }
  expect(await offered(['aws'])).toEqual(['microservices', 'event-driven', 'hybrid-cloud'])
  const ofTwo = ['multi-cloud', 'microservices', 'event-driven']
  expect(await offered(['Amazon', 'gcp'])).toEqual(ofTwo)
})

test('the review asks for the items of frameworks that have no record', async () => {
  const { path } = await newSession(stage.app, { cloud_providers: ['aws'] })
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
  const { path } = await newSession(stage.app, {})
  const asked = await made(`${path}/questions`, { question_text: 'Who?' })
  expect(path).toBe(`/versions/${state.suggestedFor}`)
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

test('searches of long texts are complete requests, in any script', async () => {
  for (const text of ['A shop. '.repeat(2000), '医院的图像存档。'.repeat(1000)]) {
    const { path } = await newSession(stage.app, { description: text })
    await made(`${path}/adrs`, { ...DECISION, decision: text })
    const { todo } = await step(path, 5)
    const final = (await step(path, 8)).todo.filter(({ what }: Json) => what.startsWith('Search'))
    expect([todo.length, final.length]).toEqual([1, 2])
    for (const search of [...todo, ...final]) {
      await done(search)
      expect(search.request.body.query).not.toContain('\uFFFD')
    }
  }
})

test('the requests of the workflow lead from rule to rule to the end', async () => {
  const { path } = await newSession(stage.app, {})
  const workflow = async (): Promise<Json> => (await ask('GET', `${path}/workflow`)).body
  const next = async (): Promise<Json> => (await workflow()).next
  state.isIndexed = false
  expect(await next()).toMatchObject({ rule: 1, request: { path: '/api/v1/knowledge/reindex' } })
  state.isIndexing = true
  expect((await next()).request.path).toBe(`/api/v1${path}/workflow`)
  state.isIndexed = true
  state.found = ['patterns/hybrid-cloud.md']
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
    version_id: body.version_id,
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
  const facts = FACT_NAMES.map((name) => [name, Object.keys(choicesOf(name)).at(-1)])
  const { stage: last, ...others } = Object.fromEntries(facts)
  await done(await next(), others)
  expect((await ask('GET', `${path}/facts`)).body.facts).toEqual({ ...others, stage: 'first' })
  // The last stage asks all items.
  await ask('PUT', `${path}/facts`, { ...others, stage: last })
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
      stage.app.sql`update artifact set ${stage.app.sql({ ...values })} where id = ${id}`
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
  const { project, path } = await newSession(stage.app, {
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
