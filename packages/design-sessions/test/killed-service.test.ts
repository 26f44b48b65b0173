// Goal: the first start indexes, and a run can be steered; `kill -9` loses no index and no render,
// a stop no render, and no render process survives its service. Method: real processes on one
// directory and the shipped library, one after the other.
import { existsSync, readFileSync, readdirSync } from 'node:fs'
import { IS_NIGHT, byTier } from '@orrery/testkit/tier'
import { describe, expect, test } from 'vitest'
import { type Json, ask, created, newSession, settled } from './ask.ts'
import { hang } from './rendering/hostile-sources.ts'
import { useOwnService } from './service.ts'
import { isHeld, until } from './until.ts'

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

/** Paths of a render that does not end, and of one that waits for its turn or begins. */
let hanging: string
let waiting: string

/** Creates a diagram and starts to render it; its path. */
async function rendering(list: string, values: object): Promise<string> {
  const plain = { name: 'Diagram', artifact_type: 'diagram', engine: 'graphviz' }
  const { id } = await created(service, list, { ...plain, ...values })
  const headers = { prefer: 'respond-async' }
  const { body } = await ask(service, 'POST', `${list}/${id}/render`, { headers })
  expect(body.render_status).toBe('rendering')
  return `${list}/${id}`
}

test('after `kill -9` a service finds the same, and goes on to index and to render', async () => {
  const before = (await search({ query: 'restore a backup' })).body
  expect(before.total_results).toBeGreaterThan(0)
  const list = `${(await newSession(service)).path}/artifacts`
  hanging = await rendering(list, { source_code: hang() })
  waiting = await rendering(
    list,
    byTier({
      gate: { source_code: 'digraph { a -> b }' },
      // It takes longer to load.
      night: { engine: 'mermaid', source_code: 'flowchart LR\n a --> b' },
    }),
  )
  await ask(service, 'POST', '/knowledge/reindex', { json: { force: true } })
  const children = childrenOf(service.pid)
  await service.kill()
  await allEnded(children)

  await service.start()
  // At once: a search waits for the index of its process.
  expect((await search({ query: 'restore a backup' })).body).toEqual(before)
  const drawn = await settled(service, waiting)
  expect(drawn.render_error ?? drawn.render_status).toBe('success')
  // What hangs need not take the processor as well.
  for (const pid of childrenOf(service.pid)) {
    if (textOf(pid, 'cmdline').includes('child-main')) process.kill(pid, 'SIGSTOP')
  }
  const done = await idle()
  expect(done.reindex_last_result.status).toBe('completed')
  expect((await search({ query: 'restore a backup' })).body).toEqual(before)
})

test('a render that hangs delays no other request', async () => {
  const paths = ['/clients', 'health/ready']
  const beside = await Promise.all(paths.map((path) => ask(service, 'GET', path)))
  expect(beside.map(({ status }) => status)).toEqual([200, 200])
  expect((await ask(service, 'GET', hanging)).body.render_status).toBe('rendering')
})

test('nothing is found after clearing', async () => {
  const { body } = await ask(service, 'POST', '/knowledge/reindex/clear')
  expect(body).toMatchObject({ status: 'cleared' })
  expect(body.deleted).toBeGreaterThan(100)
  expect((await search({ query: 'restore' })).status).toBe(400)
})

test('a stop ends the render processes', async () => {
  const children = childrenOf(service.pid)
  expect(await service.stop()).toBe(0)
  await allEnded(children)
})

// By day render-requests.test.ts notices a start that loses what a stop has broken off.
test.runIf(IS_NIGHT)('what a stop has broken off is rendered after the next start', async () => {
  await service.start({ RENDER_SECONDS_MAX: '1' })
  expect(await settled(service, hanging)).toMatchObject({
    render_status: 'error',
    render_error: 'Render timed out after 1s',
  })
})

const LISTS_PROCESSES = existsSync('/proc/self/status')

async function allEnded(pids: readonly number[]): Promise<void> {
  expect(pids.length > 0).toBe(LISTS_PROCESSES)
  await until(
    () => pids.filter(isAlive),
    ({ length }) => length === 0,
  )
}

function childrenOf(pid: number | undefined): number[] {
  if (!LISTS_PROCESSES) return []
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(Number)
    .filter((child) => textOf(child, 'status').includes(`\nPPid:\t${pid}\n`))
}

function isAlive(pid: number): boolean {
  // A zombie has ended.
  return /^State:\s+[^ZX]/m.test(textOf(pid, 'status'))
}

/** Of a process; empty once it has ended. */
function textOf(pid: number, file: 'status' | 'cmdline'): string {
  try {
    return readFileSync(`/proc/${pid}/${file}`, 'utf8')
  } catch {
    return ''
  }
}
