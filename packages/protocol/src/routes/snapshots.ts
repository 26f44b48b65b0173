/** Stored worlds and backups. */
import * as v from 'valibot'
import type { PasswordRequest } from '../bodies/accounts.ts'
import {
  type BackupEntry,
  type BackupRestoredResponse,
  type BackupsResponse,
  backupEntry,
  backupRestoredResponse,
  backupsResponse,
} from '../bodies/backups.ts'
import {
  type RestoreRequest,
  type RestoreResponse,
  type SnapshotPreview,
  type SnapshotResponse,
  type SnapshotsQuery,
  type SnapshotsResponse,
  restoreResponse,
  snapshotPreview,
  snapshotResponse,
  snapshotsResponse,
} from '../bodies/snapshots.ts'
import { type Route, nothing } from './route.ts'

export const createSnapshot: Route<SnapshotResponse> = {
  request: 'POST /api/admin/snapshot',
  access: 'admin',
  status: 200,
  answer: snapshotResponse,
}

export const listSnapshots: Route<SnapshotsResponse, { query: SnapshotsQuery }> = {
  request: 'GET /api/admin/snapshots',
  access: 'admin',
  status: 200,
  answer: snapshotsResponse,
}

export const readSnapshot: Route<SnapshotPreview, { path: 'snapshot_id' }> = {
  request: 'GET /api/admin/snapshots/:snapshot_id',
  access: 'admin',
  status: 200,
  answer: snapshotPreview,
}

export const deleteSnapshot: Route<void, { path: 'snapshot_id' }> = {
  request: 'DELETE /api/admin/snapshots/:snapshot_id',
  access: 'admin',
  status: 204,
  answer: nothing,
}

export const restoreSnapshot: Route<RestoreResponse, { body: RestoreRequest }> = {
  request: 'POST /api/admin/restore',
  access: 'admin',
  status: 200,
  answer: restoreResponse,
}

export const listBackups: Route<BackupsResponse> = {
  request: 'GET /api/admin/backups',
  access: 'admin',
  status: 200,
  answer: backupsResponse,
}

export const createBackup: Route<BackupEntry> = {
  request: 'POST /api/admin/backups',
  access: 'admin',
  status: 201,
  answer: backupEntry,
}

export const downloadBackup: Route<ArrayBuffer, { path: 'backup_id'; body: PasswordRequest }> = {
  request: 'POST /api/admin/backups/:backup_id/file',
  access: 'admin',
  status: 200,
  answer: v.any(),
  form: 'bytes',
}

export const deleteBackup: Route<void, { path: 'backup_id' }> = {
  request: 'DELETE /api/admin/backups/:backup_id',
  access: 'admin',
  status: 204,
  answer: nothing,
}

export const restoreBackup: Route<BackupRestoredResponse, { path: 'backup_id' }> = {
  request: 'POST /api/admin/backups/:backup_id/restore',
  access: 'admin',
  status: 200,
  answer: backupRestoredResponse,
}
