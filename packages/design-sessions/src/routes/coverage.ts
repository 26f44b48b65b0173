import { Hono } from 'hono'
import type { AppParts } from '../app.ts'
import { pathId } from '../errors.ts'
import { operation } from '../openapi.ts'
import { coverageSummary, summaryOfCoverage } from '../records/coverage-summary.ts'
import {
  coverageCreate,
  coverageFilters,
  coverageItem,
  coverageItems,
  coverageUpdate,
} from '../records/coverage.ts'
import { resourceRoutes } from './resource.ts'

const PATH = '/versions/:version_id/coverage'

/** How a version stands to the items of the knowledge library's checklists. */
export function coverageRoutes({ sql }: Pick<AppParts, 'sql'>): Hono {
  const routes = new Hono()
  // Before the items: `summary` is no id.
  routes.get(
    `${PATH}/summary`,
    operation({
      summary: 'Counts by priority, status and file',
      tag: 'coverage',
      success: { status: 200, schema: coverageSummary },
      errors: [[404, 'Version not found']],
    }),
    async (context) => context.json(await summaryOfCoverage(sql, pathId(context, 'version_id'))),
  )
  return routes.route(
    '/',
    resourceRoutes({
      sql,
      table: coverageItems,
      path: PATH,
      parameter: 'coverage_id',
      tag: 'coverage',
      schema: coverageItem,
      createSchema: coverageCreate,
      updateSchema: coverageUpdate,
      filters: coverageFilters,
      removable: true,
    }),
  )
}
