// Goal: the knowledge endpoints keep the contract, and an index survives whatever happens to the
// process that makes the next one. Method: the real service on our own library, killed at work at
// moments that a session beside it in its database holds.
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import type postgres from 'postgres'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { type Json, ask } from '../ask.ts'
import { type ServiceProcess, dataDirectory, startService } from '../service-process.ts'
import { besideService, hold, twoBeats, waitingForLock } from './beside-service.ts'
import { OWN_LIBRARY } from './fixture.ts'
import { PATIENCE_MS } from '../patience.ts'

vi.setConfig({ testTimeout: PATIENCE_MS, hookTimeout: PATIENCE_MS })

const begun = Date.now()
const directory = dataDirectory()
let service: ServiceProcess

async function start(library?: string): Promise<void> {
  service = await startService({ DATA_DIR: directory.path, KNOWLEDGE_DIR: library })
}

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

beforeAll(() => start())

afterAll(async () => {
  await (service as ServiceProcess | undefined)?.stop()
  directory.remove()
})

describe('the first start', () => {
  test('indexes by itself; whoever asks joins; until it is done there is nothing', async () => {
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

describe('search', () => {
  test('answers in the contract’s shape', async () => {
    const { body } = await search({ query: 'restore test', top_k: 2, priority_filter: 'CRITICAL' })
    expect(body).toMatchObject({ query: 'restore test', total_results: 2 })
    expect(Object.keys(body.results[0]).toSorted()).toEqual([
      'checklist_item',
      'content',
      'id',
      'matched_terms',
      'priority',
      'score',
      'section',
      'source_file',
      'source_type',
    ])
    const linked = await ask(
      service,
      'GET',
      '/knowledge/search?q=restore%20test&top_k=2&min_score=.3&priority=critical',
    )
    expect(linked.body).toEqual(body)
  })

  test('an empty query finds nothing, and nobody’s uploads are no error', async () => {
    expect((await search({ query: '' })).body).toEqual({ results: [], query: '', total_results: 0 })
    const version_id = '00000000-0000-4000-8000-000000000000'
    expect((await search({ query: 'restore', version_id })).status).toBe(200)
  })

  test.each([
    {},
    { query: null },
    { query: 'x'.repeat(8193) },
    { query: 'ö'.repeat(4097) },
    { query: 'a\0b' },
    { query: 'x', top_k: 0 },
    { query: 'x', top_k: 51 },
    { query: 'x', top_k: 1.5 },
    { query: 'x', min_score: 1.1 },
    { query: 'x', min_score: '0.5' },
    { query: 'x', priority_filter: 'urgent' },
    { query: 'x', exclude_files: 'general/security.md' },
    { query: 'x', exclude_files: Array.from({ length: 1001 }, String) },
    { query: 'x', version_id: 'x' },
  ])('%o is refused', async (json) => {
    expect((await search(json)).status).toBe(422)
  })

  test.each(['', 'q=x&top_k=51', 'q=x&min_score=2', 'q=x&min_score=1e9', 'q=x&priority=none'])(
    '?%s is refused',
    async (query) => {
      expect((await ask(service, 'GET', `/knowledge/search?${query}`)).status).toBe(422)
    },
  )

  test('bounds are inclusive', async () => {
    const exclude_files = Array.from({ length: 1000 }, String)
    const json = { query: 'ö'.repeat(4096), top_k: 50, min_score: 1, exclude_files }
    expect((await search(json)).status).toBe(200)
  })
})

describe('browsing', () => {
  test('lists all six groups, each file once, and reads every one of them', async () => {
    const { body } = await ask(service, 'GET', '/knowledge')
    const groups = ['general', 'failures', 'patterns', 'compliance', 'frameworks']
    const files = [
      ...groups.flatMap((group) => body[group]),
      ...Object.values(body.providers).flat(),
    ]
    expect(Object.keys(body)).toEqual([...groups, 'providers'])
    expect(files).toHaveLength((await status()).knowledge_file_count)
    const [{ path, name, category }] = body.providers.aws
    expect({ path, category }).toEqual({ path: 'providers/aws/compute.md', category: 'aws' })
    const read = await ask(service, 'GET', `/knowledge/${path}`)
    expect(read.body).toMatchObject({ path, name })
    expect(read.body.content).toMatch(/^# /)
  })

  test.each([
    ['general/none.md', 404],
    ['README.md', 404],
    ['..%2fpackage.json', 400],
    ['general%2f..%2f..%2fpackage.json', 400],
    ['general%5c..%5cpackage.json', 400],
    ['%2fetc%2fpasswd', 400],
    ['general%252fsecurity.md', 400],
    ['general/security.md%00.png', 400],
    ['general//security.md', 400],
  ])('%s is %i', async (path, expected) => {
    expect((await ask(service, 'GET', `/knowledge/${path}`)).status).toBe(expected)
  })
})

describe('steering', () => {
  test('needs a run', async () => {
    for (const what of ['stop', 'pause', 'resume']) {
      expect((await ask(service, 'POST', `/knowledge/reindex/${what}`)).status).toBe(409)
    }
  })

  test('pause, resume and stop are obeyed at work', async () => {
    const post = (what: string): ReturnType<typeof ask> =>
      ask(service, 'POST', `/knowledge/${what}`)
    const vendor = { json: { force: true, include_vendor_docs: true } }
    const started = await ask(service, 'POST', '/knowledge/reindex', vendor)
    expect(started.body.message).toContain('vendor documents are not fetched')
    await until(({ progress }) => progress?.phase === 'embedding')
    expect((await post('reindex/pause')).body).toEqual({ status: 'paused' })
    const sql = besideService(directory.path)
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

  test.each([
    ['reindex', { force: 'yes' }],
    ['reindex', { timeout_seconds: 0 }],
    ['reindex/timeout?seconds=0', undefined],
  ])('%s with %o is refused', async (path, json) => {
    expect((await ask(service, 'POST', `/knowledge/${path}`, { json })).status).toBe(422)
  })
})

describe('a process killed while it indexes', () => {
  /** A part of ours that is indexed sooner. */
  const library = join(OWN_LIBRARY, 'failures')

  async function reindex(): Promise<void> {
    const { status } = await ask(service, 'POST', '/knowledge/reindex', { json: { force: true } })
    expect(status).toBe(200)
  }

  async function paused(): Promise<void> {
    for (;;) {
      await reindex()
      const { status: answered } = await ask(service, 'POST', '/knowledge/reindex/pause')
      // Else it ended before the pause came, and another is started.
      if ((await until(({ reindexing, paused }) => paused || !reindexing)).paused) return
      expect([200, 409]).toContain(answered)
    }
  }

  /** Reindexes until the run waits for something that is locked. */
  async function stopped(sql: postgres.Sql, lock: string): Promise<void> {
    await hold(sql, lock)
    await reindex()
    await waitingForLock(sql)
  }

  beforeAll(async () => {
    await service.stop()
    await start(library)
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
  ])('when %s leaves the old index, and the next one works', async (_, stored, reached) => {
    const before = (await search({ query: 'restore a backup' })).body
    expect(before.total_results).toBeGreaterThan(0)
    const sql = besideService(directory.path)
    await reached(sql)
    const found = await sql`
      select exists (select 1 from knowledge_chunk where generation = unfinished.id) as texts,
        exists (select 1 from knowledge_part where generation = unfinished.id) as bytes
      from (select (select id from knowledge_generation where not current)) as unfinished`
    expect(found).toEqual([stored])
    await service.kill()
    await sql.end({ timeout: 0 })
    await start(library)
    expect((await search({ query: 'restore a backup' })).body).toEqual(before)
    await until(({ reindexing }) => !reindexing)
    await reindex()
    const { reindex_last_result: result } = await until(({ reindexing }) => !reindexing)
    expect(result.status).toBe('completed')
    expect((await search({ query: 'restore a backup' })).body).toEqual(before)
  })
})

test('clear leaves nothing to search; the next start indexes again', async () => {
  const { body } = await ask(service, 'POST', '/knowledge/reindex/clear')
  expect(body).toMatchObject({ status: 'cleared' })
  expect(body.deleted).toBeGreaterThan(100)
  expect((await search({ query: 'restore' })).status).toBe(400)
})
