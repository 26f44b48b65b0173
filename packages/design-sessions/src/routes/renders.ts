import type { HttpError } from '@orrery/http'
import { Hono } from 'hono'
import * as v from 'valibot'
import type { AppParts } from '../app-parts.ts'
import { SECTIONS } from '../documents/report.ts'
import { badRequest, busy, notFound, query } from '../errors.ts'
import { operation } from '../openapi.ts'
import { type Artifact, artifacts, isDrawn, isReport } from '../records/artifacts.ts'
import { one } from '../tables/table.ts'
import type { RenderedFile } from '../engines/drawing.ts'
import { output, outputMark } from '../rendering/outputs.ts'
import { PictureCache } from '../pictures/picture-cache.ts'
import { RenderError } from '../render-error.ts'
import { fileHeaders, isPatient } from '../requests/http-headers.ts'
import { answer, placeInVersion } from '../requests/resource.ts'

type Parts = Required<Pick<AppParts, 'sql' | 'renderer' | 'renderQueue'>>

const PATH = '/versions/:version_id/artifacts/:artifact_id'

/** A rendered file can only be viewed. */
const POLICY =
  "sandbox; default-src 'none'; style-src 'unsafe-inline'; img-src data:; font-src data:"

/** Names of possible outputs. */
const FILENAME = /^[\w-]{1,100}\.(?:svg|png|html|pdf)$/

/** Bytes of cached PNG pictures. */
const PNG_BYTES_MAX = 64 * 1_048_576

const noArtifact = [404, 'Version not found; Artifact not found'] as const

/** Rendering of artifacts, and their outputs. */
export function renderRoutes(parts: Parts): Hono {
  const { sql, renderQueue } = parts
  const pngs = new PictureCache(PNG_BYTES_MAX)
  const routes = new Hono()
  routes.post(
    `${PATH}/render`,
    operation('renderArtifact', 'artifacts', {
      summary: 'Render an artifact',
      description: 'Waits for the result for 20 s; with `Prefer: respond-async` not at all.',
      success: { status: 202, schema: artifacts.schema },
      errors: [noArtifact, [400, 'No source code to render'], [503, 'Too many renders wait']],
    }),
    async (context) => {
      const place = placeInVersion(context, 'artifact_id')
      await one(sql, artifacts, place)
      if (isPatient(context)) return answer(context, await renderQueue.request(place.id), 202)
      context.header('Preference-Applied', 'respond-async')
      return answer(context, await renderQueue.request(place.id, { waitMs: 0 }), 202)
    },
  )
  routes.get(
    `${PATH}/outputs/:filename{.+}`,
    operation('readArtifactOutput', 'artifacts', {
      summary: 'Read an output',
      description:
        'A file of the last rendering. An SVG is also a PNG, under its name with `.png`.',
      success: {
        status: 200,
        type: ['image/svg+xml', 'image/png', 'text/html', 'application/pdf'],
      },
      errors: [
        [404, 'Version not found; Artifact not found; Output not found'],
        [400, 'Invalid filename'],
      ],
    }),
    async (context) => {
      const place = placeInVersion(context, 'artifact_id')
      const filename = context.req.param('filename')
      if (/[/\\%\0]|\.\./.test(filename)) throw badRequest('Invalid filename')
      await one(sql, artifacts, place)
      const file = await outputNamed({ ...parts, pngs }, place.id, filename, context.req.raw.signal)
      if (!file) throw notFound('Output')
      return context.body(new Uint8Array(file.bytes), 200, {
        'Content-Type':
          file.contentType === 'text/html' ? 'text/html; charset=utf-8' : file.contentType,
        'Content-Disposition': `inline; filename="${file.filename}"`,
        'Content-Security-Policy': POLICY,
      })
    },
  )
  return routes
}

async function outputNamed(
  { sql, renderer, pngs }: Parts & { readonly pngs: PictureCache },
  artifactId: string,
  filename: string,
  signal: AbortSignal,
): Promise<RenderedFile | undefined> {
  if (!FILENAME.test(filename)) return undefined
  const file = await output(sql, artifactId, filename)
  if (file || !filename.endsWith('.png')) return file
  const svgName = filename.replace(/png$/, 'svg')
  const mark = await outputMark(sql, artifactId, svgName)
  if (mark === undefined) return undefined
  const svg = async (): Promise<string> => {
    const picture = await output(sql, artifactId, svgName)
    if (!picture) throw notFound('Output')
    return Buffer.from(picture.bytes).toString()
  }
  const key = [artifactId, svgName, mark].join(' ')
  const bytes = await pngs.picture(key, (wanted) => renderer.run('png', svg, wanted), signal)
  return { filename, contentType: 'image/png', bytes }
}

/** The answer to an error of the renderer outside of the queue. */
export function renderFault(error: Error): HttpError | undefined {
  if (!(error instanceof RenderError)) return undefined
  const { code, message } = error
  if (code === 'ERR_RENDER_CRASH') return undefined
  if (code !== 'ERR_RENDER_BUSY' && code !== 'ERR_RENDER_CLOSED') return badRequest(message)
  return busy(message, 5)
}

const exportQuery = v.object({
  sections: v.optional(
    v.pipe(
      v.string(),
      v.description(
        `Of a report, names with commas between them: ${SECTIONS.join(', ')}; by default all but \
the last, the list of all coverage items`,
      ),
      v.transform((names) => names.split(',').map((name) => name.trim())),
      v.array(
        v.picklist(SECTIONS, ({ received }) => `${received} is none of ${SECTIONS.join(', ')}`),
      ),
    ),
  ),
})

/** Artifacts as PDF. */
export function exportRoutes({
  sql,
  renderQueue,
  documents,
}: Required<Pick<AppParts, 'sql' | 'renderQueue' | 'documents'>>): Hono {
  return new Hono().get(
    '/versions/:version_id/artifacts/:artifact_id/export-pdf',
    operation('exportArtifactPdf', 'artifacts', {
      summary: 'Export an artifact as PDF',
      description: 'A diagram that is not rendered yet is rendered first.',
      query: exportQuery,
      success: { status: 200, type: 'application/pdf' },
      errors: [
        [400, 'No content to export; Only a report has sections'],
        [404, 'Version not found; Artifact not found'],
        [409, 'Version holds more text than a report takes'],
      ],
    }),
    async (context) => {
      const found = await one<Artifact>(sql, artifacts, placeInVersion(context, 'artifact_id'))
      const { sections } = query(context, exportQuery)
      if (sections && !isReport(found)) throw badRequest('Only a report has sections')
      const artifact = isUnrendered(found) ? await renderQueue.request(found.id) : found
      const { signal } = context.req.raw
      // A closed connection removes the job from the queue.
      const bytes = await documents.artifactPdf(artifact, { sections, signal })
      const headers = fileHeaders('application/pdf', `${artifact.name}.pdf`)
      return context.body(new Uint8Array(bytes), 200, headers)
    },
  )
}

function isUnrendered(artifact: Artifact): boolean {
  const { source_code: source, render_status: status, outputs_stale: isStale } = artifact
  return isDrawn(artifact) && Boolean(source?.trim()) && (status !== 'success' || isStale)
}
