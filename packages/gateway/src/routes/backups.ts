import { refusal } from '@orrery/game'
import {
  type BackupRestoredResponse,
  type BackupsResponse,
  passwordRequest,
} from '@orrery/protocol'
import { Hono } from 'hono'
import type { AppParts } from '../app-parts.ts'
import { backupEntryOf } from '../views/backup-entry.ts'
import { serve } from '../documents/openapi.ts'
import type { AdminEnv } from './admin.ts'
import { bodyValues } from '../requests/input.ts'

const FILE_TYPE = 'application/octet-stream'

const listing = {
  summary: 'List backups',
  description: 'Backups of accounts, settings and world, newest first.',
  tag: 'snapshots',
} as const

const making = {
  summary: 'Make a backup',
  description: 'Stores accounts, settings and the world as they are now.',
  tag: 'snapshots',
} as const

const downloading = {
  summary: 'Download a backup',
  description:
    'A backup as a file, with password hashes, which is why the password of the caller is asked ' +
    'for again. `scripts/orrery backup import` adds it to another database.',
  tag: 'snapshots',
  body: passwordRequest,
  errors: [
    [400, 'E012'],
    [403, 'E003'],
    [404, 'E002'],
    [429, 'E004'],
  ],
} as const

const deleting = {
  summary: 'Delete a backup',
  description: 'Deletes a backup and the world in it for good.',
  tag: 'snapshots',
  errors: [[404, 'E002']],
} as const

const restoring = {
  summary: 'Restore a backup',
  description:
    'The server continues with the accounts, settings and world of a backup, in a new era. The ' +
    'present ones become a backup first.',
  tag: 'snapshots',
  errors: [[404, 'E002']],
} as const

/** Makes, lists, carries, deletes and restores backups. */
export function backupRoutes(parts: AppParts): Hono<AdminEnv> {
  const { worldStorage, backups, controlQueue, audit, ownPasswords, players } = parts
  const routes = new Hono<AdminEnv>()
  serve(routes, 'listBackups', listing, async (context) => {
    const all = (await backups.list()).map(backupEntryOf)
    return context.json({ backups: all } satisfies BackupsResponse)
  })
  serve(routes, 'createBackup', making, async (context) => {
    const backup = await worldStorage.backUp()
    await audit(context.get('admin'), 'backup', { backup: backup.backupId, tick: backup.tick })
    return context.json(backupEntryOf(backup), 201)
  })
  serve(routes, 'downloadBackup', downloading, async (context) => {
    const backup = context.req.param('backup_id')
    const { password } = await bodyValues(context, passwordRequest)
    const { playerId, account } = context.get('admin')
    // A stolen token alone must not give the hashes of all passwords.
    await ownPasswords.checked(playerId, () => players.confirm(account, password))
    const file = await worldStorage.packBackup(backup)
    if (!file) throw unknown()
    await audit(context.get('admin'), 'backup_download', { backup })
    return context.body(file, 200, {
      'content-type': FILE_TYPE,
      'content-disposition': `attachment; filename="orrery-${backup}.backup"`,
      'cache-control': 'no-store',
    })
  })
  serve(routes, 'deleteBackup', deleting, async (context) => {
    const backup = context.req.param('backup_id')
    if (!(await worldStorage.deleteBackup(backup))) throw unknown()
    await audit(context.get('admin'), 'backup_delete', { backup })
    return context.body(null, 204)
  })
  serve(routes, 'restoreBackup', restoring, async (context) => {
    const backup = context.req.param('backup_id')
    const restored = await controlQueue(() => worldStorage.restoreBackup(backup))
    if (!restored) throw unknown()
    const { tick, gameTimeMs, backupId } = restored
    await audit(context.get('admin'), 'backup_restore', { backup, tick, present: backupId })
    return context.json({
      success: true,
      tick_number: tick,
      game_time: new Date(gameTimeMs).toISOString(),
      present_backup_id: backupId,
    } satisfies BackupRestoredResponse)
  })
  return routes
}

function unknown(): Error {
  return refusal('E002', 'Backup not found')
}
