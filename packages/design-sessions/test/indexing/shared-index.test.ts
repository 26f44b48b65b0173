// Goal: services that share one database server index one at a time, can steer each other, and
// search the same index. Method: one server, a connection for each service; runs are held by
// pausing them.
import type { Database } from '@orrery/database'
import { type PostgresServer, startPostgresServer } from '@orrery/testkit'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import type { Knowledge } from '../../src/indexing/knowledge.ts'
import {
  directory,
  ended,
  heldRun,
  knowledgeFile,
  manyFiles,
  openKnowledge,
  openTables,
  reindexed,
  writeFiles,
} from './fixture.ts'

const data = directory()
const databases: Database[] = []
const services: Knowledge[] = []
let postgres: PostgresServer
let root: string

/** A connection of its own, as of another process. */
async function connection(): Promise<Database['sql']> {
  const database = await openTables({ url: postgres.url })
  databases.push(database)
  return database.sql
}

async function service(automatic = false): Promise<Knowledge> {
  const sql = await connection()
  const opened = await openKnowledge({ sql, directory: root, automatic })
  services.push(opened)
  return opened
}

beforeAll(async () => {
  postgres = await startPostgresServer()
})

beforeEach((context) => {
  root = join(data.path, context.task.id)
  writeFiles(root, {
    'general/backups.md': knowledgeFile('Backups', ['Is a restore timed?']),
    'general/walls.md': knowledgeFile('Walls', ['Who may open the firewall?']),
    ...manyFiles(),
  })
})

afterEach(async () => {
  for (const one of services.splice(0)) await one.close()
  const last = await service()
  await last.clear()
  await services.pop()?.close()
  for (const database of databases.splice(0)) await database.close()
})

afterAll(async () => {
  await postgres.stop()
  data.remove()
})

test('two services index one at a time, steer each other, and search the same index', async () => {
  const [one, other] = [await service(), await service()]
  await reindexed(one)
  const before = await other.search({ query: 'is a restore timed', topK: 1, minScore: 0 })
  expect(before?.[0].source_file).toBe('general/backups.md')
  writeFiles(root, { 'general/new.md': knowledgeFile('New', ['Is the lighthouse lit?']) })
  await heldRun(one)
  await expect(other.reindex()).rejects.toMatchObject({ status: 409 })
  expect(await other.status()).toMatchObject({ reindexing: true, paused: true })
  await other.resume()
  await ended(other)
  const [found] = (await other.search({ query: 'lighthouse lit', topK: 1, minScore: 0 })) ?? []
  expect(found.source_file).toBe('general/new.md')
})

test('of many concurrent starts one runs', async () => {
  const all = await Promise.all(Array.from({ length: 8 }, () => service()))
  const outcomes = await Promise.all(
    all.map((one) =>
      one.reindex().then(
        () => 'started',
        (error: { status: number }) => error.status,
      ),
    ),
  )
  expect(await ended(all[0])).toMatchObject({ indexed: true, total_embeddings: 20_002 })
  expect(outcomes.filter((outcome) => outcome === 'started')).toHaveLength(1)
  expect(outcomes.filter((outcome) => outcome === 409)).toHaveLength(7)
})

test('a run whose process died can be replaced after ten seconds', async () => {
  const one = await service()
  const sql = await connection()
  await sql`
    update knowledge_run set owner = gen_random_uuid(), beat = clock_timestamp() - interval '7 s'`
  await expect(one.reindex()).rejects.toMatchObject({ status: 409 })
  await sql`update knowledge_run set beat = clock_timestamp() - interval '11 s'`
  expect((await reindexed(one)).indexed).toBe(true)
})

test('a request joins an automatic run; the next one is refused', async () => {
  const automatic = await service(true)
  while (!(await automatic.status()).reindexing) await setTimeout(1)
  await automatic.pause()
  await automatic.reindex({ force: true })
  await expect(automatic.reindex()).rejects.toMatchObject({ status: 409 })
  await automatic.resume()
  expect((await ended(automatic)).indexed).toBe(true)
})

test('closing during the start of a run frees the index for others', async () => {
  const [one, other] = [await service(), await service()]
  await Promise.allSettled([one.reindex(), one.close()])
  expect((await other.status()).reindexing).toBe(false)
  expect((await reindexed(other)).indexed).toBe(true)
})
