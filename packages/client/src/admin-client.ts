import {
  type AdaptiveTickRateResponse,
  type AdminStatusResponse,
  type AdminsResponse,
  type AssignedShipResponse,
  type AuditResponse,
  type MessageResponse,
  type NewAdminResponse,
  type OpenResponse,
  type OpenedResponse,
  type PauseResponse,
  type PlayersResponse,
  type ResetResponse,
  type RestoreResponse,
  type ResumeResponse,
  type RoleResponse,
  type SnapshotResponse,
  type SnapshotsResponse,
  type TickRateResponse,
  type TimeScaleResponse,
  type TimeSyncResponse,
  adaptiveTickRateResponse,
  adminStatusResponse,
  adminsResponse,
  assignedShipResponse,
  auditResponse,
  messageResponse,
  newAdminResponse,
  openResponse,
  openedResponse,
  pauseResponse,
  playersResponse,
  resetResponse,
  restoreResponse,
  resumeResponse,
  roleResponse,
  snapshotResponse,
  snapshotsResponse,
  tickRateResponse,
  timeScaleResponse,
  timeSyncResponse,
} from '@orrery/protocol'
import * as v from 'valibot'
import { type AdminAsk, type Exchange, nothing, query } from './exchange.ts'
import { type ManeuverLogClient, createManeuverLogClient } from './maneuver-log-client.ts'
import { type WorldClient, createWorldClient } from './world-client.ts'

/** What an admin's token opens: the game, its accounts, its stored worlds, and what is in it. */
export interface AdminClient extends WorldClient {
  status(): Promise<AdminStatusResponse>
  readonly game: GameControl
  readonly registrations: {
    state(): Promise<OpenResponse>
    change(open: boolean): Promise<OpenedResponse>
    open(): Promise<OpenedResponse>
    close(): Promise<OpenedResponse>
  }
  readonly players: PlayerAccounts
  readonly admins: AdminAccounts
  readonly snapshots: {
    create(): Promise<SnapshotResponse>
    /** those that admins made, newest first; with `automatic` all of them */
    list(options?: { readonly include?: 'automatic' }): Promise<SnapshotsResponse>
    /** puts a stored world in the place of the present one, which is lost */
    restore(snapshotId: number): Promise<RestoreResponse>
  }
  readonly maneuverLog: ManeuverLogClient
  /** what was done to accounts and to the server, newest first */
  audit(options?: { readonly limit?: number }): Promise<AuditResponse>
  /** the server's metrics in the text format of Prometheus */
  metrics(): Promise<string>
}

/** The clock of the game. */
export interface GameControl {
  pause(): Promise<PauseResponse>
  resume(): Promise<ResumeResponse>
  /** 0.1-100 [Hz] */
  changeTickRate(rateHz: number): Promise<TickRateResponse>
  /** 0.1-100 [game seconds per second] */
  changeTimeScale(scale: number): Promise<TimeScaleResponse>
  switchTimeSync(enabled: boolean): Promise<TimeSyncResponse>
  switchAdaptiveTickRate(enabled: boolean): Promise<AdaptiveTickRateResponse>
  /** back to the factory's state; a backup is made, all else is lost */
  reset(): Promise<ResetResponse>
}

/** All accounts, admins' too. */
export interface PlayerAccounts {
  list(): Promise<PlayersResponse>
  remove(playerId: string): Promise<void>
  resetPassword(playerId: string, newPassword: string): Promise<MessageResponse>
  changeRole(playerId: string, isAdmin: boolean): Promise<RoleResponse>
  /** gives an account without a ship one */
  assignShip(playerId: string): Promise<AssignedShipResponse>
}

/** Accounts of admins. */
export interface AdminAccounts {
  list(): Promise<AdminsResponse>
  create(username: string, password: string): Promise<NewAdminResponse>
  remove(adminId: string): Promise<void>
  changePassword(adminId: string, newPassword: string): Promise<MessageResponse>
}

export function createAdminClient(exchange: Exchange, token: string): AdminClient {
  const ask: AdminAsk = (request, answer, body) =>
    exchange(request, answer, { token, ...(body && { body }) })
  return {
    status: () => ask('GET /api/admin/status', adminStatusResponse),
    game: gameControl(ask),
    registrations: {
      state: () => ask('GET /api/admin/registrations', openResponse),
      change: (open) => ask('POST /api/admin/registrations', openedResponse, { open }),
      open: () => ask('POST /api/admin/registrations/enable', openedResponse),
      close: () => ask('POST /api/admin/registrations/disable', openedResponse),
    },
    players: playerAccounts(ask),
    admins: adminAccounts(ask),
    snapshots: {
      create: () => ask('POST /api/admin/snapshot', snapshotResponse),
      list: (options = {}) => ask(`GET /api/admin/snapshots${query(options)}`, snapshotsResponse),
      restore: (snapshot_id) => ask('POST /api/admin/restore', restoreResponse, { snapshot_id }),
    },
    ...createWorldClient(ask),
    maneuverLog: createManeuverLogClient(ask),
    audit: (options = {}) => ask(`GET /api/admin/audit${query(options)}`, auditResponse),
    metrics: () => exchange('GET /metrics', v.string(), { token, isText: true }),
  }
}

function gameControl(ask: AdminAsk): GameControl {
  return {
    pause: () => ask('POST /api/admin/game/pause', pauseResponse),
    resume: () => ask('POST /api/admin/game/resume', resumeResponse),
    changeTickRate: (tick_rate) =>
      ask('PUT /api/admin/game/tick-rate', tickRateResponse, { tick_rate }),
    changeTimeScale: (time_scale) =>
      ask('PUT /api/admin/game/time-scale', timeScaleResponse, { time_scale }),
    switchTimeSync: (enabled) =>
      ask('POST /api/admin/game/time-sync', timeSyncResponse, { enabled }),
    switchAdaptiveTickRate: (enabled) =>
      ask('POST /api/admin/game/adaptive-tick-rate', adaptiveTickRateResponse, { enabled }),
    reset: () => ask('POST /api/admin/game/reset', resetResponse),
  }
}

function playerAccounts(ask: AdminAsk): PlayerAccounts {
  const at = (playerId: string): string => `/api/admin/players/${encodeURIComponent(playerId)}`
  return {
    list: () => ask('GET /api/admin/players', playersResponse),
    remove: (playerId) => ask(`DELETE ${at(playerId)}`, nothing),
    resetPassword: (playerId, new_password) =>
      ask(`POST ${at(playerId)}/reset-password`, messageResponse, { new_password }),
    changeRole: (playerId, is_admin) => ask(`PUT ${at(playerId)}/role`, roleResponse, { is_admin }),
    assignShip: (playerId) => ask(`POST ${at(playerId)}/ship`, assignedShipResponse),
  }
}

function adminAccounts(ask: AdminAsk): AdminAccounts {
  const at = (adminId: string): string => `/api/admin/admins/${encodeURIComponent(adminId)}`
  return {
    list: () => ask('GET /api/admin/admins', adminsResponse),
    create: (username, password) =>
      ask('POST /api/admin/admins', newAdminResponse, { username, password }),
    remove: (adminId) => ask(`DELETE ${at(adminId)}`, nothing),
    changePassword: (adminId, new_password) =>
      ask(`PUT ${at(adminId)}/password`, messageResponse, { new_password }),
  }
}
