import { Hono } from 'hono'
import * as v from 'valibot'
import type { AppParts } from '../app-parts.ts'
import { changeReport } from '../changes/change-report.ts'
import { KINDS, versionDiff } from '../changes/comparison.ts'
import { pathId, query } from '../errors.ts'
import { named, operation } from '../openapi.ts'
import { id } from '../records/fields.ts'
import { versions } from '../records/versions.ts'
import { MARKDOWN, markdownAnswer, prefersMarkdown } from './http-headers.ts'

const count = v.pipe(v.number(), v.integer())
const shown = v.nullable(v.union([v.string(), v.number()]))

const record = v.intersect([v.object({ id: id() }), v.record(v.string(), shown)])

const difference = named(
  'Difference',
  v.object({
    added: v.array(record),
    removed: v.array(record),
    changed: v.array(
      v.object({
        record,
        against_id: id(),
        changes: v.array(
          v.object({
            field: v.string(),
            from: shown,
            to: shown,
            diff: v.optional(v.nullable(v.string())),
          }),
        ),
      }),
    ),
  }),
)

const counts = v.object({ added: count, removed: count, changed: count, unchanged: count })

const diff = named(
  'VersionDiff',
  v.object({
    version: versions.schema,
    against: versions.schema,
    summary: v.object(Object.fromEntries(KINDS.map((kind) => [kind, counts]))),
    ...Object.fromEntries(KINDS.map((kind) => [kind, difference])),
  }),
)

const diffQuery = v.object({
  against: v.optional(id()),
  format: v.optional(v.picklist(['json', 'markdown'])),
})

/** The differences of two versions. */
export function changeRoutes({ sql }: Pick<AppParts, 'sql'>): Hono {
  return new Hono().get(
    '/versions/:version_id/diff',
    operation('compareVersions', 'versions', {
      summary: 'Compare versions',
      description: 'What changed since `against`, by default the version before; also as Markdown.',
      query: diffQuery,
      success: { status: 200, schema: diff, type: MARKDOWN },
      errors: [
        [404, 'Version not found; Version to compare with not found'],
        [409, 'Version holds too much text'],
      ],
    }),
    async (context) => {
      const versionId = pathId(context, 'version_id')
      const { against, format } = query(context, diffQuery)
      const found = await versionDiff(sql, versionId, against)
      const isReport = format === undefined ? prefersMarkdown(context) : format === 'markdown'
      return isReport ? markdownAnswer(context, await changeReport(found)) : context.json(found)
    },
  )
}
