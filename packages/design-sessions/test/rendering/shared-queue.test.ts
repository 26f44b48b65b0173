// Goal: processes that share one database server share one queue: requests keep their places, equal
// requests join, each is rendered once, and none that is no longer wanted. Method: requests added,
// claimed and ended by hand, then queues with real render processes.
import type { Database } from '@orrery/database'
import { createLogger } from '@orrery/http'
import { type PostgresServer, startPostgresServer } from '@orrery/testkit'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest'
import { forClient } from '../../src/client.ts'
import { LEASE_SECONDS } from '../../src/lease.ts'
import { changeArtifact, createArtifact } from '../../src/records/artifact-changes.ts'
import { type Artifact, artifacts } from '../../src/records/artifacts.ts'
import { one } from '../../src/records/table.ts'
import { type RenderQueue, createRenderQueue } from '../../src/rendering/render-queue.ts'
import {
  type Claim,
  addRequest,
  claimRequest,
  endClaim,
  freeDeadClaims,
  isRequested,
  renewClaims,
  returnClaim,
} from '../../src/rendering/render-requests.ts'
import { createRenderer } from '../../src/rendering/renderer.ts'
import { newVersion, openTables } from '../indexing/fixture.ts'
import { PATIENT } from '../renderer.ts'
import { until } from '../until.ts'
import { hang } from './hostile-sources.ts'

const logger = createLogger({ level: 'fatal', destination: 'stderr', secrets: [] })

let postgres: PostgresServer
let database: Database
let versionId: string

beforeAll(async () => {
  postgres = await startPostgresServer()
  database = await openTables({ url: postgres.url })
})

beforeEach(async (context) => {
  await database.sql`delete from render_request`
  versionId = await newVersion(database.sql, context.task.id)
})

afterEach(() => void vi.useRealTimers())

afterAll(async () => {
  await database.close()
  await postgres.stop()
})

const DIAGRAM = { artifact_type: 'diagram', engine: 'graphviz', detail_level: 'logical' } as const
const DOCUMENT = { artifact_type: 'document', engine: 'markdown', detail_level: 'logical' } as const

function made(kind: typeof DIAGRAM | typeof DOCUMENT, source_code: string): Promise<Artifact> {
  const values = { ...kind, name: source_code, source_code, sort_order: 0 }
  return createArtifact(database.sql, versionId, values)
}

async function claimed(): Promise<Claim> {
  const claim = await claimRequest(database.sql)
  if (!claim) throw new Error('nothing waits')
  return claim
}

function files(text: string): Parameters<typeof endClaim>[2] {
  const bytes = Buffer.from(text)
  return { outputs: [{ filename: 'document.html', contentType: 'text/html', bytes }], notes: [] }
}

async function shown({ id }: Artifact): Promise<Artifact> {
  return one<Artifact>(database.sql, artifacts, { id })
}

test('a repeated request keeps its place, even with another source', async () => {
  const { sql } = database
  const first = await made(DIAGRAM, 'digraph { a }')
  const second = await made(DIAGRAM, 'digraph { b }')
  await addRequest(sql, first.id)
  await addRequest(sql, second.id)
  await addRequest(sql, first.id)
  const changes = { source_code: 'digraph { c }' }
  const place = { id: first.id, parentId: versionId }
  await changeArtifact(sql, place, changes, { now: new Date(), revision: undefined })
  await addRequest(sql, first.id)
  const order = [await claimed(), await claimed()]
  expect(order.map(({ artifact }) => artifact.source_code)).toEqual([
    'digraph { c }',
    'digraph { b }',
  ])
  expect(await claimRequest(sql)).toBeUndefined()
})

test('concurrent requests of a document render it once, claimed or not', async () => {
  const { sql } = database
  const document = await made(DOCUMENT, '# Handbook')
  const asked = (): Promise<unknown> =>
    Promise.all(Array.from({ length: 5 }, () => addRequest(sql, document.id)))
  await asked()
  const claim = await claimed()
  await asked()
  expect(await claimRequest(sql)).toBeUndefined()
  expect(await renewClaims(sql, [claim.ordinal])).toEqual(new Set([claim.ordinal]))
  await endClaim(sql, claim, files('made'))
  expect(await isRequested(sql, document.id)).toBe(false)
  const { render_status: status, output_paths: paths } = await shown(document)
  expect({ status, paths }).toEqual({ status: 'success', paths: ['document.html'] })
})

test('a change of its version renders a document again; the old result is lost', async () => {
  const { sql } = database
  const document = await made(DOCUMENT, '# Handbook')
  await addRequest(sql, document.id)
  const older = await claimed()
  await made(DIAGRAM, 'digraph { late }')
  await addRequest(sql, document.id)
  expect(await renewClaims(sql, [older.ordinal])).toEqual(new Set())
  const newer = await claimed()
  await endClaim(sql, older, files('older'))
  expect((await shown(document)).render_status).toBe('rendering')
  await endClaim(sql, newer, files('newer'))
  expect((await shown(document)).render_status).toBe('success')
  const rows = await sql<{ bytes: Uint8Array }[]>`
    select bytes from render_output where artifact_id = ${document.id}`
  expect(rows.map(({ bytes }) => Buffer.from(bytes).toString())).toEqual(['newer'])
})

test.each(['adr', 'question', 'coverage_item'])(
  'a document is rendered again after a change of its %s records',
  async (table) => {
    const { sql } = database
    const document = await made(DOCUMENT, '# Handbook')
    await addRequest(sql, document.id)
    const older = await claimed()
    const prose = { context: 'C', decision: 'D', consequences: 'E' }
    const item = { knowledge_file: 'f.md', item_text: 'I', priority: 'Critical' }
    const rows: Readonly<Record<string, Record<string, string | number>>> = {
      adr: { adr_number: 1, title: 'T', status: 'proposed', ...prose },
      question: { question_text: 'Q', status: 'open', category: 'cost' },
      coverage_item: { ...item, status: 'pending' },
    }
    await sql`insert into ${sql(table)} ${sql({ version_id: versionId, ...rows[table] })}`
    await addRequest(sql, document.id)
    expect(await renewClaims(sql, [older.ordinal])).toEqual(new Set())
  },
)

test('a claim that is not renewed for 10 s is free again, and no other', async () => {
  const { sql } = database
  const [older, newer] = [
    await made(DIAGRAM, 'digraph { a }'),
    await made(DIAGRAM, 'digraph { b }'),
  ]
  for (const { id } of [older, newer]) await addRequest(sql, id)
  const claims = [await claimed(), await claimed()]
  const pass = (seconds: number): Promise<unknown> =>
    sql`update render_request set taken_until = taken_until - make_interval(secs => ${seconds})`
  await pass(5)
  expect(await claimRequest(sql)).toBeUndefined()
  await renewClaims(sql, [claims[1].ordinal])
  await pass(5)
  expect(await claimed()).toMatchObject({ artifact: { id: older.id }, isHopeless: false })
  expect(await claimRequest(sql)).toBeUndefined()
})

test('a claim that is returned waits for its pause', async () => {
  const { sql } = database
  const { id } = await made(DIAGRAM, 'digraph { a }')
  await addRequest(sql, id)
  await returnClaim(sql, await claimed(), 60)
  expect(await claimRequest(sql)).toBeUndefined()
  await sql`update render_request set taken_until = taken_until - make_interval(secs => 60)`
  expect(await claimed()).toMatchObject({ artifact: { id } })
})

test('a request is hopeless after three claims that ended without a result', async () => {
  const { sql } = database
  const { id } = await made(DIAGRAM, 'digraph { a }')
  await addRequest(sql, id)
  // Claims that were given back do not count.
  for (let i = 0; i < 4; i++) await returnClaim(sql, await claimed(), 0)
  for (const isHopeless of [false, false, false, true]) {
    expect((await claimed()).isHopeless).toBe(isHopeless)
    await freeDeadClaims(sql)
  }
})

test('clients take turns, small sources first, and large ones are not passed over', async () => {
  const { sql } = database
  const queued = async (client: string, source: string): Promise<void> =>
    addRequest(sql, (await made(DIAGRAM, source)).id, client)
  const next = async (busy: readonly string[] = []): Promise<string> => {
    const claim = await claimRequest(sql, busy)
    return claim ? `${claim.client} ${claim.artifact.name.slice(0, 2)}` : ''
  }
  for (const name of ['a0', 'a1', 'a2', 'a3']) await queued('heavy', name)
  expect([await next(), await next()]).toEqual(['heavy a0', 'heavy a1'])
  await queued('late', `b0${' '.repeat(2048)}`)
  await queued('later', 'c0')
  await queued('later', 'c1')
  expect(await next(['heavy', 'later'])).toBe('late b0')
  expect([await next(), await next(), await next()]).toEqual(['heavy a2', 'later c0', 'heavy a3'])
  expect(await next(['later'])).toBe('')
  expect(await next()).toBe('later c1')

  await queued('large', `d0${' '.repeat(10_240)}`)
  const served: string[] = []
  for (let i = 0; i < 20 && !served.includes('large d0'); i++) {
    await queued(`new ${i}`, 'e0')
    served.push(await next())
  }
  expect(served[0]).toBe('new 0 e0')
  expect(served.at(-1)).toBe('large d0')
})

test('the queue refuses a client 500 of whose artifacts wait, and no other', async () => {
  const { sql } = database
  const { id } = await made(DIAGRAM, 'digraph { a }')
  await sql`
    with filler as (
      insert into artifact (version_id, name, artifact_type, engine, detail_level, source_code)
      select ${versionId}, 'A', 'diagram', 'graphviz', 'logical', 'digraph {}'
      from generate_series(1, 500) returning id
    )
    insert into render_request (artifact_id, subject) select id, '' from filler`
  await expect(addRequest(sql, id)).rejects.toMatchObject({ status: 503 })
  const other = await made(DIAGRAM, 'digraph { b }')
  await addRequest(sql, other.id, 'other')
  expect(await isRequested(sql, other.id)).toBe(true)
  await claimed().then((claim) => endClaim(sql, claim, { error: 'no' }))
  await addRequest(sql, id)
  expect(await isRequested(sql, id)).toBe(true)
})

interface OpenQueue extends RenderQueue {
  /** inputs of its renders, as they begin */
  readonly rendered: readonly string[]
}

/** A queue as in a process of its own, by default with one render process. */
async function openQueue(children = 1): Promise<OpenQueue> {
  const connection = await openTables({ url: postgres.url })
  const renderer = createRenderer({ ...PATIENT, children })
  const rendered: string[] = []
  const run: typeof renderer.run = async (kind, input, signal) => {
    rendered.push(JSON.stringify(typeof input === 'function' ? await input() : input))
    return renderer.run(kind, input, signal)
  }
  const { sql } = connection
  const queue = createRenderQueue({ sql, logger, renderer: { ...renderer, run } })
  return { ...queue, rendered, close: () => queue.close().then(() => connection.close()) }
}

test('two queues share the work, and render nothing twice', async () => {
  const diagrams = await Promise.all(
    Array.from({ length: 8 }, (_, i) => made(DIAGRAM, `digraph { n${i} }`)),
  )
  const both = [await openQueue(), await openQueue()]
  const answers = await Promise.all(
    diagrams.flatMap(({ id }) =>
      both.map((queue) => queue.request(id, { waitMs: PATIENT.timeoutMs })),
    ),
  )
  expect(answers.map(({ render_status: status }) => status)).toEqual(
    Array<string>(16).fill('success'),
  )
  const rendered = both.flatMap((queue) => queue.rendered)
  expect(new Set(rendered).size).toBe(8)
  expect(rendered).toHaveLength(8)
  for (const one of both) await one.close()
})

test('a client is served while the renders of another hang', async () => {
  const queue = await openQueue(3)
  const hanging = await Promise.all(Array.from({ length: 4 }, () => made(DIAGRAM, hang())))
  for (const { id } of hanging) await forClient('a', () => queue.request(id, { waitMs: 0 }))
  await until(
    () => queue.rendered.length,
    (count) => count === 2,
  )
  const { id } = await made(DIAGRAM, 'digraph { a -> b }')
  const waitMs = PATIENT.timeoutMs
  const drawn = await forClient('b', () => queue.request(id, { waitMs }))
  expect(drawn.render_status).toBe('success')
  expect(queue.rendered).toHaveLength(3)
  await queue.close()
})

/** The status of an artifact after its render, while the claims of a queue are renewed. */
async function settledByRenewals(queue: RenderQueue, id: string): Promise<string> {
  let status = ''
  const asked = queue.request(id, { waitMs: PATIENT.timeoutMs }).then((artifact) => {
    status = artifact.render_status
  })
  const renewed = (): string => {
    vi.advanceTimersByTime(LEASE_SECONDS * 1000)
    return status
  }
  await until(renewed, (one) => one !== '')
  await asked
  return status
}

test('a hanging render ends once its source is replaced or its artifact removed', async () => {
  const { sql } = database
  // Only the intervals of renewals are simulated.
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
  const queue = await openQueue()
  const hanging = async (): Promise<Artifact> => {
    const begun = queue.rendered.length
    const artifact = await made(DIAGRAM, hang())
    expect((await queue.request(artifact.id, { waitMs: 0 })).render_status).toBe('rendering')
    await until(
      () => queue.rendered.length,
      (count) => count > begun,
    )
    return artifact
  }
  const replaced = await hanging()
  const place = { id: replaced.id, parentId: versionId }
  const changes = { source_code: 'digraph { works }' }
  await changeArtifact(sql, place, changes, { now: new Date(), revision: undefined })
  expect(await settledByRenewals(queue, replaced.id)).toBe('success')
  const removed = await hanging()
  await sql`delete from artifact where id = ${removed.id}`
  // The only process is free again.
  const next = await made(DIAGRAM, 'digraph { next }')
  expect(await settledByRenewals(queue, next.id)).toBe('success')
  await queue.close()
})
