// Goal: texts of a version are found only with it, from their arrival until they are removed.
// Method: versions of two clients in a real database, beside a small library.
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Knowledge } from '../../src/indexing/knowledge.ts'
import type { SourceType } from '../../src/indexing/knowledge-items.ts'
import {
  knowledgeFile,
  newVersion,
  openKnowledge,
  reindexed,
  useTables,
  writeFiles,
} from './fixture.ts'

const tables = useTables()
let knowledge: Knowledge
let ours: string
let theirs: string
const ids: Record<string, string> = {}

async function upload(versionId: string, name: string, type: string, text: string): Promise<void> {
  const bytes = Buffer.from(text)
  const [{ id }] = await tables.sql<[{ id: string }]>`
    insert into upload (version_id, original_filename, content_type, file_size)
    values (${versionId}, ${name}, ${type}, ${bytes.length}) returning id`
  writeFileSync(join(tables.path, id), bytes)
  ids[name] = id
}

async function sources(query: string, versionId?: string): Promise<readonly string[]> {
  const found = await knowledge.search({ query, topK: 50, minScore: 0.3, versionId })
  return [...new Set((found ?? []).map(({ source_file }) => source_file))]
}

beforeAll(async () => {
  const root = join(tables.path, 'library')
  writeFiles(root, { 'general/backups.md': knowledgeFile('Backups', ['Is a restore timed?']) })
  const uploads = { path: (id: string) => join(tables.path, id) }
  knowledge = await openKnowledge({ sql: tables.sql, directory: root, uploads })
  ours = await newVersion(tables.sql, 'ours')
  theirs = await newVersion(tables.sql, 'theirs')
  await upload(ours, 'hosts.csv', 'text/csv', 'host,role\nkraken01,mainframe\n')
  await upload(ours, 'page.html', 'text/html', '<p class="x">The <b>walrus</b> cluster</p>')
  await upload(
    ours,
    'notes.md',
    'application/octet-stream',
    '# N\n- [ ] **[Optional]** Is it osmium?',
  )
  await upload(ours, 'words', 'text/x-words', 'the quetzal colony in C#')
  await upload(ours, 'record', 'application/json', '{"bird": "kakapo"}')
  await upload(ours, 'picture.png', 'image/png', 'kraken01')
  await upload(ours, 'broken.txt', 'text/plain', 'a\0b')
  await upload(theirs, 'theirs.txt', 'text/plain', 'restore of the narwhal')
  await upload(theirs, 'long.txt', 'text/plain', `${'filler words\n\n'.repeat(100_000)}platypus`)
})

afterAll(async () => {
  await knowledge.close()
})

test('texts count as indexed', async () => {
  const { reindex_last_result: result, upload_count } = await reindexed(knowledge)
  expect(result?.uploads_indexed).toBe(8)
  expect(upload_count).toBe(8)
  expect(await sources('platypus', theirs)).toEqual([])
})

test('an upload is found with its own version only', async () => {
  const hosts = `upload:${ids['hosts.csv']}:hosts.csv`
  expect(await sources('kraken01 mainframe', ours)).toEqual([hosts])
  expect(await sources('kraken01 mainframe', theirs)).toEqual([])
  expect(await sources('kraken01 mainframe')).toEqual([])
  // Text by its type alone.
  expect(await sources('quetzal colony', ours)).toEqual([`upload:${ids['words']}:words`])
  expect(await sources('C#', ours)).toEqual([`upload:${ids['words']}:words`])
  expect(await sources('kakapo bird', ours)).toEqual([`upload:${ids['record']}:record`])
  const page = { query: 'walrus cluster', topK: 1, minScore: 0.3, versionId: ours }
  const [markup] = (await knowledge.search(page)) ?? []
  expect(markup.source_file).toBe(`upload:${ids['page.html']}:page.html`)
  expect(markup.content.replaceAll(/\s+/g, ' ')).toBe('The walrus cluster')
  const [found] =
    (await knowledge.search({
      query: 'is it osmium',
      topK: 1,
      minScore: 0,
      versionId: ours,
    })) ?? []
  expect(found).toMatchObject({ source_type: 'upload', priority: 'optional' })
  const suggested = await knowledge.suggestions('is it osmium', { versionId: ours })
  expect(suggested.map(({ checklist_item: item }) => item)).toEqual(['Is it osmium?'])
  expect(await knowledge.suggestions('is it osmium', { versionId: theirs })).toEqual([])
})

test('the library is found beside uploads', async () => {
  expect(await sources('is a restore timed', theirs)).toContain('general/backups.md')
})

test('parts of sentences are found without spaces, and short names as whole ones', async () => {
  const texts: readonly (readonly [name: string, text: string, ...queries: string[]])[] = [
    ['zh.txt', '我们的API网关负责负载均衡，每天备份。', '网关', '负载均衡', '备份', 'API网关'],
    ['network.txt', '第三章 网络设计：核心交换机有两台。', '网络', '交换机', '网络设计'],
    ['ja.txt', 'データベースのバックアップは毎晩行われます。', 'バックアップ', 'データベース'],
    ['ko.txt', '게이트웨이는 매일 점검합니다.', '게이트웨이', '점검'],
    ['th.txt', 'ระบบสำรองข้อมูลทุกคืน', 'สำรองข้อมูล'],
    ['de.txt', 'Die Kundendatenbank liegt im Ersatzrechenzentrum.', 'Kundendatenbanken'],
    ['typo.txt', 'The narwhals hibernate.', 'narwahls hibernate'],
    ['db.txt', 'PostgreSQL, MongoDB and Kubernetes.', 'postgres', 'mongo', 'k8s', 'pg'],
  ]
  const versionId = await newVersion(tables.sql, 'scripts')
  for (const [name, text] of texts) await upload(versionId, name, 'text/plain', text)
  for (const [name, , ...queries] of texts) {
    for (const query of queries) {
      expect([query, ...(await sources(query, versionId))]).toEqual([
        query,
        `upload:${ids[name]}:${name}`,
      ])
    }
  }
})

test('a removed upload is no longer found', async () => {
  await tables.sql`delete from upload where id = ${ids['hosts.csv']}`
  expect(await sources('kraken01 mainframe', ours)).toEqual([])
})

test('a new upload is found at once, and its own words count by themselves', async () => {
  const text = 'The octopus farm of Quillfish Ltd keeps brine pumps in sheds.'
  await upload(theirs, 'more.txt', 'text/plain', text)
  const [found] =
    (await knowledge.search({ query: text, topK: 5, minScore: 0, versionId: theirs })) ?? []
  expect(found.source_file).toBe(`upload:${ids['more.txt']}:more.txt`)
  expect(found.score).toBeGreaterThan(0.5)
})

test('records of a version are found when they are asked for', async () => {
  await tables.sql`
    insert into adr (version_id, adr_number, title, status, context, decision, consequences)
    values (${ours}, 1, 'Brokers', 'accepted', 'Orders pile up', 'We use walrusmq', 'None')`
  const question = { version_id: ours, status: 'answered', category: 'cost' }
  await tables.sql`insert into question ${tables.sql({
    ...question,
    question_text: 'Who pays the ferrymen?',
    answer_text: 'The harbour office',
  })}`
  const plan = '# Plan\n\n## Moorings\n\nBuoys'
  await tables.sql`
    insert into artifact (version_id, name, artifact_type, detail_level, engine, source_code)
    values (${ours}, 'Plan', 'document', 'logical', 'markdown', ${plan})`
  const types = async (query: string, sourceTypes?: readonly SourceType[]): Promise<unknown> =>
    (await knowledge.search({ query, topK: 9, minScore: 0.5, versionId: ours, sourceTypes }))?.map(
      ({ source_type }) => source_type,
    )
  const all = ['decision', 'question', 'document'] as const
  expect(await types('walrusmq for orders', all)).toEqual(['decision'])
  expect(await types('harbour office ferrymen', all)).toEqual(['question'])
  expect(await types('moorings with buoys', all)).toEqual(['document'])
  expect(await types('moorings with buoys', ['decision'])).toEqual([])
  expect(await types('moorings with buoys')).toEqual([])
  await tables.sql`update adr set decision = 'We use gannetmq' where version_id = ${ours}`
  expect(await types('gannetmq', all)).toEqual(['decision'])
})

test('a word that is spelt like several of a text scores 1 at most', async () => {
  const versionId = await newVersion(tables.sql, 'spelt')
  await upload(versionId, 'a.txt', 'text/plain', 'hibernation, hibernators, hibernating')
  const [hit] =
    (await knowledge.search({
      query: 'hibernaton',
      topK: 1,
      minScore: 0,
      versionId,
    })) ?? []
  expect(hit.source_type).toBe('upload')
  expect(hit.score).toBeGreaterThan(0.3)
  expect(hit.score).toBeLessThanOrEqual(1)
})

test('an unknown word does not hide a known one', async () => {
  expect(await sources('zzyzx quetzal', ours)).toEqual([`upload:${ids['words']}:words`])
  expect(await sources('zzyzx restore')).toEqual(['general/backups.md'])
})

test('uploads can be excluded from the index', async () => {
  await reindexed(knowledge, { includeUploads: false })
  expect(await sources('octopus farm', theirs)).toEqual([])
  expect(await knowledge.status()).toMatchObject({ upload_count: 0, indexed: true })
})
