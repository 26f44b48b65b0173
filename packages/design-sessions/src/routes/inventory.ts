import type { Hono } from 'hono'
import type { AppParts } from '../app-parts.ts'
import {
  inventoryCreate,
  inventoryFilters,
  inventoryItem,
  inventoryItems,
  inventoryUpdate,
} from '../records/inventory.ts'
import { resourceRoutes } from './resource.ts'

/** Raw data of what a version's project has today. */
export function inventoryRoutes({ sql }: Pick<AppParts, 'sql'>): Hono {
  return resourceRoutes({
    sql,
    table: inventoryItems,
    path: '/versions/:version_id/inventory',
    parameter: 'inventory_id',
    tag: 'inventory',
    schema: inventoryItem,
    createSchema: inventoryCreate,
    updateSchema: inventoryUpdate,
    filters: inventoryFilters,
    removable: true,
  })
}
