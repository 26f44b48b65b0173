// Goal: the first start indexes, a run can be steered, and the index is there again after the death
// of a process. Method: the real service on the shipped library.
import { IS_NIGHT } from '@orrery/testkit/tier'
import { describe, expect, test } from 'vitest'
import { type Json, ask } from '../ask.ts'
import { useOwnService } from '../service.ts'
import { isHeld, until } from '../until.ts'

const begun = Date.now()
// The shipped library.
const service = useOwnService({ KNOWLEDGE_DIR: undefined })

async function status(): Promise<Json> {
  return (await ask(service, 'GET', '/knowledge/reindex/status')).body
}

/** The status once no run is left. */
function idle(): Promise<Json> {
  return until(status, ({ reindexing }) => !reindexing)
}

function search(json: Json): ReturnType<typeof ask> {
  return ask(service, 'POST', '/knowledge/search', { json })
}

function post(what: string, json?: Json): ReturnType<typeof ask> {
  return ask(service, 'POST', `/knowledge/${what}`, { json })
}

/** Starts runs until one is held by a pause: a run that ends before that is followed by another. */
async function startPaused(start: () => Promise<void>): Promise<void> {
  do {
    await idle()
    await start()
  } while ((await post('reindex/pause')).status !== 200 || !(await isHeld(status)))
}

describe('the first start', () => {
  test('indexes automatically; a request joins', async () => {
    const joined = await ask(service, 'POST', '/knowledge/reindex')
    expect([joined.status, joined.body.status]).toEqual([200, 'started'])
    const done = await idle()
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
    expect(service.output()).toMatch(/"embedding","total_chunks":\d{4,}.*indexing knowledge/)
  })
})

// By day reindexing.test.ts and the rows of the contract steer small libraries.
describe.runIf(IS_NIGHT)('steering', () => {
  test('nothing is found until the first run ends', async () => {
    await startPaused(async () => {
      expect((await post('reindex/clear')).status).toBe(200)
      expect((await post('reindex', { force: true })).status).toBe(200)
    })
    const early = await search({ query: 'restore' })
    expect(early.status).toBe(400)
    expect(early.body.detail).toContain('not indexed')
    expect((await post('reindex/resume')).status).toBe(200)
    await idle()
    expect((await search({ query: 'restore' })).body.total_results).toBeGreaterThan(0)
  })

  test('a working run can be paused, resumed and stopped', async () => {
    await startPaused(async () => {
      const started = await post('reindex', { force: true, include_vendor_docs: true })
      expect(started.body.message).toContain('vendor documents are not fetched')
    })
    const { reindex_started_at } = await status()
    expect(reindex_started_at * 1000).toBeGreaterThanOrEqual(begun)
    expect(await status()).toMatchObject({ paused: true, reindexing: true })
    expect((await post('reindex')).status).toBe(409)
    expect((await post('reindex/clear')).status).toBe(409)
    expect((await post('reindex/timeout?seconds=3600')).body.timeout_seconds).toBe(3600)
    expect((await post('reindex/resume')).body).toEqual({ status: 'resumed' })
    expect((await post('reindex/stop')).body).toEqual({ status: 'stopping' })
    const ended = await idle()
    expect(ended.reindex_last_result.status).toBe('cancelled')
    expect(ended).toMatchObject({ indexed: true, reindex_timeout: 3600 })
  })
})

test('a service killed while it indexes finds the same after its next start', async () => {
  const before = (await search({ query: 'restore a backup' })).body
  expect(before.total_results).toBeGreaterThan(0)
  await ask(service, 'POST', '/knowledge/reindex', { json: { force: true } })
  await service.kill()
  await service.start()
  // At once: a search waits for the index of its process.
  expect((await search({ query: 'restore a backup' })).body).toEqual(before)
  const done = await idle()
  expect(done.reindex_last_result.status).toBe('completed')
  expect((await search({ query: 'restore a backup' })).body).toEqual(before)
})

test('nothing is found after clearing', async () => {
  await idle()
  const { body } = await ask(service, 'POST', '/knowledge/reindex/clear')
  expect(body).toMatchObject({ status: 'cleared' })
  expect(body.deleted).toBeGreaterThan(100)
  expect((await search({ query: 'restore' })).status).toBe(400)
})
