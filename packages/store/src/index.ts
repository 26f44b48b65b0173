/**
 * The game's records in PostgreSQL.
 *
 * @example
 * ```ts
 * const database = await openDatabase({ directory: '.data/game', schema: 'game' })
 * await migrate(database, migrations)
 * const player = await accounts(database.sql).byUsername('Ripley')
 * ```
 * @module
 */
export { type AccountPage, type AccountPageOptions } from './accounts/account-page.ts'
export type { Account } from './accounts/account-row.ts'
export { type Accounts, type NewAccount, accounts, accountsByIds } from './accounts/account.ts'
export { type AccountRecords, changeAccounts } from './accounts/account-change.ts'
export { type FollowConsents, followConsents } from './accounts/follow-consent.ts'
export { type Invitation, type Invitations, invitations } from './accounts/invitation.ts'
export {
  type ServiceAnswer,
  type ServiceAnswers,
  type ServiceCommandKey,
  serviceAnswers,
} from './accounts/service-answer.ts'
export {
  type ServiceShips,
  type ShipOwner,
  serviceShips,
  shipOwners,
} from './accounts/service-ship.ts'
export { type ServiceToken, type ServiceTokens, serviceTokens } from './accounts/service-token.ts'
export { type Actor, type AuditEntry, type AuditTrail, audit } from './audit.ts'
export {
  type Backup,
  type BackupReason,
  type BackupRestoration,
  type BackupRestored,
  type Backups,
  backups,
} from './backups/backup.ts'
export {
  type BackupContents,
  addBackup,
  backupContents,
  presentContents,
} from './backups/backup-contents.ts'
export { type ClockPlan, type ClockPlanRow, clockPlan } from './clock-plan.ts'
export { type EraHeads, type KnownEra, type SystemHead, eraHeads } from './journal/era-heads.ts'
export { type Era, type EraReason, type Eras, type NewEra, eras } from './journal/era.ts'
export { StoreError, type StoreErrorCode } from './error.ts'
export { type NewBeginning, factoryReset } from './backups/factory-reset.ts'
export {
  type Alongside,
  type JournalOutcome,
  type NewJournalBatch,
} from './journal/journal-batch.ts'
export { type Journal, type JournalOptions, journal } from './journal/journal.ts'
export {
  type BeatAnswer,
  type Beats,
  type ClockState,
  type Host,
  type HostClock,
  type HostRow,
  type HostState,
  beats,
  drainHost,
  listHosts,
  mayOwn,
} from './hosts.ts'
export {
  Ownership,
  Renewal,
  type SystemSeen,
  claimSystems,
  giveSystems,
  listOwners,
  raiseFences,
  seenSystems,
  wantOn,
} from './ownership.ts'
export {
  type Clock,
  type ClockRow,
  type DigestRow,
  type JournalBatch,
  type JournalRow,
  type SentCommand,
} from './journal/journal-record.ts'
export {
  type Arrival,
  type HandOffKey,
  type HandOffRow,
  type NewHandOff,
} from './journal/hand-off.ts'
export { type JournalKey, clockFrom, rowsBetween, sentCommands } from './journal/journal-reading.ts'
export { pruneJournal } from './journal/journal-pruning.ts'
export {
  type EventPlaces,
  type ManeuverEventFilter,
  type ManeuverEventRow,
  type ManeuverEvents,
  type NewManeuverEvent,
  type StreamedEvent,
  maneuverEvents,
} from './maneuver-event.ts'
export { type PaceBounds, type Settings, type SettingsRows, settings } from './settings.ts'
export { type Snapshots, type UnusableSnapshot, snapshots } from './snapshots/snapshot.ts'
export {
  type NewSnapshot,
  type Snapshot,
  type SnapshotKind,
  type SnapshotSummary,
} from './snapshots/snapshot-record.ts'
export { type Storage, readStorage } from './storage.ts'

/** Folder of the migrations that these records need. */
export const migrations: URL = new URL('../migrations/', import.meta.url)
export { LIMITS } from './limits.ts'
