// Goal: facts exclude items and nothing else; what people record or ask goes before them. Method: a
// small library as a value, the app in process.
import { expect, test } from 'vitest'
import { FACT_NAMES } from '../../src/records/facts.ts'
import { conditionsOf, exclusionBy } from '../../src/indexing/conditions.ts'
import { type Json, NO_ID, ask as send, newSession } from '../ask.ts'
import { itemsOf, useStage } from './stage.ts'

const stage = useStage()
const { ask, made, step } = stage

const [DNS] = itemsOf('failures/dns.md')
const SECURITY = itemsOf('general/security.md')

/** Texts of the items that the gate waits for. */
async function blockers(path: string): Promise<string[]> {
  const { body } = await ask('GET', `${path}/coverage/gate`)
  return body.blockers.map((blocker: Json) => blocker.item_text)
}

test('a fact excludes what does not apply, and puts off what a later stage asks', async () => {
  const { path } = await newSession(stage.app)
  const all = [DNS.text, SECURITY[0].text, SECURITY[1].text]
  expect(await blockers(path)).toEqual(all)
  const facts = { tenants: 'one', stage: 'first' }
  const { status, body } = await ask('PUT', `${path}/facts`, facts)
  expect([status, body.facts, body.critical_to_ask]).toEqual([200, facts, 1])
  expect(body.excluded).toEqual([
    { fact: 'tenants', items: 2, critical_items: 1 },
    { fact: 'stage', items: 2, critical_items: 1 },
  ])
  expect(body.questions.map(({ fact }: Json) => fact)).toEqual(FACT_NAMES)
  expect((await ask('GET', `${path}/facts`)).body).toEqual(body)
  expect(await blockers(path)).toEqual([SECURITY[0].text])
  expect((await step(path, 8)).todo[0].what).toBe('Ask what is missing')
  expect((await ask('GET', `${path}/coverage/excluded`)).body).toMatchObject([
    {
      category: 'failures',
      item_text: DNS.text,
      priority: 'Critical',
      status: 'na',
      fact: 'tenants',
      reason: 'By the fact tenants: each installation has one customer.',
    },
    { knowledge_file: 'failures/dns.md', priority: 'Optional', status: 'deferred', fact: 'stage' },
    {
      item_text: SECURITY[1].text,
      status: 'deferred',
      fact: 'stage',
      reason: 'By the fact stage: the session prepares the first diagrams; asked from `launch` on.',
    },
    { item_text: SECURITY[2].text, priority: 'Recommended', status: 'na', fact: 'tenants' },
  ])
  await ask('PUT', `${path}/facts`, { stage: 'launch' })
  expect(await blockers(path)).toEqual(all)
})

test('what a person records or asks goes before the facts', async () => {
  const { path } = await newSession(stage.app)
  await ask('PUT', `${path}/facts`, { tenants: 'one', stage: 'first' })
  const item = { knowledge_file: 'failures/dns.md', item_text: DNS.text, priority: 'Critical' }
  const { id } = await made(`${path}/coverage`, item)
  expect(await blockers(path)).toEqual([DNS.text, SECURITY[0].text])
  await made(`${path}/questions`, { question_text: SECURITY[1].text.toUpperCase() })
  expect(await blockers(path)).toEqual([DNS.text, SECURITY[0].text, SECURITY[1].text])
  const excluded = await ask('GET', `${path}/coverage/excluded`)
  expect(excluded.body).toMatchObject([
    { knowledge_file: 'failures/dns.md', priority: 'Optional' },
    { item_text: SECURITY[2].text },
  ])
  await ask('PATCH', `${path}/coverage/${id}`, { status: 'deferred', reason: 'R' })
  expect(await blockers(path)).toEqual([SECURITY[0].text, SECURITY[1].text])
})

test('facts are asked for at the start alone, after the hosting model', async () => {
  const { path } = await newSession(stage.app, { cloud_providers: ['vmware'] })
  const first = async (): Promise<Json[]> => (await step(path, 6)).todo
  const [hosting, asked] = await first()
  expect(hosting.what).toBe('Ask for the hosting model first')
  expect(asked.request).toEqual({
    method: 'PUT',
    path: `/api/v1${path}/facts`,
    body: { stage: 'first' },
    needs: FACT_NAMES.filter((name) => name !== 'stage'),
  })
  await made(`${path}/questions`, hosting.request.body)
  expect((await first()).map(({ request }) => request.method)).toContain('PUT')
  await made(`${path}/questions`, { question_text: SECURITY[0].text })
  expect((await first()).map(({ request }) => request.method)).not.toContain('PUT')
})

test('facts that are no answer are refused; a stale ETag changes nothing', async () => {
  const { path, version } = await newSession(stage.app)
  const wrong = await ask('PUT', `${path}/facts`, { tenants: 'many' })
  expect([wrong.status, wrong.body.detail[0].loc]).toEqual([422, ['body', 'tenants']])
  expect((await ask('PUT', `/versions/${NO_ID}/facts`, {})).status).toBe(404)
  const before = (await ask('GET', `${path}/facts`)).headers.get('etag') ?? ''
  const set = async (tag: string, tenants: string): Promise<number> => {
    const headers = { 'if-match': tag }
    return (await send(stage.app, 'PUT', `${path}/facts`, { json: { tenants }, headers })).status
  }
  expect([await set(before, 'one'), await set(before, 'several')]).toEqual([200, 412])
  const shown = await ask('GET', `/projects/${version.project_id}/versions/${version.id}`)
  expect(shown.body.facts).toEqual({ tenants: 'one' })
})

test('after a stage the workflow leads to the next one', async () => {
  const { path } = await newSession(stage.app)
  const last = async (): Promise<Json> => (await step(path, 10)).todo.at(-1).request
  for (const [now, next] of [
    ['first', 'detail'],
    ['detail', 'launch'],
  ]) {
    await ask('PUT', `${path}/facts`, { tenants: 'one', stage: now })
    const { method, body } = await last()
    expect([method, body]).toEqual(['PUT', { tenants: 'one', stage: next }])
  }
  for (const facts of [{ stage: 'launch' }, {}]) {
    await ask('PUT', `${path}/facts`, facts)
    expect((await last()).method).toBe('POST')
  }
})

test('a later version does not load files of which it asks nothing', async () => {
  const { path, project } = await newSession(stage.app)
  await ask('PUT', `${path}/facts`, { tenants: 'one', stage: 'first' })
  const { id } = await made(`/projects/${project.id}/versions`, {})
  await made(`${path}/artifacts/clone`, { target_version_id: id })
  const loads = async (): Promise<string[]> =>
    (await step(`/versions/${id}`, 4)).todo.map(({ request }: Json) => request.path)
  const security = '/api/v1/knowledge/general/security.md'
  // The optional item of the other file is for the stage `detail`.
  expect(await loads()).toEqual([security])
  await ask('PUT', `/versions/${id}/facts`, { tenants: 'several', stage: 'detail' })
  expect(await loads()).toEqual(['/api/v1/knowledge/failures/dns.md', security])
})

test('a clone carries the facts to a version that has none', async () => {
  const { path, project } = await newSession(stage.app)
  const facts = { tenants: 'one' }
  await ask('PUT', `${path}/facts`, facts)
  const versions = `/projects/${project.id}/versions`
  const own = { facts: { tenants: 'several' } }
  for (const [sent, kept] of [
    [{}, { facts }],
    [own, own],
  ]) {
    const { id } = await made(versions, sent)
    await made(`${path}/artifacts/clone`, { target_version_id: id })
    expect((await ask('GET', `${versions}/${id}`)).body).toMatchObject(kept)
  }
})

test('a line of an item goes before that of its file; unknown words begin the text', () => {
  const conditionOf = conditionsOf(`# a comment
general/a.md detail hosting=own/hosted
  first tenants=several Is it
  hosting=own Was it = 3
`)
  const critical = (text: string): unknown => conditionOf('general/a.md', text, 'critical')
  const later = ['detail', 'launch']
  const hosting = ['own', 'hosted']
  const tenants = ['several']
  expect(critical('Is it so?')).toEqual({ stage: ['first', ...later], hosting, tenants })
  expect(critical('Was it = 3 or 4?')).toEqual({ stage: later, hosting: ['own'] })
  expect(critical('Will it be?')).toEqual({ stage: later, hosting })
  expect(conditionOf('general/a.md', 'Is it so?', 'optional')).toEqual({ stage: later, hosting })
  expect(conditionOf('general/b.md', 'Is it so?', 'critical')).toEqual({})
  expect(exclusionBy({ hosting: 'cloud', stage: 'first' }, { hosting, stage: later })?.fact).toBe(
    'hosting',
  )
})
