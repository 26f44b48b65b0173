import { Hono } from 'hono'
import * as v from 'valibot'
import type { AppParts } from '../app-parts.ts'
import { changeReport } from '../changes/change-report.ts'
import { versionDiff } from '../changes/comparison.ts'
import { versionDifferences } from '../changes/differences.ts'
import { pathId, query } from '../errors.ts'
import { operation } from '../openapi.ts'
import { id } from '../tables/fields.ts'
import { MARKDOWN, markdownAnswer, prefersMarkdown } from '../requests/http-headers.ts'

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
      success: { status: 200, schema: versionDifferences, type: MARKDOWN },
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
