import type { Hono } from 'hono'
import type { AppParts } from '../app-parts.ts'
import { body, pathId } from '../errors.ts'
import { operation } from '../openapi.ts'
import {
  adr,
  adrCreate,
  adrFilters,
  adrUpdate,
  adrs,
  createAdr,
  supersedeAdr,
} from '../records/adrs.ts'
import { MARKDOWN } from './http-headers.ts'
import { answer, resourceRoutes } from './resource.ts'

const PATH = '/versions/:version_id/adrs'

/** Decision records of a version, numbered from 1 without gaps. */
export function adrRoutes({ sql }: Pick<AppParts, 'sql'>): Hono {
  const routes = resourceRoutes({
    sql,
    table: adrs,
    path: PATH,
    parameter: 'adr_id',
    tag: 'decisions',
    schema: adr,
    createSchema: adrCreate,
    updateSchema: adrUpdate,
    filters: adrFilters,
    otherType: MARKDOWN,
    removable: false,
    actions: { create: (values, versionId) => createAdr(sql, versionId, values) },
  })
  return routes.post(
    `${PATH}/:adr_id/supersede`,
    operation({
      summary: 'Put a new decision in the place of this one, which then points to it',
      tag: 'decisions',
      body: adrCreate,
      success: { status: 201, schema: adr },
      errors: [[404, 'Version not found; ADR not found']],
    }),
    async (context) => {
      const old = { id: pathId(context, 'adr_id'), parentId: pathId(context, 'version_id') }
      return answer(context, await supersedeAdr(sql, old, await body(context, adrCreate)), 201)
    },
  )
}
