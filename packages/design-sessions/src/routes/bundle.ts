import { HttpError } from '@orrery/http'
import { type Context, Hono } from 'hono'
import { createWriteStream } from 'node:fs'
import { rm } from 'node:fs/promises'
import { pipeline } from 'node:stream/promises'
import * as v from 'valibot'
import type { AppParts } from '../app-parts.ts'
import { openArchive } from '../bundle/archive.ts'
import { bundleStream } from '../bundle/bundle-stream.ts'
import { type DiskShare, diskShares } from '../bundle/disk-shares.ts'
import { importProject } from '../bundle/import.ts'
import { BUNDLE_BYTES_MAX } from '../bundle/layout.ts'
import { takeSnapshot } from '../bundle/snapshot.ts'
import { badRequest, pathId, query } from '../errors.ts'
import { operation } from '../openapi.ts'
import { clients } from '../records/clients.ts'
import { filled } from '../tables/fields.ts'
import { type Project, projects } from '../records/projects.ts'
import { ensure, one } from '../tables/table.ts'
import { WaitingLine } from '../waiting-line.ts'
import { fileHeaders } from '../requests/http-headers.ts'
import { afterBody, limitedChunks } from '../requests/multipart.ts'
import { answer } from '../requests/resource.ts'

type Parts = Pick<AppParts, 'sql' | 'uploads'>

const NAME_MAX = 255

const TYPE = 'application/zip'

/** Bundles that are written or read at a time, and those that wait: each takes a transaction. */
const AT_ONCE = { at: 3, share: 2, waitingMax: 100 }

const importQuery = v.object({ name: v.optional(filled(NAME_MAX)) })

/** Export and import of whole projects as one file. */
export function bundleRoutes({ sql, uploads }: Parts): Hono {
  const routes = new Hono()
  const diskShare = diskShares()
  const exports = new WaitingLine('bundles', AT_ONCE)
  const imports = new WaitingLine('imports', AT_ONCE)
  routes.get(
    '/projects/:project_id/bundle',
    operation('exportProject', 'projects', {
      summary: 'Export a project',
      description: 'All versions, records and files of a project as one ZIP, for import.',
      success: { status: 200, type: TYPE },
      errors: [
        [404, 'Project not found'],
        [409, 'Project is too large for a bundle; The file of an upload is gone'],
        [503, 'Too many bundles wait; Too large bundles are on their way'],
      ],
    }),
    async (context) => {
      const id = pathId(context, 'project_id')
      const { name } = await one<Project>(sql, projects, { id })
      const headers = fileHeaders(TYPE, `${name}.zip`)
      // A HEAD request would leave the stream open.
      if (context.req.method === 'HEAD') return context.body(null, 200, headers)
      const snapshot = await exports.run(() => takeSnapshot({ sql, uploads }, id, diskShare()))
      return context.body(bundleStream(snapshot), 200, headers)
    },
  )
  routes.post(
    '/clients/:client_id/projects/import',
    operation('importProject', 'projects', {
      summary: 'Import a project',
      description: 'Creates a project from the ZIP of an export; `name` renames it.',
      bytes: TYPE,
      query: importQuery,
      success: { status: 201, schema: projects.schema },
      errors: [
        [400, 'Body could not be read'],
        [404, 'Client not found'],
        [409, 'Project with this name already exists for this client'],
        [503, 'Too many imports wait; Too large bundles are on their way'],
      ],
    }),
    async (context) => {
      const clientId = pathId(context, 'client_id')
      const { name } = query(context, importQuery)
      await ensure(sql, clients, clientId)
      const path = uploads.temporaryPath()
      const share = diskShare()
      try {
        await receive(context, path, share)
        // After the upload: a slow client takes no place.
        const imported = await imports.run(async () => {
          await using archive = await openArchive(path)
          return await importProject({ sql, uploads }, archive, { clientId, name })
        })
        return answer(context, imported, 201)
      } finally {
        await rm(path, { force: true })
        share.free()
      }
    },
  )
  return routes
}

/** @throws {HttpError} 413 and 503 at the first excess byte; 415; 400 for an incomplete body */
async function receive({ req }: Context, path: string, share: DiskShare): Promise<void> {
  if (!/^application\/zip\s*(?:;|$)/i.test(req.header('content-type') ?? '')) {
    throw new HttpError(415, 'unsupported_media_type', `Content type must be ${TYPE}`)
  }
  const broken = badRequest('Body could not be read')
  const { body } = req.raw
  if (body === null) throw badRequest('Body is empty')
  if (Number(req.header('content-length') ?? 0) > BUNDLE_BYTES_MAX) throw tooLarge()
  const reader: ReadableStreamDefaultReader<Uint8Array> = body.getReader()
  try {
    const chunks = limitedChunks(reader, BUNDLE_BYTES_MAX, tooLarge)
    await pipeline(shared(chunks, share), createWriteStream(path, { mode: 0o600, flags: 'wx' }))
  } catch (error) {
    throw await afterBody(reader, error, broken)
  }
}

async function* shared(
  chunks: AsyncIterable<Uint8Array>,
  share: DiskShare,
): AsyncGenerator<Uint8Array> {
  for await (const chunk of chunks) {
    share.take(chunk.byteLength)
    yield chunk
  }
}

function tooLarge(): HttpError {
  return new HttpError(413, 'body_too_large', 'Bundle must have at most 2 GiB')
}
