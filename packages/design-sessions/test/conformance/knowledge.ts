// Sections 1.2, 1.6 and 1.7: the library, searching and indexing it.
import { rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect } from 'vitest'
import { type Json, ask, created, newSession } from '../ask.ts'
import { type Cases, type Stage, answers, idleIndex, wrong } from './case.ts'

const SEARCH = '/knowledge/search'
const REINDEX = '/knowledge/reindex'
const THREAT = 'Has a threat model been drawn for every trust boundary?'

const RESULT_FIELDS = [
  'checklist_item',
  'content',
  'id',
  'matched_terms',
  'priority',
  'score',
  'section',
  'source_file',
  'source_type',
]

async function status(stage: Stage): Promise<Json> {
  return answers(stage, ['GET', `${REINDEX}/status`], { status: 200 })
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
    // Else it ended before the pause came, and another is started.
    if (pause.status === 200 && (await status(stage)).reindexing) {
      expect(pause.body).toEqual({ status: 'paused' })
      return
    }
  }
}

async function stop(stage: Stage): Promise<void> {
  await answers(stage, ['POST', `${REINDEX}/stop`], { status: 200, body: { status: 'stopping' } })
}

/** What the last reindex came to. */
async function outcome(stage: Stage): Promise<Json> {
  return (await idleIndex(stage)).reindex_last_result
}

export const knowledge: Cases = {
  '1.2 GET /knowledge': async (stage) => {
    const groups = await answers(stage, ['GET', '/knowledge'], { status: 200 })
    expect(Object.keys(groups).toSorted()).toEqual(
      ['compliance', 'failures', 'frameworks', 'general', 'patterns', 'providers'].toSorted(),
    )
    const { providers, ...lists } = groups
    for (const files of [...Object.values<Json>(lists), ...Object.values<Json>(providers)]) {
      expect(files.length).toBeGreaterThan(0)
      expect(Object.keys(files[0]).toSorted()).toEqual(['category', 'name', 'path'])
    }
  },
  '1.2 GET /knowledge/{path}': async (stage) => {
    const path = 'providers/aws/'
    const { providers } = await answers(stage, ['GET', '/knowledge'], { status: 200 })
    const [file] = providers.aws
    expect(file.path.startsWith(path)).toBe(true)
    const read = await answers(stage, ['GET', `/knowledge/${file.path}`], { status: 200 })
    expect(Object.keys(read).toSorted()).toEqual(['content', 'name', 'path'])
    const bad = { status: 400, body: 'Invalid path' }
    for (const wrongPath of ['general/..%2f..%2fpackage.json', 'general%5Cx.md', '%2Fetc/passwd']) {
      await answers(stage, ['GET', `/knowledge/${wrongPath}`], bad)
    }
    const none = { status: 404, body: 'Knowledge file not found' }
    await answers(stage, ['GET', '/knowledge/general/none.md'], none)
  },
  '1.2 POST /knowledge/search': async (stage) => {
    await idleIndex(stage)
    const found = await answers(stage, ['POST', SEARCH, { query: THREAT, top_k: 20 }], {
      status: 200,
    })
    expect(found.results.map((one: Json) => one.source_file)).toContain('general/security.md')
    await answers(stage, ['POST', SEARCH, {}], { status: 422, body: wrong('body', 'query') })
  },
  '1.2 GET /knowledge/search': async (stage) => {
    await idleIndex(stage)
    const q = encodeURIComponent(THREAT)
    const link = `${SEARCH}?q=${q}&top_k=3&min_score=0.2&priority=critical`
    const sent = { query: THREAT, top_k: 3, min_score: 0.2, priority_filter: 'critical' }
    const found = await answers(stage, ['POST', SEARCH, sent], { status: 200 })
    await answers(stage, ['GET', link], { status: 200, body: found })
    for (const score of ['0.30000000000000004', '1e-7', '1.0', '']) {
      await answers(stage, ['GET', `${SEARCH}?q=x&priority=&min_score=${score}`], { status: 200 })
    }
    const few = await answers(stage, ['GET', `${SEARCH}?q=${q}`], { status: 200 })
    expect(few.results.every((one: Json) => one.score >= 0.4)).toBe(true)
    await answers(stage, ['GET', SEARCH], { status: 422, body: wrong('query', 'q') })
  },
  '1.6 request': async (stage) => {
    await idleIndex(stage)
    for (const [field, values] of Object.entries({
      query: [null, 1],
      top_k: [0, 51, 1.5, '5'],
      min_score: [-0.1, 1.1],
      exclude_files: ['general/security.md', [1]],
      priority_filter: ['high'],
    })) {
      for (const value of values) {
        const sent = { query: 'x', [field]: value }
        const place = Array.isArray(value) ? [field, '0'] : [field]
        const refused = await answers(stage, ['POST', SEARCH, sent], { status: 422 })
        expect(refused.detail[0].loc.map(String)).toEqual(['body', ...place])
      }
    }
    const file = 'general/security.md'
    const sent = { query: THREAT, min_score: 0, top_k: 50, exclude_files: [file] }
    const { results } = await answers(stage, ['POST', SEARCH, sent], { status: 200 })
    expect(results).toHaveLength(50)
    expect(results.map((one: Json) => one.source_file)).not.toContain(file)
    for (const priority of ['critical', 'recommended', 'optional']) {
      const filtered = { query: THREAT, min_score: 0, priority_filter: priority }
      const found = await answers(stage, ['POST', SEARCH, filtered], { status: 200 })
      expect(new Set(found.results.map((one: Json) => one.priority))).toEqual(new Set([priority]))
      expect(found.results).toHaveLength(10)
    }
    await answers(stage, ['POST', SEARCH, { query: '' }], { status: 200 })
  },
  '1.6 response': async (stage) => {
    await idleIndex(stage)
    const query = 'backups of databases, and restoring them'
    const found = await answers(stage, ['POST', SEARCH, { query, top_k: 50 }], { status: 200 })
    expect(Object.keys(found).toSorted()).toEqual(['query', 'results', 'total_results'])
    expect([found.query, found.total_results]).toEqual([query, found.results.length])
    const scores = found.results.map((one: Json) => one.score)
    expect(scores).toEqual(scores.toSorted((a: number, b: number) => b - a))
    expect(scores.length).toBeGreaterThan(0)
    for (const result of found.results) {
      expect(Object.keys(result).toSorted()).toEqual(RESULT_FIELDS)
      expect(result.score).toBeGreaterThanOrEqual(0.3)
      expect(result.score).toBeLessThanOrEqual(1)
    }
  },
  '1.6 not indexed': async (stage) => {
    await idleIndex(stage)
    await answers(stage, ['POST', `${REINDEX}/clear`], { status: 200 })
    const refused = await answers(stage, ['POST', SEARCH, { query: THREAT }], { status: 400 })
    expect(refused.detail).toContain('not indexed')
    await answers(stage, ['GET', `${SEARCH}?q=x`], { status: 400 })
    const { path } = await newSession(stage)
    const question = await created(stage, `${path}/questions`, { question_text: THREAT })
    expect(question.suggestions).toEqual([])
  },
  '1.6 suggestions': async (stage) => {
    await idleIndex(stage)
    const { path } = await newSession(stage)
    const asked = await created(stage, `${path}/questions`, { question_text: THREAT })
    const place = `${path}/questions/${asked.id}`
    const answer_text = 'How are backups restored, and who tests the restore?'
    const answered = await answers(stage, ['PATCH', place, { answer_text }], { status: 200 })
    for (const { suggestions } of [asked, answered]) {
      expect(suggestions.length).toBeGreaterThan(0)
      expect(suggestions.length).toBeLessThanOrEqual(5)
      for (const { score, checklist_item } of suggestions) {
        expect(score).toBeGreaterThanOrEqual(0.4)
        expect(checklist_item).not.toBe('')
      }
    }
    // Question and answer together are what is searched for.
    const sources = (one: Json): string[] => one.suggestions.map((hit: Json) => hit.checklist_item)
    expect(sources(answered)).not.toEqual(sources(asked))
  },
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
      const body = wrong('body', field)
      await answers(stage, ['POST', REINDEX, { [field]: value }], { status: 422, body })
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
    await answers(stage, ['POST', SEARCH, { query: THREAT }], { status: 200 })
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
      await answers(stage, ['POST', `${REINDEX}/timeout?seconds=${seconds}`], {
        status: 422,
        body: wrong('query', 'seconds'),
      })
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
      // Held, so that no machine is fast enough to end it in time.
      await held(stage, { timeout_seconds: 1 })
      expect(await outcome(stage)).toMatchObject({ status: 'timed_out', files_processed: 0 })
      // What one request allows itself binds no other.
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
    // From the first moment on.
    const { progress, reindex_started_at: started } = await status(stage)
    expect(started).toBeGreaterThan(before - 1)
    expect(started).toBeLessThan(Date.now() / 1000 + 1)
    expect(progress).toEqual({
      phase: expect.stringMatching(/^(?:parsing|indexing_uploads|embedding|done|idle)$/),
      // Ours: what is being done, in words.
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
  '1.2 POST /chat': async (stage) => {
    // Left out on purpose: assistants come by the tools at /mcp.
    await answers(stage, ['POST', '/chat', {}], { status: 404, body: 'Not Found' })
  },
}
