import { type ResetResponse, resetResponse } from '@orrery/protocol'
import { Hono } from 'hono'
import type { AppParts } from '../app-parts.ts'
import { operation } from '../openapi.ts'
import type { AdminEnv } from './admin-only.ts'

/** The way back to the beginning. */
export function resetRoutes({ worldKeeper, controlTurn, audit }: AppParts): Hono<AdminEnv> {
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
      const { backupId, gameTimeMs } = await controlTurn(() => worldKeeper.reset())
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
