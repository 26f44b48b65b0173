import { Hono } from 'hono'
import type { AppParts } from '../app-parts.ts'
import { inventoryItems } from '../records/inventory.ts'
import { removeWithFiles } from '../records/upload-files.ts'
import { createVersion, versions } from '../records/versions.ts'
import { adrRoutes } from './adrs.ts'
import { artifactRoutes } from './artifacts.ts'
import { auditRoutes } from './audit.ts'
import { clientRoutes, projectRoutes } from './clients.ts'
import { coverageRoutes } from './coverage.ts'
import { questionRoutes } from './questions.ts'
import { resourceRoutes } from '../requests/resource.ts'
import { uploadRoutes } from './uploads.ts'

export function recordRoutes(parts: AppParts): Hono {
  const routes = new Hono()
  for (const routesOf of [
    clientRoutes,
    projectRoutes,
    versionRoutes,
    questionRoutes,
    adrRoutes,
    artifactRoutes,
    coverageRoutes,
    inventoryRoutes,
    uploadRoutes,
    auditRoutes,
  ]) {
    routes.route('/', routesOf(parts))
  }
  return routes
}

/** Versions of a project, ordered by number; numbers cannot be changed. */
export function versionRoutes({ sql, uploads }: Pick<AppParts, 'sql' | 'uploads'>): Hono {
  return resourceRoutes({
    sql,
    kind: versions,
    path: '/projects/:project_id/versions',
    parameter: 'version_id',
    tag: 'versions',
    clash: 'Version with this number already exists for this project',
    removable: true,
    actions: {
      create: (values, projectId) => createVersion(sql, projectId, values),
      remove: removeWithFiles({ sql, uploads }, versions),
    },
  })
}

/** Inventory of a version. */
export function inventoryRoutes({ sql }: Pick<AppParts, 'sql'>): Hono {
  return resourceRoutes({
    sql,
    kind: inventoryItems,
    path: '/versions/:version_id/inventory',
    parameter: 'inventory_id',
    tag: 'inventory',
    removable: true,
  })
}
