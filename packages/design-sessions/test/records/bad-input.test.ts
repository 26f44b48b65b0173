// Goal: whatever is sent, the records answer as the contract says and never with 500. Method: one
// service takes every case.
import { readdirSync } from 'node:fs'
import { connect } from 'node:net'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { type Place, type Session, ask, created, newName, newSession } from '../ask.ts'
import { described } from '../described.ts'
import { type ServiceProcess, dataDirectory, startService } from '../service-process.ts'
import { NOBODY } from './row.ts'
import { PATIENCE_MS } from '../patience.ts'

vi.setConfig({ testTimeout: PATIENCE_MS, hookTimeout: PATIENCE_MS })

const directory = dataDirectory()
let running: ServiceProcess
let service: Place
let session: Session

beforeAll(async () => {
  running = await startService({
    DATA_DIR: directory.path,
    KNOWLEDGE_DIR: directory.emptyLibrary,
  })
  service = await described(running)
  session = await newSession(service)
})

afterAll(async () => {
  await (running as ServiceProcess | undefined)?.stop()
  directory.remove()
})

const DECISION = { title: 'T', context: 'C', decision: 'D', consequences: 'E' }
const ITEM = { knowledge_file: 'f.md', item_text: 'I', priority: 'Critical' }
const DIAGRAM = { name: 'N', artifact_type: 'diagram' }

/** Kinds of records, a good body of each, and what is bad of it. */
const KINDS: readonly (readonly [path: string, good: object, bad: readonly object[]])[] = [
  [
    '/clients',
    { name: 'N' },
    [{ logo_path: 'x'.repeat(501) }, { metadata: null }, { metadata: [] }, { metadata: 'a' }],
  ],
  [
    '/clients/{client}/projects',
    { name: 'N' },
    [
      { cloud_providers: 'aws' },
      { cloud_providers: [''] },
      { cloud_providers: [1] },
      { cloud_providers: null },
      { cloud_providers: Array.from({ length: 500_000 }, () => 0) },
      { status: 'done' },
      { architecture_pattern: 'spaghetti' },
      { description: 1 },
    ],
  ],
  [
    '/projects/{project}/versions',
    {},
    [
      { version_number: '' },
      { version_number: ' ' },
      { version_number: null },
      { version_number: '1'.repeat(21) },
      { version_number: 1 },
      { label: 'x'.repeat(256) },
      { status: 'DRAFT' },
    ],
  ],
  [
    '/versions/{version}/questions',
    { question_text: 'Q' },
    [
      { question_text: '  ' },
      { question_text: 'x'.repeat(100_001) },
      { status: null },
      { category: '' },
    ],
  ],
  [
    '/versions/{version}/adrs',
    DECISION,
    [
      { title: 'x'.repeat(256) },
      { context: null },
      { decision: '' },
      { consequences: [] },
      { status: 7 },
    ],
  ],
  [
    '/versions/{version}/coverage',
    ITEM,
    [
      { knowledge_file: 'x'.repeat(256) },
      { item_text: '\n' },
      { priority: 'urgent' },
      { priority: null },
      { status: 'done' },
      { question_id: 'q' },
      { question_id: NOBODY },
    ],
  ],
  [
    '/versions/{version}/inventory',
    { name: 'N', data: '' },
    [
      { data: null },
      { data: {} },
      { data_type: 'x'.repeat(51) },
      { sort_order: 1.5 },
      { sort_order: 2 ** 31 },
    ],
  ],
  [
    '/versions/{version}/artifacts',
    DIAGRAM,
    [
      { artifact_type: 'picture' },
      { detail_level: null },
      { engine: 'visio' },
      { source_code: 'x'.repeat(262_145) },
      { source_code: '€'.repeat(90_000) },
      { sort_order: '1' },
    ],
  ],
]

function filled(path: string): string {
  return path
    .replace('{client}', session.client.id)
    .replace('{project}', session.project.id)
    .replace('{version}', session.version.id)
}

test('bad values are 422 that names the place, for creation and change alike', async () => {
  for (const [template, good, bad] of KINDS) {
    const path = filled(template)
    const names = 'name' in good ? { name: newName('Good') } : {}
    const made = await created(service, path, { ...good, ...names })
    const name = 'name' in good ? [{ name: '' }, { name: ' \t' }, { name: null }] : []
    for (const change of [...bad, ...name, { [Object.keys(good)[0] ?? 'status']: '\0' }]) {
      const [field] = Object.keys(change)
      const what = `${path} ${JSON.stringify(change).slice(0, 60)}`
      const { status, body } = await ask(service, 'POST', path, { json: { ...good, ...change } })
      expect([what, status]).toEqual([what, 422])
      expect(body.detail[0].loc.slice(0, 2)).toEqual(['body', field])
      expect(JSON.stringify(body).length).toBeLessThan(5000)
      // What is fixed cannot be changed, so what is sent of it is not looked at.
      const fixed = ['version_number', 'knowledge_file', 'item_text', 'priority', 'artifact_type']
      if (fixed.includes(field)) continue
      const patched = await ask(service, 'PATCH', `${path}/${made.id}`, { json: change })
      expect([what, patched.status]).toEqual([what, 422])
    }
    const { status } = await ask(service, 'GET', `${path}/${made.id}`)
    expect(status).toBe(200)
  }
})

test('bad JSON, other types and too much of it are refused', async () => {
  const path = '/clients'
  const headers = { 'content-type': 'application/json' }
  for (const raw of ['', '{', '[]', 'null', '"x"', '{"name":"a"', '{"name":"\\ud800"}']) {
    const { status, body } = await ask(service, 'POST', path, { raw, headers })
    expect([raw, status, body.detail[0].loc[0]]).toEqual([raw, 422, 'body'])
  }
  const deep = `${'{"a":'.repeat(100)}1${'}'.repeat(100)}`
  const nested = `{"name":"deep","metadata":${deep}}`
  expect((await ask(service, 'POST', path, { raw: nested, headers })).status).toBe(422)
  const nul = { name: newName('N'), metadata: { a: [{ 'b\0': 1 }] } }
  expect((await ask(service, 'POST', path, { json: nul })).status).toBe(422)
  const xml = await ask(service, 'POST', path, {
    raw: '<a/>',
    headers: { 'content-type': 'text/xml' },
  })
  expect(xml.status).toBe(415)
  const large = JSON.stringify({ name: 'a', metadata: { a: 'x'.repeat(1_100_000) } })
  const refused = await ask(service, 'POST', path, { raw: large, headers })
  expect([refused.status, typeof refused.body.detail]).toEqual([413, 'string'])
})

test('characters count, not code units; texts stay as they are', async () => {
  const name = '😀'.repeat(255)
  expect((await created(service, '/clients', { name })).name).toBe(name)
  const { status } = await ask(service, 'POST', '/clients', { json: { name: `${name}😀` } })
  expect(status).toBe(422)
  const text =
    "{{7*7}} <script>alert(1)</script> ${x} %00 \\u0000 ../../etc/passwd '; drop table adr"
  const question = await created(service, `${session.path}/questions`, { question_text: text })
  const { body } = await ask(service, 'GET', `${session.path}/questions/${question.id}`)
  expect(body.question_text).toBe(text)
})

test('malformed ids are 422, unknown ones 404, of another parent 404', async () => {
  const other = await newSession(service)
  for (const [template, good] of KINDS) {
    const path = filled(template)
    const names = 'name' in good ? { name: newName('Mine') } : {}
    const made = await created(service, path, { ...good, ...names })
    for (const id of ['x', '1', `${NOBODY}0`, '%00', '..%2f..', `{${NOBODY}}`]) {
      for (const method of ['GET', 'PATCH']) {
        const json = method === 'PATCH' ? { json: {} } : {}
        const answer = await ask(service, method, `${path}/${id}`, json)
        expect([path, id, answer.status]).toEqual([path, id, 422])
        expect(answer.body.detail[0].loc[0]).toBe('path')
      }
    }
    expect((await ask(service, 'GET', `${path}/${NOBODY}`)).status).toBe(404)
    expect((await ask(service, 'PATCH', `${path}/${NOBODY}`, { json: {} })).status).toBe(404)
    expect((await ask(service, 'GET', `${path}/${made.id.toUpperCase()}`)).status).toBe(200)
    const foreign = path
      .replace(session.client.id, other.client.id)
      .replace(session.project.id, other.project.id)
      .replace(session.version.id, other.version.id)
    if (foreign === path) continue
    for (const method of ['GET', 'PATCH', 'DELETE']) {
      const json = method === 'PATCH' ? { json: {} } : {}
      const { status } = await ask(service, method, `${foreign}/${made.id}`, json)
      expect([method, foreign, [404, 405].includes(status)]).toEqual([method, foreign, true])
    }
    const nowhere = path.replace(/[\da-f-]{36}/, NOBODY)
    expect((await ask(service, 'GET', nowhere)).status).toBe(404)
    expect((await ask(service, 'POST', nowhere, { json: { ...good, ...names } })).status).toBe(404)
  }
  for (const query of ['?status=%00', '?knowledge_file=a%00', '?cursor=%00', '?limit=1e3']) {
    const { status } = await ask(service, 'GET', `${session.path}/coverage${query}`)
    expect([query, status]).toEqual([query, 422])
  }
})

test('an upload over 100 MiB is cut off with 413 and leaves nothing', async () => {
  const { path } = session
  const boundary = 'cut'
  const head = `--${boundary}\r\nContent-Disposition: form-data; name="file"; filename="a"\r\n\r\n`
  // Sent in pieces, without a length: only counting can tell.
  const status = await new Promise<string>((resolve, reject) => {
    const { hostname, port } = new URL(service.url)
    const socket = connect(Number(port), hostname)
    const piece = Buffer.alloc(1_048_576, 'x')
    let sent = 0
    const send = (): void => {
      for (;;) {
        if (sent > 200 || socket.destroyed) return
        sent++
        socket.write(`${piece.length.toString(16)}\r\n`)
        socket.write(piece)
        if (!socket.write('\r\n')) break
      }
      socket.once('drain', send)
    }
    socket.write(
      [
        `POST /api/v1${path}/uploads HTTP/1.1`,
        `Host: ${hostname}`,
        `Content-Type: multipart/form-data; boundary=${boundary}`,
        'Transfer-Encoding: chunked',
        '',
        `${Buffer.byteLength(head).toString(16)}\r\n${head}\r\n`,
      ].join('\r\n'),
    )
    send()
    let answer = ''
    socket.on('data', (chunk) => {
      answer += chunk.toString()
      if (answer.includes('\r\n\r\n')) resolve(answer.split('\r\n')[0])
    })
    socket.on('error', reject)
    socket.on('close', () => resolve(answer.split('\r\n')[0]))
  })
  expect(status).toBe('HTTP/1.1 413 Payload Too Large')
  expect((await ask(service, 'GET', `${path}/uploads`)).body).toEqual([])
})

test('an upload that its client breaks off leaves nothing', async () => {
  const root = join(directory.path, 'design-sessions-files')
  const files = join(root, readdirSync(root)[0])
  const { hostname, port } = new URL(service.url)
  const socket = connect(Number(port), hostname)
  socket.write(
    [
      `POST /api/v1${session.path}/uploads HTTP/1.1`,
      `Host: ${hostname}`,
      'Content-Type: multipart/form-data; boundary=x',
      'Content-Length: 1000000',
      '',
      '--x\r\nContent-Disposition: form-data; name="file"; filename="a"\r\n\r\nabc',
    ].join('\r\n'),
  )
  await expect.poll(() => readdirSync(files).length).toBe(1)
  socket.destroy()
  await expect.poll(() => readdirSync(files)).toEqual([])
})

test('nothing of all that was an error of the service', () => {
  expect(running.output()).not.toMatch(/"level":"(?:error|fatal)"/)
})
