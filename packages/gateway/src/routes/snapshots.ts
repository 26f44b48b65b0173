import { type StoredWorld, refusal } from '@orrery/game'
import {
  type ResetResponse,
  type RestoreResponse,
  type SnapshotEntry,
  type SnapshotPreview,
  type SnapshotResponse,
  type SnapshotsResponse,
  restoreRequest,
  snapshotsQuery,
} from '@orrery/protocol'
import { type Context, Hono } from 'hono'
import type { AppParts } from '../app-parts.ts'
import { serve } from '../documents/openapi.ts'
import type { AdminEnv } from './admin.ts'
import { bodyValues, queryValues } from '../requests/input.ts'

/** Stores worlds, lists and restores them. */
export function snapshotRoutes(parts: AppParts): Hono<AdminEnv> {
  const { worldStorage, audit } = parts
  const routes = new Hono<AdminEnv>()
  serve(
    routes,
    'createSnapshot',
    {
      summary: 'Create a snapshot',
      description: 'Stores the world as it is after the last tick.',
      tag: 'snapshots',
    },
    async (context) => {
      const { id, tick } = await worldStorage.snapshot()
      await audit(context.get('admin'), 'snapshot', { snapshot: id, tick })
      return context.json({
        success: true,
        snapshot_id: id,
        tick_number: tick,
      } satisfies SnapshotResponse)
    },
  )
  serve(
    routes,
    'listSnapshots',
    {
      summary: 'List snapshots',
      description:
        'Snapshots made by admins, newest first; with `include=automatic` also those of the ' +
        'server.',
      tag: 'snapshots',
      query: snapshotsQuery,
    },
    async (context) => {
      const { include } = queryValues(context, snapshotsQuery)
      const all = include === 'automatic'
      const stored = await worldStorage.list(all ? 'all' : 'admin')
      const snapshots = stored.map((summary) => snapshotEntry(summary, all))
      return context.json({ snapshots } satisfies SnapshotsResponse)
    },
  )
  addPreview(routes, worldStorage)
  addDeletion(routes, parts)
  addRestore(routes, parts)
  return routes
}

function addRestore(routes: Hono<AdminEnv>, { worldStorage, controlQueue, audit }: AppParts): void {
  serve(
    routes,
    'restoreSnapshot',
    {
      summary: 'Restore a snapshot',
      description:
        'The world continues from a snapshot, in a new era. Accounts, rate, scale and ' +
        'registration stay as they are.',
      tag: 'snapshots',
      body: restoreRequest,
      errors: [[404, 'E016']],
    },
    async (context) => {
      const { snapshot_id: id } = await bodyValues(context, restoreRequest)
      const restored = await controlQueue(() => worldStorage.restore(id))
      if (!restored) throw refusal('E016')
      await audit(context.get('admin'), 'restore', { snapshot: id, tick: restored.tick })
      return context.json({
        success: true,
        tick_number: restored.tick,
        game_time: new Date(restored.gameTimeMs).toISOString(),
      } satisfies RestoreResponse)
    },
  )
}

function addPreview(routes: Hono<AdminEnv>, worldStorage: AppParts['worldStorage']): void {
  serve(
    routes,
    'readSnapshot',
    {
      summary: 'Read a snapshot',
      description:
        'A snapshot, and what its restore would undo: ticks, game time, ships, stations and ' +
        'jump gates.',
      tag: 'snapshots',
      errors: [[404, 'E016']],
    },
    async (context) => {
      const stored = await worldStorage.preview(snapshotIdOf(context))
      if (!stored) throw refusal('E016')
      const { ticks, gameMs, ships, shipsBeginAgain, stations, jumpgates } = stored.undoes
      return context.json({
        ...snapshotEntry(stored, true),
        undoes: {
          ticks,
          game_seconds: gameMs / 1000,
          ships,
          ships_begin_again: shipsBeginAgain,
          stations_gone: stations.gone,
          stations_back: stations.back,
          jumpgates_gone: jumpgates.gone,
          jumpgates_back: jumpgates.back,
        },
      } satisfies SnapshotPreview)
    },
  )
}

function addDeletion(
  routes: Hono<AdminEnv>,
  { worldStorage, audit }: Pick<AppParts, 'worldStorage' | 'audit'>,
): void {
  serve(
    routes,
    'deleteSnapshot',
    {
      summary: 'Delete a snapshot',
      description:
        'Deletes a snapshot with which neither the next start nor a replay begins; others are ' +
        'refused.',
      tag: 'snapshots',
      errors: [
        [404, 'E016'],
        [409, 'E003'],
      ],
    },
    async (context) => {
      const id = snapshotIdOf(context)
      if (!(await worldStorage.remove(id))) throw refusal('E016')
      await audit(context.get('admin'), 'delete_snapshot', { snapshot: id })
      return context.body(null, 204)
    },
  )
}

/** @throws {Refusal} 404 E016 when it is no number */
function snapshotIdOf(context: Context): number {
  const text = context.req.param('snapshot_id') ?? ''
  if (!/^\d{1,15}$/.test(text)) throw refusal('E016')
  return Number(text)
}

function snapshotEntry(
  { id, tick, gameTime, createdAt, kind, isReplayable }: StoredWorld,
  named: boolean,
): SnapshotEntry {
  return {
    id,
    tick_number: tick,
    game_time: gameTime.toISOString(),
    created_at: createdAt.toISOString(),
    ...(named && kind !== 'backup' && { kind, replayable: isReplayable }),
  }
}

/** Starts the game again from its beginning. */
export function resetRoutes({ worldStorage, controlQueue, audit }: AppParts): Hono<AdminEnv> {
  const routes = new Hono<AdminEnv>()
  serve(
    routes,
    'resetGame',
    {
      summary: 'Reset the game',
      description:
        'Stores a backup, then begins a new world. Ships, rules, settings, snapshots and ' +
        'accounts go. The only account is the admin of the environment, with the password that ' +
        '`ADMIN_PASSWORD` has, even where it was changed since; tokens that had ended stay ended.',
      tag: 'game control',
      errors: [[400, 'E003']],
    },
    async (context) => {
      const { backupId, gameTimeMs } = await controlQueue(() => worldStorage.reset())
      await audit(context.get('admin'), 'reset', { backup: backupId })
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
