// Goal: the first start indexes, and an index survives the death of the process that makes the next
// one. Method: the real service on the shipped library, killed while a session in its database
// holds it at known moments.
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import type postgres from 'postgres'
import { beforeAll, describe, expect, test } from 'vitest'
import { type Json, ask } from '../ask.ts'
import { useService } from '../service-process.ts'
import { besideService, hold, twoBeats, waitingForLock } from './beside-service.ts'
import { OWN_LIBRARY } from './fixture.ts'

const begun = Date.now()
// The shipped library.
const service = useService({ KNOWLEDGE_DIR: undefined })

async function status(): Promise<Json> {
  return (await ask(service, 'GET', '/knowledge/reindex/status')).body
}

async function until(condition: (status: Json) => boolean): Promise<Json> {
  for (;;) {
    const now = await status()
    if (condition(now)) return now
    await setTimeout(20)
  }
}

function search(json: Json): ReturnType<typeof ask> {
  return ask(service, 'POST', '/knowledge/search', { json })
}

describe('the first start', () => {
  test('indexes automatically; a request joins; until the end nothing is found', async () => {
    const early = await search({ query: 'restore' })
    expect(early.status).toBe(400)
    expect(early.body.detail).toContain('not indexed')
    const joined = await ask(service, 'POST', '/knowledge/reindex')
    expect([joined.status, joined.body.status]).toEqual([200, 'started'])
    const running = await until(({ progress }) => progress?.phase === 'embedding')
    expect(running).toMatchObject({ indexed: false, reindexing: true, paused: false })
    expect(running.progress.total_chunks).toBeGreaterThan(1000)
    expect(running.reindex_started_at * 1000).toBeGreaterThanOrEqual(begun)
    expect((await ask(service, 'POST', '/knowledge/reindex')).status).toBe(409)
    const done = await until(({ reindexing }) => !reindexing)
    expect(done).toMatchObject({
      indexed: true,
      vendor_doc_count: 0,
      upload_count: 0,
      reindex_started_at: null,
      reindex_last_error: null,
      progress: null,
    })
    expect(done.reindex_last_result).toMatchObject({
      status: 'completed',
      files_processed: done.knowledge_file_count,
      vendor_docs_indexed: 0,
      errors: [],
    })
    expect(service.output()).toMatch(/"phase":"embedding".*indexing knowledge/)
  })
})

describe('steering', () => {
  test('a working run can be paused, resumed and stopped', async () => {
    const post = (what: string): ReturnType<typeof ask> =>
      ask(service, 'POST', `/knowledge/${what}`)
    const vendor = { json: { force: true, include_vendor_docs: true } }
    const started = await ask(service, 'POST', '/knowledge/reindex', vendor)
    expect(started.body.message).toContain('vendor documents are not fetched')
    await until(({ progress }) => progress?.phase === 'embedding')
    expect((await post('reindex/pause')).body).toEqual({ status: 'paused' })
    const sql = besideService(service.data)
    await twoBeats(sql)
    const { progress } = await status()
    await twoBeats(sql)
    expect(await status()).toMatchObject({ paused: true, progress })
    await sql.end()
    expect((await post('reindex/clear')).status).toBe(409)
    expect((await post('reindex/timeout?seconds=3600')).body.timeout_seconds).toBe(3600)
    expect((await post('reindex/resume')).body).toEqual({ status: 'resumed' })
    expect((await post('reindex/stop')).body).toEqual({ status: 'stopping' })
    const ended = await until(({ reindexing }) => !reindexing)
    expect(ended.reindex_last_result.status).toBe('cancelled')
    expect(ended).toMatchObject({ indexed: true, reindex_timeout: 3600 })
  })
})

describe('a process killed while it indexes', () => {
  /** A part of the shipped library, which is indexed sooner. */
  const library = join(OWN_LIBRARY, 'failures')

  async function reindex(): Promise<void> {
    const { status } = await ask(service, 'POST', '/knowledge/reindex', { json: { force: true } })
    expect(status).toBe(200)
  }

  async function paused(): Promise<void> {
    for (;;) {
      await reindex()
      const { status: answered } = await ask(service, 'POST', '/knowledge/reindex/pause')
      // A run that ended before the pause is followed by another.
      if ((await until(({ reindexing, paused }) => paused || !reindexing)).paused) return
      expect([200, 409]).toContain(answered)
    }
  }

  /** Reindexes until the run waits for a lock. */
  async function stopped(sql: postgres.Sql, lock: string): Promise<void> {
    await hold(sql, lock)
    await reindex()
    await waitingForLock(sql)
  }

  beforeAll(async () => {
    await service.stop()
    await service.start({ KNOWLEDGE_DIR: library })
    await until(({ reindexing }) => !reindexing)
  })

  test.each([
    ['it works', { texts: false, bytes: false }, paused],
    [
      'its texts are stored, its bytes not',
      { texts: true, bytes: false },
      (sql: postgres.Sql) => stopped(sql, 'lock table knowledge_part in share mode'),
    ],
    [
      'all is stored, and not yet current',
      { texts: true, bytes: true },
      (sql: postgres.Sql) =>
        stopped(sql, 'select 1 from knowledge_generation where current for update'),
    ],
  ])('when %s leaves the old index, and the next run succeeds', async (_, stored, reached) => {
    const before = (await search({ query: 'restore a backup' })).body
    expect(before.total_results).toBeGreaterThan(0)
    const sql = besideService(service.data)
    await reached(sql)
    const found = await sql`
      select exists (select 1 from knowledge_chunk where generation = unfinished.id) as texts,
        exists (select 1 from knowledge_part where generation = unfinished.id) as bytes
      from (select (select id from knowledge_generation where not current)) as unfinished`
    expect(found).toEqual([stored])
    await service.kill()
    await sql.end({ timeout: 0 })
    await service.start({ KNOWLEDGE_DIR: library })
    expect((await search({ query: 'restore a backup' })).body).toEqual(before)
    await until(({ reindexing }) => !reindexing)
    await reindex()
    const { reindex_last_result: result } = await until(({ reindexing }) => !reindexing)
    expect(result.status).toBe('completed')
    expect((await search({ query: 'restore a backup' })).body).toEqual(before)
  })
})

test('nothing is found after clearing', async () => {
  await until(({ reindexing }) => !reindexing)
  const { body } = await ask(service, 'POST', '/knowledge/reindex/clear')
  expect(body).toMatchObject({ status: 'cleared' })
  expect(body.deleted).toBeGreaterThan(100)
  expect((await search({ query: 'restore' })).status).toBe(400)
})
