import * as v from 'valibot'
import { type Timestamp, type Uuid, timestamp, uuid } from '../identifiers.ts'
import { count } from '../numbers.ts'

/** Accounts, settings and world as they were at a moment. */
export interface BackupEntry {
  readonly backup_id: Uuid
  readonly created_at: Timestamp
  /** what it was made by or for; those made on request are deleted when there are newer ones */
  readonly reason: 'reset' | 'restore' | 'request' | 'import'
  readonly tick_number: number
  readonly game_time: Timestamp
  readonly accounts: number
}

/** Schema of {@link BackupEntry}, which is 201 of `POST /api/admin/backups`. */
export const backupEntry: v.GenericSchema<BackupEntry> = v.object({
  backup_id: uuid,
  created_at: timestamp,
  reason: v.picklist(['reset', 'restore', 'request', 'import']),
  tick_number: count,
  game_time: timestamp,
  accounts: count,
})

/** 200 of `GET /api/admin/backups`, newest first. */
export interface BackupsResponse {
  readonly backups: readonly BackupEntry[]
}

export const backupsResponse: v.GenericSchema<BackupsResponse> = v.object({
  backups: v.array(backupEntry),
})

/** 200 of `POST /api/admin/backups/{backup_id}/restore`. */
export interface BackupRestoredResponse {
  readonly success: true
  readonly tick_number: number
  readonly game_time: Timestamp
  /** of what was there before */
  readonly present_backup_id: Uuid
}

export const backupRestoredResponse: v.GenericSchema<BackupRestoredResponse> = v.object({
  success: v.literal(true),
  tick_number: count,
  game_time: timestamp,
  present_backup_id: uuid,
})
