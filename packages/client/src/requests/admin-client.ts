import {
  type AdaptiveTickRateResponse,
  type AdminStatusResponse,
  type AdminsResponse,
  type AssignedShipResponse,
  type AuditResponse,
  type BackupEntry,
  type BackupRestoredResponse,
  type BackupsResponse,
  type ClockResponse,
  type ClockStoppedResponse,
  type HistoryQuery,
  type HistoryResponse,
  type LoadResponse,
  type MessageResponse,
  type NewAdminResponse,
  type OpenResponse,
  type OpenedResponse,
  type PaceVoteRequest,
  type PaceVoteResponse,
  type PauseResponse,
  type PlayerResponse,
  type PlayersQuery,
  type PlayersResponse,
  type ResetResponse,
  type RestoreResponse,
  type ResumeResponse,
  type RoleResponse,
  type SnapshotPreview,
  type SnapshotResponse,
  type SnapshotsResponse,
  type TalkResponse,
  type TickRateResponse,
  type TimeScaleResponse,
  type TimeSyncResponse,
  api,
} from '@orrery/protocol'
import { type Call, createCall } from './call.ts'
import type { Exchange } from './exchange.ts'
import { type ManeuverLogClient, createManeuverLogClient } from './maneuver-log-client.ts'
import { type WorldClient, createWorldClient } from './world-client.ts'

/** What an admin's token opens: the game, its accounts, its stored worlds, and what is in it. */
export interface AdminClient extends WorldClient {
  /** calls a route by its declaration, such as one that has no function here */
  readonly call: Call
  status(): Promise<AdminStatusResponse>
  readonly game: GameControl
  readonly registrations: {
    state(): Promise<OpenResponse>
    change(open: boolean): Promise<OpenedResponse>
    open(): Promise<OpenedResponse>
    close(): Promise<OpenedResponse>
  }
  /** whether pilots can send each other messages */
  switchTalk(enabled: boolean): Promise<TalkResponse>
  readonly players: PlayerAccounts
  readonly admins: AdminAccounts
  readonly snapshots: {
    create(): Promise<SnapshotResponse>
    /** those that admins made, newest first; with `automatic` all of them */
    list(options?: { readonly include?: 'automatic' }): Promise<SnapshotsResponse>
    /** puts a stored world in the place of the present one, which is lost */
    restore(snapshotId: number): Promise<RestoreResponse>
    /** what a restore of it would undo */
    preview(snapshotId: number): Promise<SnapshotPreview>
    remove(snapshotId: number): Promise<void>
  }
  readonly backups: {
    /** newest first */
    list(): Promise<BackupsResponse>
    /** stores accounts, settings and world as they are now */
    create(): Promise<BackupEntry>
    /**
     * a backup as a file, with password hashes; `scripts/orrery backup import` reads it
     *
     * @param password  of the admin whose token it is; a wrong one is E003
     */
    file(backupId: string, password: string): Promise<ArrayBuffer>
    remove(backupId: string): Promise<void>
    /** puts accounts, settings and world in the place of the present ones, which become a backup */
    restore(backupId: string): Promise<BackupRestoredResponse>
  }
  readonly maneuverLog: ManeuverLogClient
  /** what was done to accounts and to the server, newest first */
  audit(options?: { readonly limit?: number }): Promise<AuditResponse>
  /** what the server does now, beside its status */
  load(): Promise<LoadResponse>
  /** the last hour or day */
  history(query: HistoryQuery): Promise<HistoryResponse>
  /** the server's metrics in the text format of Prometheus */
  metrics(): Promise<string>
  /** ends all tokens of the own account, this one too, and closes its sockets */
  signOutEverywhere(): Promise<void>
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
  /** lets game time hurry to a later moment, ISO 8601, by a year at most */
  moveClock(gameTime: string): Promise<ClockResponse>
  /** ends the hurry; game time stays where it is */
  stopClock(): Promise<ClockStoppedResponse>
  /** what pilots may vote for, and how many have */
  paceVote(): Promise<PaceVoteResponse>
  /** lets pilots vote for the pace, within bounds of 0.1-100 [game seconds per second] */
  allowPaceVote(bounds: PaceVoteRequest): Promise<PaceVoteResponse>
  /** the time scale counts alone again */
  endPaceVote(): Promise<PaceVoteResponse>
  /** back to the factory's state; a backup is made, all else is lost */
  reset(): Promise<ResetResponse>
}

/** All accounts, admins' too. */
export interface PlayerAccounts {
  /** all, or with options a page: `next` is `after` of the following one */
  list(options?: PlayersQuery): Promise<PlayersResponse>
  show(playerId: string): Promise<PlayerResponse>
  remove(playerId: string): Promise<void>
  resetPassword(playerId: string, newPassword: string): Promise<MessageResponse>
  changeRole(playerId: string, isAdmin: boolean): Promise<RoleResponse>
  /** gives an account without a ship one; by default of the class of new accounts' ships */
  assignShip(playerId: string, shipClass?: string): Promise<AssignedShipResponse>
}

/** Accounts of admins. */
export interface AdminAccounts {
  list(): Promise<AdminsResponse>
  create(username: string, password: string): Promise<NewAdminResponse>
  remove(adminId: string): Promise<void>
  /** @param currentPassword  needed for the own account with a token older than 15 minutes */
  changePassword(
    adminId: string,
    newPassword: string,
    currentPassword?: string,
  ): Promise<MessageResponse>
}

export function createAdminClient(exchange: Exchange, token: string): AdminClient {
  const call = createCall(exchange, { token })
  return {
    call,
    status: () => call(api.readGameStatus),
    game: gameClock(call),
    registrations: {
      state: () => call(api.readRegistrations),
      change: (open) => call(api.changeRegistrations, { open }),
      open: () => call(api.openRegistrations),
      close: () => call(api.closeRegistrations),
    },
    switchTalk: (enabled) => call(api.switchTalk, { enabled }),
    players: playerAccounts(call),
    admins: adminAccounts(call),
    snapshots: {
      create: () => call(api.createSnapshot),
      list: (options = {}) => call(api.listSnapshots, options),
      restore: (snapshot_id) => call(api.restoreSnapshot, { snapshot_id }),
      preview: (snapshot_id) => call(api.readSnapshot, { snapshot_id }),
      remove: (snapshot_id) => call(api.deleteSnapshot, { snapshot_id }),
    },
    backups: backups(call),
    ...createWorldClient(call),
    maneuverLog: createManeuverLogClient(call),
    audit: (options = {}) => call(api.listAudit, options),
    load: () => call(api.readLoad),
    history: (asked) => call(api.readHistory, asked),
    metrics: () => call(api.readMetrics),
    signOutEverywhere: () => call(api.endAdminTokens),
  }
}

function backups(call: Call): AdminClient['backups'] {
  return {
    list: () => call(api.listBackups),
    create: () => call(api.createBackup),
    file: (backup_id, password) => call(api.downloadBackup, { backup_id, password }),
    remove: (backup_id) => call(api.deleteBackup, { backup_id }),
    restore: (backup_id) => call(api.restoreBackup, { backup_id }),
  }
}

function gameClock(call: Call): GameControl {
  return {
    pause: () => call(api.pause),
    resume: () => call(api.resume),
    changeTickRate: (tick_rate) => call(api.changeTickRate, { tick_rate }),
    changeTimeScale: (time_scale) => call(api.changeTimeScale, { time_scale }),
    switchTimeSync: (enabled) => call(api.switchTimeSync, { enabled }),
    switchAdaptiveTickRate: (enabled) => call(api.switchAdaptiveTickRate, { enabled }),
    moveClock: (game_time) => call(api.moveClock, { game_time }),
    stopClock: () => call(api.stopClock),
    paceVote: () => call(api.readPaceVote),
    allowPaceVote: (bounds) => call(api.allowPaceVote, bounds),
    endPaceVote: () => call(api.endPaceVote),
    reset: () => call(api.resetGame),
  }
}

function playerAccounts(call: Call): PlayerAccounts {
  return {
    list: (options = {}) => call(api.listPlayers, options),
    show: (player_id) => call(api.readPlayer, { player_id }),
    remove: (player_id) => call(api.deletePlayer, { player_id }),
    resetPassword: (player_id, new_password) =>
      call(api.resetPlayerPassword, { player_id, new_password }),
    changeRole: (player_id, is_admin) => call(api.changeRole, { player_id, is_admin }),
    assignShip: (player_id, ship_class) =>
      call(api.assignShip, { player_id, ...(ship_class !== undefined && { ship_class }) }),
  }
}

function adminAccounts(call: Call): AdminAccounts {
  return {
    list: () => call(api.listAdmins),
    create: (username, password) => call(api.createAdmin, { username, password }),
    remove: (admin_id) => call(api.deleteAdmin, { admin_id }),
    changePassword: (admin_id, new_password, current_password) =>
      call(api.changeAdminPassword, {
        admin_id,
        new_password,
        ...(current_password !== undefined && { current_password }),
      }),
  }
}
