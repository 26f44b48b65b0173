// Goal: the gate opens if and only if every applicable critical item is covered by what its state
// needs. Method: a small library as a value, the app in process.
import { expect, test } from 'vitest'
import { type Answer, type Json, newSession } from '../ask.ts'
import { type Fault, faultsOf } from '../../src/workflow/evidence.ts'
import { itemsOf, useStage } from './stage.ts'

const stage = useStage()
const { ask, made, step } = stage

/** A question that is answered. */
async function answered(path: string, question_text: string): Promise<Json> {
  const { id } = await made(`${path}/questions`, { question_text })
  const fields = { answer_text: 'So', status: 'answered' }
  return (await ask('PATCH', `${path}/questions/${id}`, fields)).body
}

const decide = (path: string, decision: string): Promise<Json> =>
  made(`${path}/adrs`, { title: 'T', context: 'C', decision, consequences: 'E' })

test('the gate names every uncovered critical item and opens with the last one', async () => {
  const { path } = await newSession(stage.app, { cloud_providers: ['aws'] })
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
  const { path } = await newSession(stage.app, {})
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
  await made(`${path}/coverage`, { ...own, priority: 'Critical' })
  expect(await gate()).toMatchObject({ open: false, blockers: [{ item_text: 'Ours' }] })
  for (const status of ['deferred', 'pending']) await record(own, status)
  expect(await gate()).toMatchObject({ open: true, blockers: [] })
})

test('each of more than five hundred questions and decisions can settle items', async () => {
  const questions = Array.from({ length: 1200 }, (_, i) => ({
    id: String(i),
    question_text: `Is door ${i} of the vault locked?`,
    answer_text: 'By guards',
    status: 'answered' as const,
  }))
  const adrs = questions.map(({ question_text: title }) => ({
    title: `Decided: ${title}`,
    context: 'C',
    drivers: [],
    options: [],
    decision: 'D',
    consequences: 'E',
    status: 'accepted' as const,
  }))
  const item = (i: number, question_id: string | null): Parameters<Fault>[0] => ({
    knowledge_file: 'general/doors.md',
    item_text: `Is door ${i} of the vault locked?`,
    status: 'addressed',
    question_id,
    reason: null,
  })
  const asked = [0, 500, 1199].map((i) => item(i, String(i)))
  const byQuestion = await faultsOf(undefined, { questions, adrs: [] }, asked)
  expect(asked.map(byQuestion)).toEqual([undefined, undefined, undefined])
  const decided = item(1199, null)
  expect((await faultsOf(undefined, { questions: [], adrs }, [decided]))(decided)).toBeUndefined()
  const foreign = item(3, '4')
  const fault = await faultsOf(undefined, { questions, adrs: [] }, [foreign])
  expect(fault(foreign)).toMatch(/^addressed needs/)
})

test('a record counts only with what its state needs', async () => {
  const { path } = await newSession(stage.app, {})
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
  expect((await gate()).blockers[1]).toMatchObject({
    coverage_id: id,
    state: 'pending',
    fault: expect.stringContaining('addressed needs an answered question'),
  })
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
  const { path } = await newSession(stage.app, {})
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

test('a version keeps what it is for; only the last open one follows the project', async () => {
  const { client, project, version, path } = await newSession(stage.app, {
    description: 'D',
    cloud_providers: ['aws'],
  })
  const place = `/clients/${client.id}/projects/${project.id}`
  const below = `/projects/${project.id}/versions`
  const gate = async (of: string): Promise<Json> => (await ask('GET', `${of}/coverage/gate`)).body
  const patch = async (where: string, fields: object): Promise<void> => {
    expect(await ask('PATCH', where, fields)).toMatchObject({ status: 200, body: fields })
  }
  await patch(place, { architecture_pattern: 'microservices', compliance_frameworks: ['gdpr'] })
  const before = await gate(path)
  expect(before.files).toContain('patterns/microservices.md')
  expect(before.files).toContain('compliance/gdpr.md')
  const next = await made(below, {})
  const wider = {
    description: 'D with Ceph',
    cloud_providers: ['aws', 'vmware'],
    architecture_pattern: 'hybrid-cloud',
    compliance_frameworks: [],
  }
  await patch(place, wider)
  expect(await gate(path)).toEqual(before)
  expect((await ask('GET', `${below}/${version.id}`)).body).toMatchObject({
    description: 'D',
    cloud_providers: ['aws'],
    architecture_pattern: 'microservices',
    compliance_frameworks: ['gdpr'],
  })
  const after = await gate(`/versions/${next.id}`)
  expect(after.files).toContain('providers/vmware/licences.md')
  expect(after.files).toContain('providers/ceph/storage.md')
  expect(after.files).not.toContain('compliance/gdpr.md')
  await patch(`${below}/${next.id}`, { status: 'approved' })
  await patch(place, { cloud_providers: ['gcp'] })
  expect(await gate(`/versions/${next.id}`)).toEqual(after)
  // What is missing in an earlier version is noted there.
  await patch(`${below}/${version.id}`, { description: null })
  const { body } = await ask('GET', `${path}/workflow`)
  const [todo] = body.steps.find(({ rule }: Json) => rule === 2).todo
  expect(todo.request).toMatchObject({ method: 'PATCH', path: `/api/v1${below}/${version.id}` })
  expect((await ask('GET', place)).body).toMatchObject({ ...wider, cloud_providers: ['gcp'] })
})
