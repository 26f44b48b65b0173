// Goal: equal requests are rendered once, none that is no longer wanted is, and none is lost.
// Method: queues with real render processes on one database, one after the other.
import { setImmediate } from 'node:timers/promises'
import { createLogger } from '@orrery/http'
import { IS_NIGHT } from '@orrery/testkit/tier'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { forClient } from '../../src/client.ts'
import { Documents } from '../../src/documents/documents.ts'
import {
  changeArtifact,
  createArtifact,
  type Artifact,
  artifacts,
} from '../../src/records/artifacts.ts'
import { one } from '../../src/tables/table.ts'
import { RenderError } from '../../src/render-error.ts'
import { type QueueParts, RenderQueue } from '../../src/rendering/render-queue.ts'
import { Renderer } from '../../src/rendering/renderer.ts'
import { newVersion, useTables } from '../indexing/fixture.ts'
import { PATIENT } from '../renderer.ts'
import { until } from '../until.ts'
import { hang } from './hostile-sources.ts'

const logger = createLogger({ level: 'fatal', destination: 'stderr', secrets: [] })
const tables = useTables()
const waitMs = PATIENT.timeoutMs

let versionId: string
let queue: RenderQueue
/** kinds of jobs, as they begin */
let begun: string[]

/** A queue as after a start. */
async function opened(children = 1): Promise<RenderQueue> {
  const { sql } = tables
  const processes = new Renderer({ ...PATIENT, children })
  const run: typeof processes.run = async (kind, input, signal) => {
    const made = typeof input === 'function' ? await input() : input
    begun.push(kind)
    return processes.run(kind, made, signal)
  }
  const renderer = { run, close: () => processes.close() }
  const documents = new Documents({ sql, renderer })
  const started = new RenderQueue({ sql, logger, renderer, documents })
  await started.resume()
  return started
}

beforeEach(async (context) => {
  versionId = await newVersion(tables.sql, context.task.id)
  begun = []
  queue = await opened()
})

afterEach(async () => {
  vi.useRealTimers()
  await queue.close()
  await tables.sql`delete from artifact`
})

const DIAGRAM = { artifact_type: 'diagram', engine: 'graphviz', detail_level: 'logical' } as const
const DOCUMENT = { artifact_type: 'document', engine: 'markdown', detail_level: 'logical' } as const

function made(kind: typeof DIAGRAM | typeof DOCUMENT, source_code: string): Promise<Artifact> {
  const values = { ...kind, name: source_code.slice(0, 20), source_code, sort_order: 0 }
  return createArtifact(tables.sql, versionId, values)
}

async function change({ id }: Artifact, source_code: string): Promise<void> {
  const place = { id, parentId: versionId }
  await changeArtifact(tables.sql, place, { source_code }, { now: new Date(), revision: undefined })
}

async function status({ id }: Artifact): Promise<string> {
  return (await one<Artifact>(tables.sql, artifacts, { id })).render_status
}

/** Starts a render that does not end. */
async function hanging(kind: typeof DIAGRAM | typeof DOCUMENT, source: string): Promise<Artifact> {
  const before = begun.length
  const artifact = await made(kind, source)
  expect((await queue.request(artifact.id, { waitMs: 0 })).render_status).toBe('rendering')
  await until(
    () => begun.length,
    (count) => count > before,
  )
  return artifact
}

const HANGING_DOCUMENT = `# Handbook\n\n\`\`\`dot\n${hang()}\n\`\`\`\n`

test('concurrent requests render an artifact once', async () => {
  const { id } = await made(DIAGRAM, 'digraph { a }')
  const answers = await Promise.all(Array.from({ length: 5 }, () => queue.request(id, { waitMs })))
  expect(new Set(answers.map(({ render_status: status }) => status))).toEqual(new Set(['success']))
  expect(begun).toEqual(['diagram'])
})

test('a document is rendered again after a change of its records, and only then', async () => {
  const { sql } = tables
  const prose = { context: 'C', decision: 'D', consequences: 'E' }
  const item = { knowledge_file: 'f.md', item_text: 'I', priority: 'Critical' }
  const rows: Readonly<Record<string, Record<string, string | number>>> = {
    artifact: { ...DIAGRAM, name: 'N' },
    adr: { adr_number: 1, title: 'T', status: 'proposed', ...prose },
    question: { question_text: 'Q', status: 'open', category: 'cost' },
    coverage_item: { ...item, status: 'pending' },
  }
  const document = await hanging(DOCUMENT, HANGING_DOCUMENT)
  for (const [i, [table, row]] of Object.entries(rows).entries()) {
    await queue.request(document.id, { waitMs: 0 })
    await sql`insert into ${sql(table)} ${sql({ version_id: versionId, ...row })}`
    expect([table, begun.length]).toEqual([table, i + 1])
    await queue.request(document.id, { waitMs: 0 })
    await until(
      () => begun,
      ({ length }) => length === i + 2,
    )
  }
})

// By day limits.test.ts and render-line.test.ts notice a client that takes what is left to others.
test.runIf(IS_NIGHT)('a client is served while the renders of another hang', async () => {
  await queue.close()
  queue = await opened(3)
  const all = await Promise.all(Array.from({ length: 4 }, () => made(DIAGRAM, hang())))
  for (const { id } of all) await forClient('a', () => queue.request(id, { waitMs: 0 }))
  await until(
    () => begun.length,
    (count) => count === 2,
  )
  const { id } = await made(DIAGRAM, 'digraph { a -> b }')
  const drawn = await forClient('b', () => queue.request(id, { waitMs }))
  expect(drawn.render_status).toBe('success')
  expect(begun).toHaveLength(3)
})

test('a hanging render ends once its source is replaced or its artifact removed', async () => {
  // Only the interval at which removed artifacts are looked for is simulated.
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
  await queue.close()
  queue = await opened()
  const replaced = await hanging(DIAGRAM, hang())
  await change(replaced, 'digraph { works }')
  expect((await queue.request(replaced.id, { waitMs })).render_status).toBe('success')
  const removed = await hanging(DIAGRAM, hang())
  await tables.sql`delete from artifact where id = ${removed.id}`
  // The only process is free again.
  const next = await made(DIAGRAM, 'digraph { next }')
  await queue.request(next.id, { waitMs: 0 })
  await until(
    () => {
      vi.advanceTimersByTime(2000)
      return status(next)
    },
    (one) => one === 'success',
  )
})

test('a render that begins while removed artifacts are looked for goes on', async () => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
  const answer = Promise.withResolvers<void>()
  const looks: Promise<unknown>[] = []
  const sql = new Proxy(tables.sql, {
    apply: (target, self, args: [TemplateStringsArray]) => {
      const query: unknown = Reflect.apply(target, self, args)
      if (!args[0][0]?.startsWith('select id from artifact')) return query
      return looks[looks.push(Promise.all([query, answer.promise]).then(([rows]) => rows)) - 1]
    },
  })
  const signals: (AbortSignal | undefined)[] = []
  const ends = Promise.withResolvers<never>()
  const renderer: QueueParts['renderer'] = {
    run: (_kind, _input, signal) => {
      signals.push(signal)
      return ends.promise
    },
    close: async () => ends.reject(new RenderError('ERR_RENDER_CLOSED', 'closed')),
  }
  await queue.close()
  queue = new RenderQueue({ sql, logger, renderer })
  for (const count of [1, 2]) {
    const { id } = await made(DIAGRAM, 'digraph { a }')
    await queue.request(id, { waitMs: 0 })
    await until(
      () => signals,
      ({ length }) => length === count,
    )
    // The first only is there when the look begins.
    if (count === 1) vi.advanceTimersByTime(2000)
  }
  answer.resolve()
  await Promise.all(looks)
  await setImmediate()
  expect([looks.length, ...signals.map((signal) => signal?.aborted)]).toEqual([1, false, false])
})

test('a start goes on with what is left, not with what ended the service three times', async () => {
  const { sql } = tables
  const poison = await hanging(DIAGRAM, hang())
  const waiting = await made(DIAGRAM, 'digraph { a }')
  await queue.request(waiting.id, { waitMs: 0 })
  // Stops do not count.
  for (let i = 0; i < 3; i++) {
    await queue.close()
    queue = await opened()
    expect(await status(poison)).toBe('rendering')
  }
  await queue.close()
  // As after three ends without a stop.
  await sql`update render_request set attempts = 3 where artifact_id = ${poison.id}`
  queue = await opened()
  expect((await queue.request(waiting.id, { waitMs })).render_status).toBe('success')
  expect(await one<Artifact>(sql, artifacts, { id: poison.id })).toMatchObject({
    render_status: 'error',
    render_error: 'Render was broken off several times',
  })
  expect(await sql`select 1 from render_request`).toEqual([])
})
