import { Hono } from 'hono'
import type { AppParts } from '../app-parts.ts'
import { adrRoutes } from './adrs.ts'
import { artifactRoutes } from './artifacts.ts'
import { clientRoutes, projectRoutes } from './clients.ts'
import { coverageRoutes } from './coverage.ts'
import { inventoryRoutes } from './inventory.ts'
import { questionRoutes } from './questions.ts'
import { uploadRoutes } from './uploads.ts'
import { versionRoutes } from './versions.ts'

/** All that is kept of sessions. */
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
  ]) {
    routes.route('/', routesOf(parts))
  }
  return routes
}
