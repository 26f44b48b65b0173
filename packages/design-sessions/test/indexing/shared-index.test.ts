// Goal: services that share one database server index one at a time, can steer each other, and
// search the same index. Method: one server, a connection for each service; runs are held by
// pausing them.
import type { Database } from '@orrery/database'
import { type PostgresServer, startPostgresServer } from '@orrery/testkit'
import { join } from 'node:path'
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
import { isHeld, until } from '../until.ts'

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
  writeFiles(root, manyFiles())
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
  writeFiles(root, manyFiles())
  const all = await Promise.all(Array.from({ length: 8 }, () => service()))
  const [holder, observer] = [await connection(), await connection()]
  const locked = Promise.withResolvers<void>()
  const released = Promise.withResolvers<void>()
  const held = holder.begin(async (transaction) => {
    await transaction`select 1 from knowledge_run for update`
    locked.resolve()
    await released.promise
  })
  await locked.promise
  const starts = all.map((one) =>
    one.reindex().then(
      () => 'started',
      (error: { status: number }) => error.status,
    ),
  )
  // All are in line for the lease before the first gets it, and then indexes for long.
  await until(
    () => observer`select 1 from pg_locks where not granted`,
    ({ length }) => length === all.length,
  )
  released.resolve()
  await held
  const outcomes = await Promise.all(starts)
  expect(await ended(all[0])).toMatchObject({ indexed: true, total_embeddings: 10_002 })
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

/** A service whose automatic run is paused. */
async function pausedAtStart(): Promise<Knowledge> {
  for (;;) {
    const automatic = await service(true)
    for (let i = 0; i < 100; i++) {
      const isPaused = await automatic.pause().then(
        () => true,
        () => false,
      )
      if (isPaused && (await isHeld(() => automatic.status()))) return automatic
    }
    // A run that ended before the pause is followed by that of another start.
    await automatic.close()
  }
}

test('a request joins an automatic run; the next one is refused', async () => {
  writeFiles(root, manyFiles())
  const automatic = await pausedAtStart()
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
