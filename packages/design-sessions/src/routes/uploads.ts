import { type Context, Hono } from 'hono'
import { randomUUID } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { Readable } from 'node:stream'
import type postgres from 'postgres'
import * as v from 'valibot'
import type { AppParts } from '../app-parts.ts'
import { badRequest, notFound, pathId, query } from '../errors.ts'
import { operation } from '../openapi.ts'
import { type Stored, ensure, insert, list, one, remove } from '../tables/table.ts'
import { type Upload, uploads } from '../records/uploads.ts'
import { versions } from '../records/versions.ts'
import { fileHeaders } from '../requests/http-headers.ts'
import { answer, listAnswer, page, placeInVersion, revisionOf } from '../requests/resource.ts'
import { receivedFile } from '../requests/multipart.ts'

type Parts = Pick<AppParts, 'sql' | 'uploads' | 'knowledge'>

const PATH = '/versions/:version_id/uploads'
const FIELD = 'file'
const noVersion = [404, 'Version not found'] as const
const noUpload = [404, 'Version not found; Upload not found'] as const

/** Files of a version: rows in the database, bytes on disk. */
export function uploadRoutes(parts: Parts): Hono {
  const routes = new Hono()
  addCollection(routes, parts)
  addItem(routes, parts)
  return routes
}

function addCollection(routes: Hono, { sql, uploads: files, knowledge }: Parts): void {
  const listQuery = v.object(page)
  routes.get(
    PATH,
    operation('listUploads', 'uploads', {
      summary: 'List uploads',
      description: 'Newest first.',
      query: listQuery,
      success: { status: 200, schema: v.array(uploads.schema) },
      errors: [noVersion],
    }),
    async (context) => {
      const parentId = pathId(context, 'version_id')
      return listAnswer(context, query(context, listQuery), (part) =>
        list<Upload>(sql, uploads, { parentId, ...part }),
      )
    },
  )
  routes.post(
    PATH,
    operation('createUpload', 'uploads', {
      summary: 'Upload a file',
      description:
        'At most 100 MiB, as a form with one field. A request that repeats the `Idempotency-Key` \
of an upload of the version answers with that one.',
      file: FIELD,
      success: { status: 201, schema: uploads.schema },
      errors: [
        noVersion,
        [
          400,
          'File is empty; File has no name; Body is not multipart/form-data; ' +
            'Idempotency-Key is too long',
        ],
      ],
    }),
    async (context) => {
      const version_id = pathId(context, 'version_id')
      await ensure(sql, versions, version_id)
      const key = idempotencyKey(context)
      const id = randomUUID()
      try {
        const file = await receivedFile(context, FIELD, (bytes) => files.keep(id, bytes))
        const row = await insertOnce(sql, {
          id,
          version_id,
          original_filename: file.name,
          content_type: file.type,
          file_size: file.bytes,
          idempotency_key: key,
        })
        if (row.id !== id) await files.discard([id])
        void knowledge?.uploaded(version_id)
        return answer(context, row, 201)
      } catch (error) {
        await files.discard([id])
        throw error
      }
    },
  )
}

const KEY_MAX = 4096

/** What a client calls a request; it calls a repetition the same. */
function idempotencyKey(context: Context): string | null {
  const key = context.req.header('idempotency-key')?.trim() || null
  if (key !== null && key.length > KEY_MAX) throw badRequest('Idempotency-Key is too long')
  return key
}

interface NewUpload {
  readonly version_id: string
  readonly idempotency_key: string | null
}

/** Stores an upload, or gives the one with its key; concurrent requests store one. */
async function insertOnce(
  sql: postgres.Sql,
  values: NewUpload & Record<string, unknown>,
): Promise<Stored<Upload>> {
  try {
    return await insert<Upload>(sql, uploads, values)
  } catch (error) {
    const { version_id: parentId, idempotency_key: key } = values
    const [first] = await sql<{ id: string }[]>`
      select id from upload where version_id = ${parentId} and idempotency_key = ${key}`
    if (!first) throw error
    return one<Upload>(sql, uploads, { id: first.id, parentId })
  }
}

function addItem(routes: Hono, { sql, uploads: files }: Parts): void {
  const item = `${PATH}/:upload_id`
  routes.get(
    item,
    operation('readUpload', 'uploads', {
      summary: 'Read an upload',
      description: 'Name, type and size of the file.',
      success: { status: 200, schema: uploads.schema },
      errors: [noUpload],
    }),
    async (context) =>
      answer(context, await one<Upload>(sql, uploads, placeInVersion(context, 'upload_id')), 200),
  )
  routes.get(
    `${item}/download`,
    operation('downloadUpload', 'uploads', {
      summary: 'Download a file',
      description: 'The bytes of an upload under its name and type.',
      success: { status: 200, type: '*/*' },
      errors: [noUpload],
    }),
    async (context) => {
      const row = await one<Upload>(sql, uploads, placeInVersion(context, 'upload_id'))
      const bytes = createReadStream(files.path(row.id))
      await new Promise((resolve, reject) => {
        bytes.once('open', resolve)
        bytes.once('error', () => reject(notFound('Upload')))
      })
      const described = {
        ...fileHeaders(row.content_type, row.original_filename),
        'Content-Length': String(row.file_size),
      }
      if (context.req.method === 'HEAD') {
        // A HEAD request would leave the stream open.
        bytes.destroy()
        return context.body(null, 200, described)
      }
      return context.body(Readable.toWeb(bytes) as ReadableStream, 200, described)
    },
  )
  routes.delete(
    item,
    operation('deleteUpload', 'uploads', {
      summary: 'Delete an upload',
      description: 'Deletes the record and its file.',
      success: { status: 204 },
      errors: [noUpload, [412, 'The record has been changed since `If-Match`']],
    }),
    async (context) => {
      const place = placeInVersion(context, 'upload_id')
      await remove(sql, uploads, place, revisionOf(context))
      await files.discard([place.id])
      return context.body(null, 204)
    },
  )
}
