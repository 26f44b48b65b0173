// Goal: rendering over HTTP keeps its contract: final status or `rendering`, last good files on an
// error, bounded waiting, and nothing lost by `kill -9`. Method: real processes on one directory.
import { existsSync, mkdirSync, readFileSync, readdirSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { type Answer, type Json, type Session, ask, created, newSession } from '../ask.ts'
import { type ServiceProcess, dataDirectory, startService } from '../service-process.ts'
import { hang, variableBomb } from './hostile-sources.ts'
import { PATIENCE_MS } from '../patience.ts'

vi.setConfig({ testTimeout: PATIENCE_MS, hookTimeout: PATIENCE_MS })

const directory = dataDirectory()
const library = join(dirname(directory.path), 'library')
const environment = { DATA_DIR: directory.path, KNOWLEDGE_DIR: library }
let service: ServiceProcess
let session: Session

beforeAll(async () => {
  mkdirSync(library)
  service = await startService(environment)
  session = await newSession(service)
})

afterAll(async () => {
  await (service as ServiceProcess | undefined)?.stop()
  directory.remove()
})

function diagram(values: object): Promise<Json> {
  const plain = { name: 'Diagram', artifact_type: 'diagram', engine: 'graphviz' }
  return created(service, `${session.path}/artifacts`, { ...plain, ...values })
}

function place({ id }: Json): string {
  return `${session.path}/artifacts/${id}`
}

function render(artifact: Json, headers: Readonly<Record<string, string>> = {}): Promise<Answer> {
  return ask(service, 'POST', `${place(artifact)}/render`, { headers })
}

async function shown(artifact: Json): Promise<Json> {
  const { body } = await ask(service, 'GET', place(artifact))
  return body
}

/** The artifact once it is no longer `rendering`. */
async function settled(artifact: Json): Promise<Json> {
  for (;;) {
    const now = await shown(artifact)
    if (now.render_status !== 'rendering') return now
    await setTimeout(50)
  }
}

const async = { prefer: 'respond-async' }

test('202 with the final status and names of files, served as pictures only', async () => {
  const artifact = await diagram({ source_code: 'digraph { a -> b [label=asks] }' })
  expect(artifact).toMatchObject({ render_status: 'pending', output_paths: [] })
  const answer = await render(artifact)
  expect(answer.status).toBe(202)
  expect(answer.body).toMatchObject({
    id: artifact.id,
    render_status: 'success',
    render_error: null,
    output_paths: ['diagram.svg'],
    outputs_stale: false,
  })
  const file = await ask(service, 'GET', `${place(artifact)}/outputs/diagram.svg`)
  expect(file.status).toBe(200)
  expect(file.text).toMatch(/^<svg .*asks/s)
  expect(Object.fromEntries(file.headers)).toMatchObject({
    'content-type': 'image/svg+xml',
    'content-disposition': 'inline; filename="diagram.svg"',
    'content-security-policy':
      "sandbox; default-src 'none'; style-src 'unsafe-inline'; img-src data:; font-src data:",
    'x-content-type-options': 'nosniff',
  })
  const png = await fetch(`${service.url}/api/v1${place(artifact)}/outputs/diagram.png`)
  expect(png.headers.get('content-type')).toBe('image/png')
  expect(
    Buffer.from(await png.arrayBuffer())
      .subarray(1, 4)
      .toString(),
  ).toBe('PNG')
})

test('ten at once, of three engines, succeed', async () => {
  const drawing = 'with Diagram("All ten", show=False):\n    Node("a")'
  const python = `from diagrams import Diagram, Node\n${drawing}`
  const sources = [
    ['d2', 'a -> b -> c'],
    ['graphviz', 'digraph { a -> b }'],
    ['mermaid', 'flowchart LR\n a --> b'],
    ['diagrams_py', python],
  ]
  const artifacts = await Promise.all(
    Array.from({ length: 10 }, (_, i) => {
      const [engine, source_code] = sources[i % sources.length]
      return diagram({ engine, source_code })
    }),
  )
  const answers = await Promise.all(artifacts.map((artifact) => render(artifact, async)))
  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([202]))
  const done = await Promise.all(artifacts.map(settled))
  expect(done.map(({ render_status, render_error }) => render_error ?? render_status)).toEqual(
    Array<string>(10).fill('success'),
  )
  expect(done[3].output_paths).toEqual(['all_ten.svg', 'all_ten.png'])
})

test('`respond-async` answers `rendering`; whoever asks meanwhile gets the end too', async () => {
  const artifact = await diagram({ source_code: 'digraph { a }' })
  const answer = await render(artifact, async)
  expect(answer.status).toBe(202)
  expect(answer.headers.get('preference-applied')).toBe('respond-async')
  expect(['rendering', 'success']).toContain(answer.body.render_status)
  const both = await Promise.all([render(artifact), render(artifact)])
  expect(both.map(({ body }) => body.render_status)).toEqual(['success', 'success'])
})

test('a change renders again; an error keeps the last good files', async () => {
  const artifact = await diagram({ source_code: 'digraph { before }' })
  const file = `${place(artifact)}/outputs/diagram.svg`
  await render(artifact)
  const change = { json: { source_code: 'digraph { after }' } }
  const changed = await ask(service, 'PATCH', place(artifact), change)
  expect(changed.body).toMatchObject({ render_status: 'success', outputs_stale: false })
  expect((await ask(service, 'GET', file)).text).toContain('>after<')

  const broken = await ask(service, 'PATCH', place(artifact), {
    json: { source_code: 'no graph' },
  })
  expect(broken.status).toBe(200)
  expect(broken.body).toMatchObject({
    render_status: 'error',
    output_paths: ['diagram.svg'],
    outputs_stale: true,
  })
  expect(broken.body.render_error).toMatch(/syntax error/)
  expect((await ask(service, 'GET', file)).text).toContain('>after<')
  const renamed = await ask(service, 'PATCH', place(artifact), { json: { name: 'Other' } })
  expect(renamed.body.render_status).toBe('error')

  const other = { json: { source_code: 'from diagrams import os', engine: 'diagrams_py' } }
  expect((await ask(service, 'PATCH', place(artifact), other)).body.render_error).toMatch(
    /^line 1: /,
  )
})

test('what cannot be rendered: no source, no artifact, another version', async () => {
  const empty = await diagram({})
  expect(await render(empty)).toMatchObject({
    status: 400,
    body: { detail: 'No source code to render' },
  })
  expect((await shown(empty)).render_status).toBe('pending')
  const other = await newSession(service)
  const elsewhere = `${other.path}/artifacts/${empty.id}`
  expect((await ask(service, 'POST', `${elsewhere}/render`)).status).toBe(404)
  expect((await ask(service, 'GET', `${elsewhere}/outputs/diagram.svg`)).status).toBe(404)
  const nobody = { id: '00000000-0000-4000-8000-000000000000' }
  expect((await render(nobody)).body).toEqual({ detail: 'Artifact not found' })
  expect((await render({ id: 'none' })).status).toBe(422)
})

test.each([
  ['..%2f..%2fetc%2fpasswd', 400],
  ['..%5c..%5csecret', 400],
  ['%252e%252e%252fsecret', 400],
  ['a/b.svg', 400],
  ['diagram.svg%00.png', 400],
  ['diagram.svg', 404],
  ['diagram.png', 404],
  ["x'; drop table artifact; --", 404],
])('outputs/%s is %i', async (filename, status) => {
  const artifact = await diagram({ source_code: 'digraph { a }' })
  expect((await ask(service, 'GET', `${place(artifact)}/outputs/${filename}`)).status).toBe(status)
})

test('a removed artifact takes its files and its rendering along', async () => {
  const artifact = await diagram({ source_code: 'digraph { a }' })
  const file = `${place(artifact)}/outputs/diagram.svg`
  await render(artifact)
  expect((await ask(service, 'GET', file)).status).toBe(200)
  expect((await ask(service, 'DELETE', place(artifact))).status).toBe(204)
  expect((await ask(service, 'GET', file)).status).toBe(404)
  // Two that hang take both children, for as long as the test may take if nobody ends them.
  const hanging = await Promise.all([0, 1].map(() => diagram({ source_code: hang() })))
  for (const one of hanging) await render(one, async)
  for (const one of hanging) {
    expect((await ask(service, 'DELETE', place(one))).status).toBe(204)
  }
  const next = await diagram({ source_code: 'digraph { b }' })
  await render(next)
  expect((await settled(next)).render_status).toBe('success')
})

test('a bomb ends as an error, beside others that go on', async () => {
  const bomb = await diagram({ engine: 'd2', source_code: variableBomb() })
  await render(bomb, async)
  const others = [await ask(service, 'GET', '/clients'), await ask(service, 'GET', 'health/ready')]
  expect(others.map(({ status }) => status)).toEqual([200, 200])
  expect((await shown(bomb)).render_status).toBe('rendering')
  expect(await settled(bomb)).toMatchObject({
    render_status: 'error',
    render_error: expect.stringMatching(/^D2 gave up/),
  })
})

test('killed while it renders, the service takes all up again; its children are gone', async () => {
  const hanging = await diagram({ name: 'hanging', source_code: hang() })
  const waiting = await diagram({ engine: 'mermaid', source_code: 'flowchart LR\n a --> b' })
  await render(hanging, async)
  expect((await render(waiting, async)).body.render_status).toBe('rendering')
  const children = childrenOf(service.pid)
  await service.kill()
  while (children.some(isAlive)) await setTimeout(50)

  service = await startService(environment)
  expect((await shown(hanging)).render_status).toBe('rendering')
  const done = await settled(waiting)
  expect(done.render_error ?? done.render_status).toBe('success')
  // Another source takes the place of the one that hangs.
  const change = { json: { source_code: 'digraph { works }' } }
  expect((await ask(service, 'PATCH', place(hanging), change)).status).toBe(200)
  const changed = await settled(hanging)
  expect(changed).toMatchObject({ render_status: 'success', output_paths: ['diagram.svg'] })
})

test('stopped while it renders, the service leaves the rest to the next', async () => {
  const artifact = await diagram({ source_code: hang() })
  await render(artifact, async)
  expect(await service.stop()).toBe(0)
  service = await startService({ ...environment, RENDER_SECONDS_MAX: '3' })
  expect((await shown(artifact)).render_status).toBe('rendering')
  expect(await settled(artifact)).toMatchObject({
    render_status: 'error',
    render_error: 'Render timed out after 3s',
  })
})

function childrenOf(pid: number | undefined): number[] {
  if (!existsSync('/proc/self/status')) return []
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(Number)
    .filter((child) => statusOf(child).includes(`\nPPid:\t${pid}\n`))
}

function isAlive(pid: number): boolean {
  // One that has ended may still wait to be noticed.
  return /^State:\s+[^ZX]/m.test(statusOf(pid))
}

function statusOf(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/status`, 'utf8')
  } catch {
    return ''
  }
}
