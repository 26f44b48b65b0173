// Goal: bundles do not need hard links, and the number of imports that are stored at once is
// limited. Method: the routes over real files; a second disk, to which no hard link is possible,
// and an upload store that waits.
import { createLogger } from '@orrery/http'
import { randomUUID } from 'node:crypto'
import { existsSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Hono } from 'hono'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Database } from '@orrery/database'
import { createApp } from '../../src/app.ts'
import { diskShares } from '../../src/bundle/disk-shares.ts'
import { BUNDLE_BYTES_MAX } from '../../src/bundle/layout.ts'
import { serviceConfig } from '../../src/config.ts'
import { type Uploads, openUploads, sweepUploads } from '../../src/records/upload-files.ts'
import { newVersion, openTables } from '../indexing/fixture.ts'
import { filesOf } from './bundles.ts'

const root = mkdtempSync(join(tmpdir(), 'orrery-busy-disks-'))
const files = join(root, 'files')
const logger = createLogger({ level: 'fatal', destination: 'stderr' })

let database: Database
let uploads: Uploads
let place: { readonly client_id: string; readonly project_id: string }

beforeAll(async () => {
  database = await openTables()
  uploads = await openUploads(files)
  const versionId = await newVersion(database.sql, 'acme')
  const form = new FormData()
  form.set('file', new Blob(['a;b\n']), 'list.csv')
  await asked(app(uploads), `/versions/${versionId}/uploads`, form)
  ;[place] = await database.sql<[typeof place]>`
    select client_id, id as project_id from project`
})

afterAll(async () => {
  await database.close()
  rmSync(root, { recursive: true, force: true })
})

function app(where: Uploads): Hono {
  const config = serviceConfig({ DATA_DIR: root })
  return createApp({ sql: database.sql, config, logger, uploads: where })
}

async function asked(app: Hono, path: string, body?: FormData | Buffer): Promise<Response> {
  return app.request(`/api/v1${path}`, {
    ...(body && { method: 'POST', body: body as BodyInit }),
    ...(body instanceof Buffer && { headers: { 'content-type': 'application/zip' } }),
  })
}

async function exported(where: Uploads): Promise<Buffer> {
  const answer = await asked(app(where), `/projects/${place.project_id}/bundle`)
  expect(answer.status).toBe(200)
  return Buffer.from(await answer.arrayBuffer())
}

/** A file system in memory, if there is one: hard links between file systems are impossible. */
const OTHER_DISK = '/dev/shm'

test.skipIf(!existsSync(OTHER_DISK))(
  'an upload is copied where a hard link is impossible',
  async () => {
    const other = mkdtempSync(join(OTHER_DISK, 'orrery-busy-disks-'))
    const elsewhere = { ...uploads, temporaryPath: () => join(other, 'snapshot') }
    const zip = await exported(elsewhere)
    expect(readdirSync(other)).toEqual([])
    rmSync(other, { recursive: true })
    expect(zip).toEqual(await exported(uploads))
    expect((await filesOf(zip)).get('versions/001-1.0.0/uploads/001-list.csv')).toEqual(
      Buffer.from('a;b\n'),
    )
  },
)

test('two imports are stored at once; a third waits for its turn', async () => {
  const zip = await exported(uploads)
  const before = readdirSync(files)
  const { promise: release, resolve } = Promise.withResolvers<undefined>()
  let waiting = 0
  const slow = app({
    ...uploads,
    keep: async (id, bytes) => {
      waiting += 1
      await release
      await uploads.keep(id, bytes)
    },
  })
  const path = `/clients/${place.client_id}/projects/import`
  const all = ['one', 'two', 'three'].map((name) => asked(slow, `${path}?name=${name}`, zip))
  // All bundles have been received.
  await expect.poll(() => [waiting, readdirSync(files).length]).toEqual([2, before.length + 3])
  resolve(undefined)
  expect((await Promise.all(all)).map(({ status }) => status)).toEqual([201, 201, 201])
  expect([waiting, readdirSync(files).length]).toEqual([3, before.length + 3])
})

test('a start removes files that no upload owns', async () => {
  const before = readdirSync(files)
  for (const name of [randomUUID(), `${randomUUID()}.part`]) {
    writeFileSync(join(files, name), 'without a record')
  }
  await sweepUploads(database.sql, files)
  expect(new Set(readdirSync(files))).toEqual(new Set(before))
})

test('stored bundles are limited by their bytes, not by their number', () => {
  const shareOf = diskShares()
  const [large, ...idle] = Array.from({ length: 1000 }, shareOf)
  for (const share of idle) share.take(1)
  large.take(BUNDLE_BYTES_MAX)
  expect(() => large.take(BUNDLE_BYTES_MAX)).toThrow(/on their way/)
  for (const share of idle) share.free()
  large.take(BUNDLE_BYTES_MAX)
  large.free()
  large.take(BUNDLE_BYTES_MAX)
})
