// Goal: a project that is exported and imported elsewhere is equal except for its ids. Method: a
// real service, at night a second one on a PostgreSQL server by URL; ids in the exports are
// replaced by their order.
import { type PostgresServer, startPostgresServer } from '@orrery/testkit'
import { IS_NIGHT, byTier } from '@orrery/testkit/tier'
import { afterAll, beforeAll, expect, test } from 'vitest'
import {
  DECISION,
  type Json,
  type Place,
  ask,
  created,
  newName,
  newSession,
  renderedAt,
  uploaded,
} from '../ask.ts'
import { described } from '../described.ts'
import { type ServiceProcess, dataDirectory, startService, useService } from '../service.ts'
import { type Files, changed, exported, filesOf, imported, json } from './bundles.ts'

const running = useService()
const directory = dataDirectory()
let other: ServiceProcess | undefined
let postgres: PostgresServer | undefined
let embedded: Place
let server: Place

beforeAll(async () => {
  embedded = await described(running)
  if (!IS_NIGHT) return
  postgres = await startPostgresServer()
  other = await startService({
    DATA_DIR: directory.path,
    KNOWLEDGE_DIR: directory.emptyLibrary,
    DATABASE_URL: postgres.url,
  })
  server = await described(other)
})

afterAll(async () => {
  await other?.stop()
  await postgres?.stop()
  directory.remove()
})

const FACTS = { tenants: 'one', stage: 'first' }
const REMARK = 'Ünïcödé, "quotes", \\ and 🛰\nline'

/** A project with every kind of record and link, and names that are not valid file names. */
async function fullProject(): Promise<Json> {
  const client = await created(embedded, '/clients', {
    name: newName('Client'),
    metadata: { secret: 'of the house' },
  })
  const project = await created(embedded, `/clients/${client.id}/projects`, {
    name: 'Größe / ..\\..',
    description: REMARK,
    cloud_providers: ['aws', 'on-prem'],
    status: 'active',
    architecture_pattern: 'microservices',
    compliance_frameworks: ['pci-dss'],
  })
  for (const version_number of ['../../etc', '10.0.0-rc.1', '2.0.0']) {
    const version = await created(embedded, `/projects/${project.id}/versions`, {
      version_number,
      notes: REMARK,
      facts: FACTS,
    })
    if (version_number === '2.0.0') await fill(`/versions/${version.id}`)
  }
  // Only the last version follows.
  const json = { cloud_providers: ['gcp'], architecture_pattern: null }
  return (await ask(embedded, 'PATCH', `/clients/${client.id}/projects/${project.id}`, { json }))
    .body
}

async function fill(path: string): Promise<void> {
  for (const question_text of ['Who?', REMARK]) {
    const question = await created(embedded, `${path}/questions`, { question_text })
    await created(embedded, `${path}/coverage`, {
      knowledge_file: 'general/backups.md',
      item_text: REMARK,
      priority: 'Critical',
      status: 'addressed',
      question_id: question.id,
      owner: 'Ann',
      due_date: '2027-02-28',
    })
    const answer = { answer_text: 'Two people', status: 'answered' }
    await ask(embedded, 'PATCH', `${path}/questions/${question.id}`, { json: answer })
  }
  const text = {
    context: REMARK,
    decision: REMARK,
    consequences: '',
    date: '2026-05-31',
    decision_makers: ['Ann'],
    drivers: ['Ünïcödé'],
    options: [{ title: '"quotes"', description: 'D', pros: ['P'], neutral: ['N'], cons: ['C'] }],
  }
  const old = await created(embedded, `${path}/adrs`, { title: 'First', ...text })
  await created(embedded, `${path}/adrs`, { title: 'Between', status: 'accepted', ...text })
  await created(embedded, `${path}/adrs/${old.id}/supersede`, { title: 'Second', ...text })
  const drawn = await created(embedded, `${path}/artifacts`, {
    name: '../con.svg',
    artifact_type: 'diagram',
    engine: 'graphviz',
    source_code: 'digraph { a -> b }',
  })
  const rendered = await renderedAt(embedded, `${path}/artifacts/${drawn.id}`)
  expect(rendered.render_status).toBe('success')
  await created(embedded, `${path}/artifacts`, {
    name: 'Handbook',
    artifact_type: 'document',
    source_code: `# ${REMARK}\n![shown](artifact:${drawn.id})\n`,
    sort_order: 1,
  })
  await created(embedded, `${path}/artifacts`, { name: 'Report', artifact_type: 'pdf_report' })
  await created(embedded, `${path}/inventory`, { name: 'Servers', data: 'a;b\r\n"1";2\n' })
  for (const content of [Buffer.from('ä;ö\n'), Buffer.from([0, 255, 254, 10])]) {
    await uploaded(embedded, path, 'list "ä".csv', { content, type: 'text/csv' })
  }
}

const UUID = /[\da-f]{8}-[\da-f]{4}-4[\da-f]{3}-[\da-f]{4}-[\da-f]{12}/g

/** The parts that must be equal: not rendered files, the client, or values that follow from ids. */
function comparable(files: Files): Record<string, Json> {
  const order = new Map<string, number>()
  const texts = [...files]
    .filter(([name]) => !name.includes('/outputs/') && name !== 'bundle.json')
    .map(([name, bytes]) => [name, bytes.toString('latin1')])
  const { client: _, files: hashes, project, ...rest } = json(files, 'bundle.json')
  expect(hashes).toHaveLength(files.size - 1)
  const manifest = { ...rest, project: { ...project, client_id: null } }
  const text = JSON.stringify({ manifest, texts }).replaceAll(UUID, (id) => {
    if (!order.has(id)) order.set(id, order.size)
    return `id ${order.get(id)}`
  })
  return JSON.parse(text)
}

test('an imported project, here or on a server, exports equal files except for ids', async () => {
  const project = await fullProject()
  const zip = await exported(embedded, project.id)
  expect(zip.equals(await exported(embedded, project.id))).toBe(true)
  const files = await filesOf(zip)
  const names = [...files.keys()]
  for (const name of names) expect(name).toMatch(/^(?:[a-z\d][a-z\d.-]*\/)*\d*[a-z\d.-]*[a-z\d]$/)
  expect(names.filter((name) => name.includes('/uploads/'))).toEqual([
    'versions/001-2.0.0/uploads/001-list-a-csv',
    'versions/001-2.0.0/uploads/002-list-a-csv',
  ])
  const picture = names.find((name) => name.includes('/outputs/'))
  expect(String(files.get(picture ?? ''))).toContain('<svg')
  expect(String(files.get('bundle.json'))).not.toContain('of the house')

  const original = comparable(files)
  for (const place of byTier({ gate: [embedded], night: [embedded, server] })) {
    const client = await created(place, '/clients', { name: newName('Client') })
    const { status, body } = await imported(place, client.id, zip)
    expect([status, body.name, body.slug]).toEqual([201, project.name, project.slug])
    expect(body.id).not.toBe(project.id)
    expect([body.created_at, body.updated_at]).toEqual([project.created_at, project.updated_at])
    const again = await filesOf(await exported(place, body.id))
    expect(comparable(again)).toEqual(original)
    const records = json(again, 'versions/001-2.0.0/version.json')
    expect(records.facts).toEqual(FACTS)
    const numbers = records.adrs.map(({ adr_number }: Json) => adr_number)
    expect(numbers).toEqual([1, 2, 3])
    expect(records.adrs[0].superseded_by).toBe(records.adrs[2].id)
    const linked = records.coverage.map(({ question_id }: Json) => question_id)
    expect(linked).toEqual(records.questions.map(({ id }: Json) => id))
    const path = `/versions/${records.id}/artifacts`
    const { body: list } = await ask(place, 'GET', path)
    expect(list.map(({ render_status }: Json) => render_status)).toEqual(Array(3).fill('pending'))
    expect(list[2].source_code).toContain(`artifact:${list[0].id}`)
  }
})

test('an import keeps the numbers of decisions, also of deleted ones', async () => {
  const { client, project, path } = await newSession(embedded)
  for (let i = 0; i < 4; i++) await created(embedded, `${path}/adrs`, DECISION)
  const made = (await ask(embedded, 'GET', `${path}/adrs`)).body
  for (const { id } of [made[1], made[3]]) await ask(embedded, 'DELETE', `${path}/adrs/${id}`)
  const numbersIn = async (zip: Buffer, copyName: string): Promise<number[]> => {
    const { body: copy } = await imported(embedded, client.id, zip, `?name=${copyName}`)
    const [{ id }] = (await ask(embedded, 'GET', `/projects/${copy.id}/versions`)).body
    const adrs = `/versions/${id}/adrs`
    const next = await created(embedded, adrs, DECISION)
    await created(embedded, `${adrs}/${next.id}/supersede`, DECISION)
    const clone = { json: { target_version_id: id } }
    expect((await ask(embedded, 'POST', `${path}/artifacts/clone`, clone)).status).toBe(201)
    return (await ask(embedded, 'GET', adrs)).body.map((adr: Json) => adr.adr_number)
  }
  const whole = await exported(embedded, project.id)
  expect(await numbersIn(whole, 'Whole')).toEqual([1, 3, 5, 6, 7, 8])
  const files = await filesOf(whole)
  const name = 'versions/001-0.1.0/version.json'
  const { highest_adr_number: highest, ...earlier } = json(files, name)
  expect(highest).toBe(4)
  const zip = changed(files, name, JSON.stringify(earlier))
  expect(await numbersIn(zip, 'Earlier')).toEqual([1, 3, 4, 5, 6, 7])
})

test('an import is refused for a taken name, and accepts another name', async () => {
  const client = await created(embedded, '/clients', { name: newName('Client') })
  const made = await created(embedded, `/clients/${client.id}/projects`, { name: 'Same' })
  const zip = await exported(embedded, made.id)
  expect(await imported(embedded, client.id, zip)).toMatchObject({
    status: 409,
    body: { detail: 'Project with this name already exists for this client' },
  })
  const { status, body } = await imported(embedded, client.id, zip, '?name=Other%20one')
  expect([status, body.name, body.slug]).toEqual([201, 'Other one', 'other-one'])
  const blank = await imported(embedded, client.id, zip, '?name=%20')
  expect([blank.status, blank.body.detail[0].loc]).toEqual([422, ['query', 'name']])
})
