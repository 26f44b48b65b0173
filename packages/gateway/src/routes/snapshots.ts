import { refusal } from '@orrery/game'
import {
  type ResetResponse,
  type RestoreResponse,
  type SnapshotEntry,
  type SnapshotResponse,
  type SnapshotsResponse,
  resetResponse,
  restoreRequest,
  restoreResponse,
  snapshotResponse,
  snapshotsQuery,
  snapshotsResponse,
} from '@orrery/protocol'
import type { SnapshotSummary } from '@orrery/store'
import { Hono } from 'hono'
import type { AppParts } from '../app-parts.ts'
import { operation } from '../openapi.ts'
import type { AdminEnv } from './admin.ts'
import { bodyValues, queryValues } from './input.ts'

/** Stores worlds, lists and restores them. */
export function snapshotRoutes({ worldStorage, controlQueue, audit }: AppParts): Hono<AdminEnv> {
  const routes = new Hono<AdminEnv>()
  routes.post(
    '/api/admin/snapshot',
    operation({
      summary: 'Stores the world as it is now',
      tag: 'snapshots',
      access: 'admin',
      success: { status: 200, schema: snapshotResponse },
    }),
    async (context) => {
      const { id, tick } = await worldStorage.snapshot()
      await audit(context.get('adminId'), 'snapshot', { snapshot: id, tick })
      return context.json({
        success: true,
        snapshot_id: id,
        tick_number: tick,
      } satisfies SnapshotResponse)
    },
  )
  routes.get(
    '/api/admin/snapshots',
    operation({
      summary: 'Stored worlds, newest first',
      tag: 'snapshots',
      access: 'admin',
      query: snapshotsQuery,
      success: { status: 200, schema: snapshotsResponse },
    }),
    async (context) => {
      const { include } = queryValues(context, snapshotsQuery)
      const all = include === 'automatic'
      const stored = await worldStorage.list(all ? 'all' : 'admin')
      const snapshots = stored.map((summary) => snapshotEntry(summary, all))
      return context.json({ snapshots } satisfies SnapshotsResponse)
    },
  )
  routes.post(
    '/api/admin/restore',
    operation({
      summary: 'Goes on from a stored world; accounts and settings stay',
      tag: 'snapshots',
      access: 'admin',
      body: restoreRequest,
      success: { status: 200, schema: restoreResponse },
      errors: [[404, 'E016']],
    }),
    async (context) => {
      const { snapshot_id: id } = await bodyValues(context, restoreRequest)
      const restored = await controlQueue(() => worldStorage.restore(id))
      if (!restored) throw refusal('E016')
      await audit(context.get('adminId'), 'restore', { snapshot: id, tick: restored.tick })
      return context.json({
        success: true,
        tick_number: restored.tick,
        game_time: new Date(restored.gameTimeMs).toISOString(),
      } satisfies RestoreResponse)
    },
  )
  return routes
}

function snapshotEntry(
  { id, tick, gameTime, createdAt, kind }: SnapshotSummary,
  named: boolean,
): SnapshotEntry {
  return {
    id,
    tick_number: tick,
    game_time: gameTime.toISOString(),
    created_at: createdAt.toISOString(),
    ...(named && kind !== 'backup' && { kind }),
  }
}

/** Starts the game again from its beginning. */
export function resetRoutes({ worldStorage, controlQueue, audit }: AppParts): Hono<AdminEnv> {
  const routes = new Hono<AdminEnv>()
  routes.post(
    '/api/admin/game/reset',
    operation({
      summary: 'Begins again: a new world, no account but the environment admin; a backup first',
      tag: 'game control',
      access: 'admin',
      success: { status: 200, schema: resetResponse },
      errors: [[400, 'E003']],
    }),
    async (context) => {
      const { backupId, gameTimeMs } = await controlQueue(() => worldStorage.reset())
      await audit(context.get('adminId'), 'reset', { backup: backupId })
      return context.json({
        success: true,
        game_time: new Date(gameTimeMs).toISOString(),
        backup_id: backupId,
        restart_required: false,
      } satisfies ResetResponse)
    },
  )
  return routes
}
