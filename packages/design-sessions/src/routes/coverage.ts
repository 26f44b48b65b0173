import { Hono } from 'hono'
import * as v from 'valibot'
import type { AppParts } from '../app-parts.ts'
import { body, pathId } from '../errors.ts'
import { operation } from '../openapi.ts'
import {
  coverageItems,
  coverageSummary,
  createCoverage,
  summaryOfCoverage,
} from '../records/coverage.ts'
import { arrayOf } from '../tables/fields.ts'
import { checkBatch } from '../workflow/evidence.ts'
import { resourceRoutes } from '../requests/resource.ts'

const PATH = '/versions/:version_id/coverage'

const BATCH_MAX = 500

const batchBody = v.object({ items: arrayOf(coverageItems.create, { min: 1, max: BATCH_MAX }) })

/** Coverage of the library's checklists by a version. */
export function coverageRoutes({ sql, knowledge }: Pick<AppParts, 'sql' | 'knowledge'>): Hono {
  const routes = new Hono()
  // Before the items: `summary` is not an id.
  routes.get(
    `${PATH}/summary`,
    operation('readCoverageSummary', 'coverage', {
      summary: 'Summarize coverage',
      description: 'Counts of coverage items by priority, status and file.',
      success: { status: 200, schema: coverageSummary },
      errors: [[404, 'Version not found']],
    }),
    async (context) => context.json(await summaryOfCoverage(sql, pathId(context, 'version_id'))),
  )
  routes.post(
    `${PATH}/batch`,
    operation('createCoverageItems', 'coverage', {
      summary: 'Create coverage items',
      description: `Creates up to ${BATCH_MAX} items of the library in their order, all or none.`,
      body: batchBody,
      success: { status: 201, schema: v.array(coverageItems.schema) },
      errors: [[404, 'Version not found']],
    }),
    async (context) => {
      const versionId = pathId(context, 'version_id')
      const { items } = await body(context, batchBody)
      if (knowledge) await checkBatch({ sql, knowledge }, versionId, items)
      return context.json(await createCoverage(sql, versionId, items), 201)
    },
  )
  return routes.route(
    '/',
    resourceRoutes({
      sql,
      kind: coverageItems,
      path: PATH,
      parameter: 'coverage_id',
      tag: 'coverage',
      removable: true,
    }),
  )
}
