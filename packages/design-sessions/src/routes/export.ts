import { Hono } from 'hono'
import type { AppParts } from '../app-parts.ts'
import { pathId } from '../errors.ts'
import { operation } from '../openapi.ts'
import { type Artifact, artifacts, isDrawn } from '../records/artifacts.ts'
import { one } from '../records/table.ts'
import { attachment } from './attachment.ts'

type Parts = Required<Pick<AppParts, 'sql' | 'renderQueue' | 'documents'>>

/** Artifacts as PDF. */
export function exportRoutes({ sql, renderQueue, documents }: Parts): Hono {
  return new Hono().get(
    '/versions/:version_id/artifacts/:artifact_id/export-pdf',
    operation({
      summary: 'An artifact as PDF; a diagram that is not rendered yet is rendered first',
      tag: 'artifacts',
      success: { status: 200, type: 'application/pdf' },
      errors: [
        [400, 'No content to export'],
        [404, 'Version not found; Artifact not found'],
        [409, 'Version holds more text than a report takes'],
      ],
    }),
    async (context) => {
      const id = pathId(context, 'artifact_id')
      const place = { id, parentId: pathId(context, 'version_id') }
      const found = await one<Artifact>(sql, artifacts, place)
      const artifact = isUnrendered(found) ? await renderQueue.request(id) : found
      // Who goes away leaves the queue.
      const bytes = await documents.artifactPdf(artifact, context.req.raw.signal)
      return context.body(new Uint8Array(bytes), 200, {
        'Content-Type': 'application/pdf',
        'Content-Disposition': attachment(`${artifact.name}.pdf`),
        'Content-Security-Policy': "sandbox; default-src 'none'",
      })
    },
  )
}

function isUnrendered(artifact: Artifact): boolean {
  const { source_code: source, render_status: status, outputs_stale: isStale } = artifact
  return isDrawn(artifact) && Boolean(source?.trim()) && (status !== 'success' || isStale)
}
