// Goal: the gate opens when, and only when, no applicable critical item is uncovered; the files
// of a session follow its project; the workflow leads through all its rules, in order, to the end.
// Method: a small library as a value, the app asked directly over an embedded database.
import type { Database } from '@orrery/database'
import { createLogger } from '@orrery/http'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createApp } from '../../src/app.ts'
import { serviceConfig } from '../../src/config.ts'
import type { ChecklistItem, Knowledge, Priority } from '../../src/indexing/knowledge.ts'
import { openUploads } from '../../src/records/upload-files.ts'
import { PATTERNS } from '../../src/records/projects.ts'
import { type Json, newName } from '../ask.ts'
import { openTables } from '../indexing/fixture.ts'

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

/** What of the library the workflow looks at. */
const knowledge = {
  files: async () =>
    Object.keys(LIBRARY).map((path) => ({ path, name: path, category: 'of no matter' })),
  checklist: async (files: readonly string[]) => files.flatMap(itemsOf),
  indexed: async () => isIndexed,
  suggestions: async (text: string) => {
    if (text.includes('broken')) throw new Error('no index')
    return [{ source_file: 'f.md', checklist_item: text, priority: null, score: 0.6 }]
  },
} satisfies Partial<Knowledge>

const root = mkdtempSync(join(tmpdir(), 'orrery-workflow-'))
let database: Database
let app: ReturnType<typeof createApp>

beforeAll(async () => {
  database = await openTables(join(root, 'database'))
  app = createApp({
    sql: database.sql,
    config: serviceConfig({ DATA_DIR: root }),
    logger: createLogger({ level: 'fatal', destination: 'stderr' }),
    uploads: await openUploads(join(root, 'files')),
    knowledge: knowledge as unknown as Knowledge,
  })
})

afterAll(async () => {
  await (database as Database | undefined)?.close()
  rmSync(root, { recursive: true, force: true })
})

async function ask(method: string, path: string, json?: unknown): Promise<Json> {
  const response = await app.request(`/api/v1${path}`, {
    method,
    ...(json !== undefined && {
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(json),
    }),
  })
  const text = await response.text()
  return { status: response.status, body: text === '' ? undefined : JSON.parse(text) }
}

async function made(path: string, json: unknown): Promise<Json> {
  const { status, body } = await ask('POST', path, json)
  expect([path, status, body]).toEqual([path, 201, body])
  return body
}

async function newSession(project: object): Promise<{ project: Json; path: string }> {
  const client = await made('/clients', { name: newName('Client') })
  const below = await made(`/clients/${client.id}/projects`, { name: 'P', ...project })
  const version = await made(`/projects/${below.id}/versions`, {})
  return { project: below, path: `/versions/${version.id}` }
}

test('the files of a session follow its providers, pattern, frameworks and tools', async () => {
  const files = async (project: object): Promise<string[]> => {
    const { project: made } = await newSession(project)
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
  for (const provider of ['vmware', 'Nutanix', 'openstack']) {
    expect(await files({ cloud_providers: [provider] })).toContain('general/on-prem-facilities.md')
  }
  expect(PATTERNS).toHaveLength(12)
})

test('the gate names every uncovered critical item and opens with the last one', async () => {
  const { path } = await newSession({ cloud_providers: ['aws'] })
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
  const record = await made(`${path}/coverage`, first)
  expect((await gate()).blockers[0]).toMatchObject({ state: 'pending', coverage_id: record.id })
  await ask('PATCH', `${path}/coverage/${record.id}`, { status: 'addressed' })
  for (const [i, { knowledge_file, item_text }] of others.entries()) {
    // As it stands in the file, in another case, without its marks.
    const text = [item_text, `[Critical] ${item_text.toUpperCase()}`, item_text.replaceAll('*', '')]
    await made(`${path}/coverage`, {
      knowledge_file,
      item_text: text[i],
      priority: 'Critical',
      status: ['na', 'deferred', 'addressed'][i],
    })
  }
  expect(await gate()).toMatchObject({ open: true, blockers: [] })
  const own = { knowledge_file: 'own.md', item_text: 'Ours', priority: 'Critical' }
  await made(`${path}/coverage`, own)
  expect((await gate()).blockers).toMatchObject([{ knowledge_file: 'own.md', state: 'pending' }])
})

test('asking and answering bring suggestions; without an index there are none', async () => {
  const { path } = await newSession({})
  const asked = await made(`${path}/questions`, { question_text: 'Who?' })
  expect(asked.suggestions).toEqual([
    { source_file: 'f.md', checklist_item: 'Who?', priority: null, score: 0.6 },
  ])
  const one = `${path}/questions/${asked.id}`
  const answered = (await ask('PATCH', one, { answer_text: 'We' })).body
  expect(answered.suggestions[0].checklist_item).toBe('Who? We')
  const broken = await made(`${path}/questions`, { question_text: 'broken' })
  expect(broken.suggestions).toEqual([])
})

test('the workflow leads from rule to rule to the end', async () => {
  const { project, path } = await newSession({})
  const next = async (): Promise<Json> => (await ask('GET', `${path}/workflow`)).body.next
  isIndexed = false
  expect(await next()).toMatchObject({ rule: 1, request: { path: '/knowledge/reindex/status' } })
  isIndexed = true
  expect(await next()).toMatchObject({ rule: 2 })
  const place = `/clients/${project.client_id}/projects/${project.id}`
  const description = 'Two data centers and a hybrid setup with Ceph'
  await ask('PATCH', place, { description, cloud_providers: ['vmware'] })
  const confirm = await next()
  expect(confirm).toMatchObject({ rule: 3, request: { method: 'PATCH', path: place } })
  expect(confirm.request.body).toEqual({ architecture_pattern: 'hybrid-cloud' })
  await ask('PATCH', place, confirm.request.body)
  expect(await next()).toMatchObject({ rule: 4 })
  const { body } = await ask('GET', `${path}/workflow`)
  const discovery = body.steps.find(({ rule }: Json) => rule === 5).todo[0].request
  expect(discovery.body).toEqual({
    query: `${description} vmware hybrid-cloud`,
    top_k: 20,
    exclude_files: body.files.map((file: Json) => file.path),
  })
  expect(body.steps.map(({ rule }: Json) => rule)).toEqual([1, 2, 3, 11, 4, 5, 6, 7, 8, 9, 10])
  expect(body.steps[3]).toMatchObject({ rule: 11, applicable: false, done: false })

  await made(`${path}/coverage`, {
    knowledge_file: 'general/security.md',
    item_text: itemsOf('general/security.md')[0].text,
    priority: 'critical',
    status: 'addressed',
  })
  const hosting = await next()
  expect(hosting.what).toBe('Ask for the hosting model first')
  const question = await made(hosting.request.path, hosting.request.body)
  expect((await next()).what).toMatch(/^Record the answer to: Which hosting model/)
  const answer = { answer_text: 'own', status: 'answered' }
  await ask('PATCH', `${path}/questions/${question.id}`, answer)
  expect(await next()).toMatchObject({ rule: 6, what: expect.stringContaining('(Critical, ') })

  for (const priority of ['critical', 'recommended']) {
    for (const { path: knowledge_file } of body.files) {
      for (const item of itemsOf(knowledge_file).filter((one) => one.priority === priority)) {
        const status = 'addressed'
        await made(`${path}/coverage`, { knowledge_file, item_text: item.text, priority, status })
      }
    }
    const rule = priority === 'critical' ? 8 : 9
    expect(await next()).toMatchObject({ rule })
  }
  for (let level = 0; level < 4; level++) {
    const { request, what } = await next()
    expect(what).toMatch(/^Draw the/)
    const artifact = await made(request.path, request.body)
    expect(artifact.sort_order).toBe(level)
    const undrawn = (await ask('GET', `${path}/workflow`)).body.next
    expect(undrawn.what).toBe(`Render ${artifact.name}`)
    await database.sql`update artifact set render_status = 'error' where id = ${artifact.id}`
    expect((await next()).what).toBe(`Fix the source of ${artifact.name}`)
    await database.sql`update artifact set render_status = 'success' where id = ${artifact.id}`
  }
  const decision = { title: 'Use OpenTofu', context: 'C', decision: 'D', consequences: 'E' }
  const iac = await next()
  expect([iac.rule, iac.request.path]).toEqual([10, `${path}/adrs`])
  await made(iac.request.path, decision)
  for (const name of ['cost estimate', 'architecture document', 'design document', 'coverage']) {
    const { what, request } = await next()
    expect(what).toContain(`Write the ${name}`)
    await made(request.path, request.body)
  }
  expect(await next()).toBeNull()

  const later = await made(`/projects/${project.id}/versions`, {})
  const change = (await ask('GET', `/versions/${later.id}/workflow`)).body.next
  expect(change).toMatchObject({ rule: 11, what: 'Clone the earlier version' })
})
