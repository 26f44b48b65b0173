// Sections 1.2 and 1.7: indexing the library.
import { rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect } from 'vitest'
import { type Json, ask } from '../ask.ts'
import { isHeld } from '../until.ts'
import { type Cases, type Stage, answers, idleIndex, read, rejects } from './case.ts'

const SEARCH = '/knowledge/search'
const REINDEX = '/knowledge/reindex'

function status(stage: Stage): Promise<Json> {
  return read(stage, `${REINDEX}/status`)
}

/** Starts a reindex of everything and holds it by a pause. */
async function held(stage: Stage, options: object = {}): Promise<void> {
  for (;;) {
    await idleIndex(stage)
    await answers(stage, ['POST', REINDEX, { force: true, ...options }], {
      status: 200,
      body: { status: 'started', message: expect.any(String) },
    })
    const pause = await ask(stage, 'POST', `${REINDEX}/pause`)
    // A run that ended before the pause is followed by another.
    if (pause.status === 200 && (await isHeld(() => status(stage)))) {
      expect(pause.body).toEqual({ status: 'paused' })
      return
    }
  }
}

async function stop(stage: Stage): Promise<void> {
  await answers(stage, ['POST', `${REINDEX}/stop`], { status: 200, body: { status: 'stopping' } })
}

/** The result of the last reindex. */
async function outcome(stage: Stage): Promise<Json> {
  return (await idleIndex(stage)).reindex_last_result
}

export const reindexing: Cases = {
  '1.2 POST /knowledge/reindex': async (stage) => {
    await held(stage)
    await answers(stage, ['POST', REINDEX], { status: 409, body: 'A reindex is already running' })
    await stop(stage)
    await idleIndex(stage)
    const body = { status: 'started', message: expect.any(String) }
    await answers(stage, ['POST', REINDEX], { status: 200, body })
    expect((await outcome(stage)).status).toBe('completed')
  },
  '1.7 request': async (stage) => {
    await idleIndex(stage)
    for (const [field, value] of Object.entries({
      include_vendor_docs: 'yes',
      include_uploads: 1,
      force: 'no',
      timeout_seconds: 0,
    })) {
      await rejects(stage, ['POST', REINDEX, { [field]: value }], 'body', field)
    }
    const all = { include_vendor_docs: false, include_uploads: true, force: false }
    const sent = { ...all, timeout_seconds: null }
    await answers(stage, ['POST', REINDEX, sent], { status: 200 })
    await idleIndex(stage)
  },
  '1.2 POST /knowledge/reindex/stop': async (stage) => {
    await held(stage)
    await stop(stage)
    expect((await outcome(stage)).status).toBe('cancelled')
    await answers(stage, ['POST', SEARCH, { query: 'threats' }], { status: 200 })
    await answers(stage, ['POST', `${REINDEX}/stop`], { status: 409 })
  },
  '1.2 POST /knowledge/reindex/pause': async (stage) => {
    await idleIndex(stage)
    await answers(stage, ['POST', `${REINDEX}/pause`], { status: 409 })
    await held(stage)
    const { paused, reindexing } = await status(stage)
    expect([paused, reindexing]).toEqual([true, true])
    await answers(stage, ['POST', `${REINDEX}/pause`], { status: 409 })
    await stop(stage)
  },
  '1.2 POST /knowledge/reindex/resume': async (stage) => {
    await idleIndex(stage)
    await answers(stage, ['POST', `${REINDEX}/resume`], { status: 409 })
    await held(stage)
    await answers(stage, ['POST', `${REINDEX}/resume`], {
      status: 200,
      body: { status: 'resumed' },
    })
    expect((await status(stage)).paused).toBe(false)
    expect((await outcome(stage)).status).toBe('completed')
  },
  '1.2 POST /knowledge/reindex/clear': async (stage) => {
    await held(stage)
    await answers(stage, ['POST', `${REINDEX}/clear`], { status: 409 })
    await stop(stage)
    const { total_embeddings: deleted } = await idleIndex(stage)
    const body = { status: 'cleared', deleted }
    await answers(stage, ['POST', `${REINDEX}/clear`], { status: 200, body })
    const after = await status(stage)
    expect([after.indexed, after.total_embeddings]).toEqual([false, 0])
  },
  '1.2 POST /knowledge/reindex/timeout': async (stage) => {
    await held(stage)
    const body = { status: 'ok', timeout_seconds: 900 }
    await answers(stage, ['POST', `${REINDEX}/timeout?seconds=900`], { status: 200, body })
    expect((await status(stage)).reindex_timeout).toBe(900)
    for (const seconds of ['0', '-1', 'soon', '86401']) {
      await rejects(stage, ['POST', `${REINDEX}/timeout?seconds=${seconds}`], 'query', 'seconds')
    }
    // Without a number there is no limit.
    const none = { status: 'ok', timeout_seconds: null }
    await answers(stage, ['POST', `${REINDEX}/timeout?seconds=`], { status: 200, body: none })
    expect((await status(stage)).reindex_timeout).toBe(null)
    await stop(stage)
  },
  '1.2 GET /knowledge/reindex/status': async (stage) => {
    const { reindexing, progress } = await idleIndex(stage)
    expect([reindexing, progress]).toEqual([false, null])
  },
  '1.7 status': async (stage) => {
    const idle = await idleIndex(stage)
    expect(idle).toEqual({
      indexed: true,
      total_embeddings: expect.any(Number),
      knowledge_file_count: expect.any(Number),
      vendor_doc_count: 0,
      upload_count: expect.any(Number),
      last_indexed_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT.*Z$/),
      reindexing: false,
      paused: false,
      reindex_started_at: null,
      reindex_timeout: idle.reindex_timeout,
      reindex_last_result: expect.any(Object),
      reindex_last_error: null,
      vectors: { state: 'unavailable', made: 0, error: expect.any(String) },
      progress: null,
    })
    const { providers, ...lists } = (await ask(stage, 'GET', '/knowledge')).body
    const files = [...Object.values<Json>(lists), ...Object.values<Json>(providers)].flat()
    expect((await status(stage)).knowledge_file_count).toBe(files.length)
  },
  '1.7 last result': async (stage) => {
    await idleIndex(stage)
    await answers(stage, ['POST', REINDEX], { status: 200 })
    const result = await outcome(stage)
    expect(result).toEqual({
      status: 'completed',
      files_processed: (await status(stage)).knowledge_file_count,
      checklist_items_indexed: expect.any(Number),
      vendor_docs_indexed: 0,
      uploads_indexed: expect.any(Number),
      duration_seconds: expect.any(Number),
      errors: [],
    })
    try {
      // A paused run reaches its time limit on any machine.
      await held(stage, { timeout_seconds: 1 })
      expect(await outcome(stage)).toMatchObject({ status: 'timed_out', files_processed: 0 })
      // The limit of one request does not apply to the next.
      await held(stage)
      expect((await status(stage)).reindex_timeout).toBe(null)
      await stop(stage)
    } finally {
      await ask(stage, 'POST', `${REINDEX}/timeout`)
    }
  },
  '1.7 progress': async (stage) => {
    const before = Date.now() / 1000
    await held(stage)
    // Progress is there from the first moment on.
    const { progress, reindex_started_at: started } = await status(stage)
    expect(started).toBeGreaterThan(before - 1)
    expect(started).toBeLessThan(Date.now() / 1000 + 1)
    expect(progress).toEqual({
      phase: expect.stringMatching(/^(?:parsing|indexing_uploads|embedding|done|idle)$/),
      // An addition: the current step in words.
      step: expect.any(String),
      chunks_processed: expect.any(Number),
      total_chunks: expect.any(Number),
      current_batch: expect.any(Number),
      total_batches: expect.any(Number),
      vendor_docs_fetched: 0,
      vendor_docs_total: 0,
      vendor_docs_failed: 0,
      vendor_docs_failed_by_host: {},
      uploads_processed: expect.any(Number),
      uploads_total: expect.any(Number),
    })
    await stop(stage)
  },
  '1.7 incremental': async (stage) => {
    const before = await idleIndex(stage)
    const file = join(stage.library, 'general', 'added.md')
    const item = 'Has the zeppelin hangar been inspected for helium leaks?'
    await writeFile(file, `# Added\n\n## Checklist\n\n- [ ] **[Critical]** ${item}\n`)
    await answers(stage, ['POST', REINDEX], { status: 200 })
    const after = await idleIndex(stage)
    expect(after.total_embeddings).toBe(before.total_embeddings + 1)
    const asked = { query: item, top_k: 1, min_score: 0 }
    const found = await answers(stage, ['POST', SEARCH, asked], { status: 200 })
    expect(found.results[0]).toMatchObject({ checklist_item: item, priority: 'critical' })
  },
  '1.7 moved file': async (stage) => {
    await idleIndex(stage)
    const item = 'Are the carrier pigeons vaccinated before each season?'
    const [from, to] = ['general/pigeons.md', 'failures/pigeons.md']
    await writeFile(join(stage.library, from), `# Pigeons\n\n- [ ] **[Optional]** ${item}\n`)
    for (const path of [from, to]) {
      if (path === to) await rename(join(stage.library, from), join(stage.library, to))
      await answers(stage, ['POST', REINDEX], { status: 200 })
      await idleIndex(stage)
      const { results } = await answers(stage, ['POST', SEARCH, { query: item, top_k: 1 }], {
        status: 200,
      })
      expect([results[0].checklist_item, results[0].source_file]).toEqual([item, path])
    }
  },
}
