import { Hono } from 'hono'
import * as v from 'valibot'
import type { AppParts } from '../app-parts.ts'
import { body, pathId } from '../errors.ts'
import { operation } from '../openapi.ts'
import { createNamedFiles } from '../pictures/named-files.ts'
import { source } from '../tables/fields.ts'
import { ensure } from '../tables/table.ts'
import { versions } from '../records/versions.ts'
import { preview, previewOf } from '../rendering/preview.ts'

const previewBody = v.object({
  engine: v.picklist(['d2', 'graphviz', 'mermaid', 'diagrams_py']),
  source_code: source(),
})

/** Diagrams that are drawn while they are written. */
export function previewRoutes({
  sql,
  uploads,
  renderer,
}: Required<Pick<AppParts, 'sql' | 'uploads' | 'renderer'>>): Hono {
  const parts = { renderer, namedFiles: createNamedFiles(sql, uploads) }
  return new Hono().post(
    '/versions/:version_id/artifacts/preview',
    operation('previewDiagram', 'artifacts', {
      summary: 'Preview a diagram',
      description:
        'Draws a source without storing it, in 15 s at most; faults of the source are part of ' +
        'the answer. It ends when the connection is closed.',
      body: previewBody,
      success: { status: 200, schema: preview },
      errors: [
        [404, 'Version not found'],
        [503, 'Too many renders wait'],
      ],
    }),
    async (context) => {
      const versionId = pathId(context, 'version_id')
      const { engine, source_code } = await body(context, previewBody)
      await ensure(sql, versions, versionId)
      const request = { versionId, engine, source: source_code }
      return context.json(await previewOf(parts, request, context.req.raw.signal))
    },
  )
}
