import type { Hono } from 'hono'
import type { AppParts } from '../app-parts.ts'
import {
  createVersion,
  version,
  versionCreate,
  versionFilters,
  versionUpdate,
  versions,
} from '../records/versions.ts'
import { resourceRoutes } from './resource.ts'

/** Versions of a project, in the order of their numbers; their numbers are fixed. */
export function versionRoutes({ sql }: Pick<AppParts, 'sql'>): Hono {
  return resourceRoutes({
    sql,
    table: versions,
    path: '/projects/:project_id/versions',
    parameter: 'version_id',
    tag: 'versions',
    schema: version,
    createSchema: versionCreate,
    updateSchema: versionUpdate,
    filters: versionFilters,
    clash: 'Version with this number already exists for this project',
    removable: false,
    actions: { create: (values, projectId) => createVersion(sql, projectId, values) },
  })
}
