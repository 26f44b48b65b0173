import * as v from 'valibot'
import { type Timestamp, timestamp } from '../identifiers.ts'
import { count } from '../numbers.ts'

/** 200 of `POST /api/admin/snapshot`. */
export interface SnapshotResponse {
  readonly success: true
  readonly snapshot_id: number
  readonly tick_number: number
}

export const snapshotResponse: v.GenericSchema<SnapshotResponse> = v.object({
  success: v.literal(true),
  snapshot_id: count,
  tick_number: count,
})

/**
 * A stored world. `kind` and `replayable`, whether the journal since then is kept, are there when
 * automatic ones were asked for too. One that is not replayable can still be restored.
 */
export interface SnapshotEntry {
  readonly id: number
  readonly tick_number: number
  readonly game_time: Timestamp
  readonly created_at: Timestamp
  readonly kind?: 'admin' | 'automatic' | 'stop'
  readonly replayable?: boolean
}

const snapshotEntry = {
  id: count,
  tick_number: count,
  game_time: timestamp,
  created_at: timestamp,
  kind: v.exactOptional(v.picklist(['admin', 'automatic', 'stop'])),
  replayable: v.exactOptional(v.boolean()),
}

/** 200 of `GET /api/admin/snapshots`, newest first. */
export interface SnapshotsResponse {
  readonly snapshots: readonly SnapshotEntry[]
}

export const snapshotsResponse: v.GenericSchema<SnapshotsResponse> = v.object({
  snapshots: v.array(v.object(snapshotEntry)),
})

/** 200 of `GET /api/admin/snapshots/{snapshot_id}`: what its restore would undo. */
export interface SnapshotPreview extends SnapshotEntry {
  readonly undoes: {
    readonly ticks: number
    readonly game_seconds: number
    /** Ships that return to where they were, and younger ones, which begin at their spawn orbit. */
    readonly ships: number
    readonly ships_begin_again: number
    /** Names of what is there now and would be gone, and of what would come back. */
    readonly stations_gone: readonly string[]
    readonly stations_back: readonly string[]
    readonly jumpgates_gone: readonly string[]
    readonly jumpgates_back: readonly string[]
  }
}

const names = v.array(v.string())

export const snapshotPreview: v.GenericSchema<SnapshotPreview> = v.object({
  ...snapshotEntry,
  undoes: v.object({
    ticks: v.pipe(v.number(), v.safeInteger()),
    game_seconds: v.number(),
    ships: count,
    ships_begin_again: count,
    stations_gone: names,
    stations_back: names,
    jumpgates_gone: names,
    jumpgates_back: names,
  }),
})

/** Query of `GET /api/admin/snapshots`. */
export interface SnapshotsQuery {
  readonly include?: 'automatic'
}

export const snapshotsQuery: v.GenericSchema<SnapshotsQuery> = v.object({
  include: v.exactOptional(v.literal('automatic', "include can be 'automatic'")),
})

/** Body of `POST /api/admin/restore`. */
export interface RestoreRequest {
  readonly snapshot_id: number
}

const SNAPSHOT_ID = 'snapshot_id must be an integer'

export const restoreRequest: v.GenericSchema<RestoreRequest> = v.object({
  snapshot_id: v.pipe(v.number(SNAPSHOT_ID), v.integer(SNAPSHOT_ID)),
})

/** 200 of `POST /api/admin/restore`. */
export interface RestoreResponse {
  readonly success: true
  readonly tick_number: number
  readonly game_time: Timestamp
}

export const restoreResponse: v.GenericSchema<RestoreResponse> = v.object({
  success: v.literal(true),
  tick_number: count,
  game_time: timestamp,
})

/** 200 of `POST /api/admin/game/reset`. */
export interface ResetResponse {
  readonly success: true
  /** the new world's, which is now */
  readonly game_time: Timestamp
  readonly backup_id: string
  readonly restart_required: false
}

export const resetResponse: v.GenericSchema<ResetResponse> = v.object({
  success: v.literal(true),
  game_time: timestamp,
  backup_id: v.pipe(v.string(), v.uuid()),
  restart_required: v.literal(false),
})
