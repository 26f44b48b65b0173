// Goal: uploads are found only with their own version, until they are removed. Method: versions of
// two clients in a real database, indexed together with a small library.
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Knowledge } from '../../src/indexing/knowledge.ts'
import {
  knowledgeFile,
  newVersion,
  openKnowledge,
  reindexed,
  useTables,
  writeFiles,
} from './fixture.ts'
import '../patience.ts'

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
  await upload(ours, 'words', 'text/x-words', 'the quetzal colony')
  await upload(ours, 'record', 'application/json', '{"bird": "kakapo"}')
  await upload(ours, 'picture.png', 'image/png', 'kraken01')
  await upload(ours, 'broken.txt', 'text/plain', 'a\0b')
  await upload(theirs, 'theirs.txt', 'text/plain', 'restore of the narwhal')
  await upload(theirs, 'long.txt', 'text/plain', `${'filler words\n\n'.repeat(100_000)}platypus`)
})

afterAll(async () => {
  await knowledge.close()
})

test('only texts are indexed, and errors list what was left out', async () => {
  const { reindex_last_result: result, upload_count } = await reindexed(knowledge)
  expect(result?.uploads_indexed).toBe(7)
  expect(upload_count).toBe(7)
  expect(result?.errors.toSorted()).toEqual(
    [
      `upload:${ids['broken.txt']}: it holds bytes that no text has`,
      `upload:${ids['long.txt']}:long.txt: only its first MiB is indexed`,
    ].toSorted(),
  )
})

test('an upload is found with its own version only', async () => {
  const hosts = `upload:${ids['hosts.csv']}:hosts.csv`
  expect(await sources('kraken01 mainframe', ours)).toEqual([hosts])
  expect(await sources('kraken01 mainframe', theirs)).toEqual([])
  expect(await sources('kraken01 mainframe')).toEqual([])
  // Text by its type alone.
  expect(await sources('quetzal colony', ours)).toEqual([`upload:${ids['words']}:words`])
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
  const texts = (await knowledge.suggestions('narwhal restore', { versionId: theirs })).map(
    ({ source_file }) => source_file,
  )
  expect(texts).toContain(`upload:${ids['theirs.txt']}:theirs.txt`)
})

test('the library is found beside uploads', async () => {
  expect(await sources('is a restore timed', theirs)).toContain('general/backups.md')
})

test('a removed upload is no longer found', async () => {
  await tables.sql`delete from upload where id = ${ids['hosts.csv']}`
  expect(await sources('kraken01 mainframe', ours)).toEqual([])
})

test('a new upload is indexed without a new index of the library', async () => {
  const library = await tables.sql`
    select id from knowledge_generation where version_id is null`
  await upload(theirs, 'more.txt', 'text/plain', 'an octopus farm')
  await reindexed(knowledge)
  expect(await sources('octopus farm', theirs)).toEqual([`upload:${ids['more.txt']}:more.txt`])
  expect(await tables.sql`select id from knowledge_generation where version_id is null`).toEqual(
    library,
  )
})

test('uploads can be excluded from the index', async () => {
  await reindexed(knowledge, { includeUploads: false })
  expect(await sources('octopus farm', theirs)).toEqual([])
  expect(await knowledge.status()).toMatchObject({ upload_count: 0, indexed: true })
})
