// Goal: an invalid bundle is refused with the place and the reason, and leaves no file or record.
// Method: a real service; ZIPs made byte by byte, each a valid bundle with one fault.
import { once } from 'node:events'
import { readdirSync, readlinkSync, rmSync } from 'node:fs'
import { request } from 'node:http'
import { connect } from 'node:net'
import { join } from 'node:path'
import { setImmediate as turn } from 'node:timers/promises'
import { byTier } from '@orrery/testkit/tier'
import { beforeAll, expect, test } from 'vitest'
import {
  ITEM,
  type Json,
  NO_ID,
  PROSE,
  type Session,
  ask,
  created,
  newSession,
  uploaded,
} from '../ask.ts'
import { useService } from '../service.ts'
import { until } from '../until.ts'
import { type Files, bundled, changed, exported, filesOf, imported, json } from './bundles.ts'
import { type ZipEntry, zipOf } from './zip-of.ts'

const VERSION = 'versions/001-0.1.0/version.json'
const SOURCE = 'versions/001-0.1.0/artifacts/001-plan.d2'
const UPLOAD = 'versions/001-0.1.0/uploads/001-list.csv'

const service = useService()
let session: Session
let files: Files
let sound: ZipEntry[]
let filesBefore: number

beforeAll(async () => {
  session = await newSession(service)
  const { path, project } = session
  await created(service, `${path}/questions`, { question_text: 'Who?' })
  await created(service, `${path}/coverage`, ITEM)
  await created(service, `${path}/adrs`, { title: 'One', ...PROSE })
  await created(service, `${path}/adrs`, { title: 'Two', ...PROSE })
  await created(service, `${path}/artifacts`, {
    name: 'Plan',
    artifact_type: 'diagram',
    source_code: 'a -> b',
  })
  await uploaded(service, path, 'list.csv', { content: 'a;b\n' })
  files = await filesOf(await exported(service, project.id))
  sound = bundled(files)
  filesBefore = kept()
})

/** The number of stored files, unfinished ones included. */
function kept(): number {
  const root = join(service.data, 'design-sessions-files')
  return readdirSync(root, { recursive: true }).length
}

/** The number of them that the service has open, removed ones included; 0 except on Linux. */
function opened(): number {
  if (process.platform !== 'linux') return 0
  const root = `/proc/${service.pid}/fd`
  const isOurs = (name: string): boolean => {
    try {
      return readlinkSync(join(root, name)).includes('design-sessions-files')
    } catch {
      // The file was closed in between.
      return false
    }
  }
  return readdirSync(root).filter(isOurs).length
}

/** The valid bundle with one entry changed. */
function withEntry(name: string, said: Partial<ZipEntry>): ZipEntry[] {
  return sound.map((entry) => (entry.name === name ? { ...entry, ...said } : entry))
}

function withRecords(change: (records: Json) => void): Buffer {
  const records = json(files, VERSION)
  change(records)
  return changed(files, VERSION, JSON.stringify(records))
}

function extra(name: string, said: Partial<ZipEntry> = {}): Buffer {
  return zipOf([...sound, { name, bytes: Buffer.from('x'), ...said }])
}

/** Faults, each with a part of the refusal. */
const HOSTILE: Readonly<Record<string, readonly [zip: () => Uint8Array, reason: string]>> = {
  'is text': [() => Buffer.from('{"name":"P"}'), 'not a zip file'],
  'is cut off': [() => zipOf(sound).subarray(0, -40), 'not a zip file, or file is truncated'],
  'has no start': [() => zipOf(sound).subarray(100), 'is not a sound ZIP'],
  'is empty': [() => zipOf([]), 'this is no bundle'],
  'leaves its directory': [() => extra('../../x'), 'invalid relative path'],
  'is at the root': [() => extra('/etc/passwd'), 'absolute path'],
  'is on a drive': [() => extra('C:/x'), 'absolute path'],
  'has a backslash': [() => extra('versions\\..\\x'), 'invalid characters'],
  'has a control character': [() => extra('versions/\0x'), 'is no name of a bundle'],
  'is there twice': [() => zipOf([...sound, sound[0]]), 'is in the ZIP twice'],
  'is a link': [() => extra('x', { said: { mode: 0o120777 } }), 'is no regular file'],
  'is a device': [() => extra('x', { said: { mode: 0o060666 } }), 'is no regular file'],
  'is encrypted': [
    () => zipOf(withEntry(UPLOAD, { said: { flags: 1, packed: 4 + 12 } })),
    'is encrypted',
  ],
  'is packed otherwise': [() => zipOf(withEntry(UPLOAD, { said: { method: 12 } })), 'method 12'],
  'shares bytes': [() => extra('x', { said: { at: 0 } }), 'overlaps another file'],
  'reaches into the next': [
    () => zipOf(withEntry(SOURCE, { said: { size: 400, packed: 400 } })),
    'overlaps another file',
  ],
  'has more bytes than declared': [
    () =>
      zipOf(withEntry(UPLOAD, { bytes: Buffer.alloc(99_999), deflated: true, said: { size: 4 } })),
    'is damaged',
  ],
  'has fewer bytes than declared': [
    () => zipOf(withEntry(UPLOAD, { deflated: true, said: { size: 40 } })),
    'has 40 bytes, not 4',
  ],
  'declares a huge size': [
    () => extra('x', { deflated: true, said: { size: 2 ** 52, zip64: true } }),
    'unpacks to more than 2 GiB',
  ],
  'declares a large size': [
    () => extra('x', { deflated: true, said: { size: 100_000_000 } }),
    'unpacks to more than 200 times its size',
  ],
  'declares many files': [() => zipOf(sound, 65_000), 'has more than 10000 files'],
  'is not deflated': [() => zipOf(withEntry(UPLOAD, { said: { method: 8 } })), 'is damaged'],
  'has a wrong sum': [() => zipOf(withEntry('bundle.json', { said: { crc: 1 } })), 'is damaged'],
  'is another JSON': [
    () => zipOf(bundled(files, { format: 'other' })),
    'must be orrery-design-sessions-bundle',
  ],
  'is too new': [() => zipOf(bundled(files, { format_version: 2 })), 'is 2: this service knows'],
  'has no version': [() => zipOf(bundled(files, { format_version: null })), 'format_version'],
  'has no project': [() => zipOf(bundled(files, { project: null })), '"project"'],
  'is no JSON': [() => changed(files, VERSION, '{"a":'), 'is not JSON'],
  'is JSON of too many parts': [
    () => changed(files, VERSION, `[${'{},'.repeat(300_000)}{}]`),
    'too many records',
  ],
  'has another hash': [
    () => zipOf(withEntry(UPLOAD, { bytes: Buffer.from('a;c\n') })),
    'has another SHA-256 than the bundle says',
  ],
  'lacks a file': [() => zipOf(sound.filter(({ name }) => name !== UPLOAD)), 'is missing'],
  'has one file more': [() => extra('notes.md'), 'is in the ZIP, but not in bundle.json'],
  'has a file of no record': [
    () => zipOf(bundled(new Map([...files, ['versions/notes.md', Buffer.from('x')]]))),
    'belongs to no record',
  ],
  'has one file for two': [
    () => withRecords(({ uploads }) => uploads.push({ ...uploads[0], id: crypto.randomUUID() })),
    'belongs to two records',
  ],
  'has one id for two': [
    () => withRecords(({ adrs }) => (adrs[1].id = adrs[0].id)),
    'has two records of the id',
  ],
  'has one number for two': [
    () => withRecords(({ adrs }) => (adrs[1].adr_number = 1)),
    '1 is there twice',
  ],
  'has a number that is too large': [
    () => withRecords(({ adrs }) => (adrs[1].adr_number = 2_147_483_647)),
    '"adrs",1,"adr_number"',
  ],
  'gives a number that is too large': [
    () => withRecords((records) => (records.highest_adr_number = 2_147_483_647)),
    '"highest_adr_number"',
  ],
  'has one version for two': [
    () => zipOf(bundled(files, { versions: [VERSION.slice(0, 18), VERSION.slice(0, 18)] })),
    'belongs to two records',
  ],
  'points to a question elsewhere': [
    () => withRecords(({ coverage, adrs }) => (coverage[0].question_id = adrs[0].id)),
    'must be a question of this version',
  ],
  'points to a decision elsewhere': [
    () => withRecords(({ adrs, id }) => (adrs[0].superseded_by = id)),
    'must be a decision of this version',
  ],
  'has a bad status': [
    () => withRecords(({ questions }) => (questions[0].status = 'open?')),
    '"questions",0,"status"',
  ],
  'has a blank title': [() => withRecords(({ adrs }) => (adrs[1].title = ' ')), '"adrs",1,"title"'],
  'has NUL in a text': [
    () => withRecords(({ questions }) => (questions[0].answer_text = 'a\0b')),
    'must hold no NUL',
  ],
  'has a bad time': [
    () => withRecords(({ adrs }) => (adrs[0].created_at = '0000-01-01T00:00:00Z')),
    'must be a moment since 1970',
  ],
  'has a header in its type': [
    () => withRecords(({ uploads }) => (uploads[0].content_type = 'a/b\r\nX: y')),
    '"uploads",0,"content_type"',
  ],
  'has a path for a name': [
    () => withRecords(({ uploads }) => (uploads[0].original_filename = '../x')),
    'must be a file name',
  ],
  'has a source that is no text': [
    () => changed(files, SOURCE, Buffer.from([0xff, 0xfe])),
    'is not UTF-8',
  ],
  'has a source that is too long': [
    () => changed(files, SOURCE, 'x'.repeat(262_145)),
    'has more than 262144 bytes',
  ],
  'has an empty upload': [() => changed(files, UPLOAD, ''), 'has 0 bytes'],
}

test.for(Object.entries(HOSTILE))('a bundle that %s is refused', async ([, [zip, reason]]) => {
  const { client } = session
  const answer = await imported(service, client.id, zip(), '?name=Copy')
  expect([answer.status, answer.text]).toEqual([422, expect.stringContaining(reason)])
  const { body } = await ask(service, 'GET', `/clients/${client.id}/projects`)
  expect([body.length, kept()]).toEqual([1, filesBefore])
})

test('a bundle that another program packed from the same files is imported', async () => {
  const { client } = session
  const directories = ['versions/', 'versions/001-0.1.0/'].map((name) => ({
    name,
    bytes: Buffer.alloc(0),
    said: { mode: 0o040755 },
  }))
  const packings: ZipEntry[][] = [
    sound.map((entry) => ({ ...entry, deflated: true })),
    [...directories, ...sound.toReversed()],
    sound.map((entry) => ({ ...entry, deflated: true, described: true })),
    sound.map((entry) => ({ ...entry, said: { zip64: true } })),
  ]
  for (const [i, packing] of packings.entries()) {
    const answer = await imported(service, client.id, zipOf(packing), `?name=Packed${i}`)
    expect([i, answer.status, answer.text]).toEqual([i, 201, answer.text])
    const { status } = await ask(
      service,
      'DELETE',
      `/clients/${client.id}/projects/${answer.body.id}`,
    )
    expect(status).toBe(204)
  }
  expect(kept()).toBe(filesBefore)
})

test('times in the future become the current time', async () => {
  const { client } = session
  const zip = withRecords((records) => (records.updated_at = '2999-01-01T00:00:00Z'))
  const { body } = await imported(service, client.id, zip, '?name=Future')
  const { body: versions } = await ask(service, 'GET', `/projects/${body.id}/versions`)
  expect(Date.parse(versions[0].updated_at)).toBeLessThanOrEqual(Date.now())
  await ask(service, 'DELETE', `/clients/${client.id}/projects/${body.id}`)
})

test('other bodies, clients and projects are refused', async () => {
  const { client, project } = session
  const zip = zipOf(sound)
  const path = `/clients/${client.id}/projects/import`
  expect((await imported(service, NO_ID, zip)).body.detail).toBe('Client not found')
  const { name } = project
  const taken = await imported(service, client.id, zip, `?name=${encodeURIComponent(name)}`)
  expect([taken.status, kept()]).toEqual([409, filesBefore])
  expect((await imported(service, 'x', zip)).status).toBe(422)
  expect((await ask(service, 'POST', path, { json: {} })).status).toBe(415)
  expect((await ask(service, 'GET', `/projects/${NO_ID}/bundle`)).body.detail).toBe(
    'Project not found',
  )
  const head = await ask(service, 'HEAD', `/projects/${project.id}/bundle`)
  expect([head.status, head.headers.get('content-type')]).toEqual([200, 'application/zip'])
  const status = await new Promise((resolve, reject) => {
    const headers = { 'content-type': 'application/zip', 'content-length': 2 ** 31 + 1 }
    const asked = request(`${service.url}/api/v1${path}`, { method: 'POST', headers })
    asked.once('response', ({ statusCode }) => resolve(statusCode)).once('error', reject)
    asked.write('PK')
  })
  expect(status).toBe(413)
  expect(kept()).toBe(filesBefore)
})

test('a client that disconnects during an export or import leaves no files', async () => {
  const { client, path, project } = session
  const content = new Uint8Array(20_000_000)
  const upload = await uploaded(service, path, 'large.bin', { content })
  const before = kept()
  const leave = new AbortController()
  const { body } = await fetch(`${service.url}/api/v1/projects/${project.id}/bundle`, {
    signal: leave.signal,
  })
  await body?.getReader().read()
  expect(kept()).toBeGreaterThan(before)
  leave.abort()
  const left = (): string => `${kept()} ${opened()}`
  await until(left, (now) => now === `${before} 0`)

  const headers = { 'content-type': 'application/zip', 'content-length': 1_000_000 }
  const target = `${service.url}/api/v1/clients/${client.id}/projects/import`
  const imports = [0, 1, 2].map(() => request(target, { method: 'POST', headers }))
  for (const asked of imports) asked.on('error', () => {}).write(zipOf(sound))
  await until(kept, (now) => now === before + 3)
  // Waiting imports do not block others.
  expect((await imported(service, client.id, zipOf(sound))).status).toBe(409)
  for (const asked of imports) asked.destroy()
  await until(left, (now) => now === `${before} 0`)

  expect((await ask(service, 'DELETE', `${path}/uploads/${upload.id}`)).status).toBe(204)
  expect(kept()).toBe(filesBefore)
})

test('a client that leaves before or during a download leaves no file open', async () => {
  const { path } = session
  const content = new Uint8Array(20_000_000)
  const upload = await uploaded(service, path, 'large.bin', { content })
  const { hostname, port, host } = new URL(service.url)
  const download = `/api/v1${path}/uploads/${upload.id}/download`
  const head = `GET ${download} HTTP/1.1\r\nHost: ${host}\r\n\r\n`
  const rounds = byTier({ gate: 12, night: 40 })
  for (let round = 0; round < rounds; round++) {
    const socket = connect(Number(port), hostname)
    socket.on('error', () => {})
    await new Promise((resolve) => socket.write(head, resolve))
    // At once, some turns later, or when the file is on its way.
    if (round % 4 === 3) await once(socket, 'data')
    else for (let i = 0; i < round; i++) await turn()
    socket.resetAndDestroy()
  }
  // Asked for last: what came before has been opened.
  const whole = await fetch(`${service.url}${download}`)
  expect((await whole.arrayBuffer()).byteLength).toBe(content.length)
  await until(opened, (count) => count === 0)
  await ask(service, 'DELETE', `${path}/uploads/${upload.id}`)
  expect(kept()).toBe(filesBefore)
})

test('an export names an upload whose file is gone before it sends a byte', async () => {
  const { path, project } = session
  const upload = await uploaded(service, path, 'lost.txt')
  const root = join(service.data, 'design-sessions-files')
  const [database] = readdirSync(root)
  rmSync(join(root, database, upload.id))
  const answer = await ask(service, 'GET', `/projects/${project.id}/bundle`)
  expect(answer).toMatchObject({
    status: 409,
    body: { detail: `The file of upload ${upload.id}, "lost.txt", is gone` },
  })
  await ask(service, 'DELETE', `${path}/uploads/${upload.id}`)
  expect([kept(), opened()]).toEqual([filesBefore, 0])
})
