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
export { type AccountPage, type AccountPageOptions } from './account-page.ts'
export type { Account } from './account-row.ts'
export { type Accounts, type NewAccount, accounts } from './account.ts'
export { type AccountRecords, changeAccounts } from './account-change.ts'
export { type Actor, type AuditEntry, type AuditTrail, audit } from './audit.ts'
export {
  type Backup,
  type BackupReason,
  type BackupRestoration,
  type BackupRestored,
  type Backups,
  type ShipOwner,
  backups,
} from './backup.ts'
export {
  type BackupContents,
  addBackup,
  backupContents,
  presentContents,
} from './backup-contents.ts'
export { type Era, type EraReason, type Eras, type NewEra, eras } from './era.ts'
export { StoreError, type StoreErrorCode } from './error.ts'
export { type NewBeginning, factoryReset } from './factory-reset.ts'
export {
  type Alongside,
  type Journal,
  type JournalOutcome,
  type NewJournalBatch,
  journal,
  claimWorld,
} from './journal.ts'
export {
  type Clock,
  type ClockRow,
  type DigestRow,
  type JournalBatch,
  type JournalRow,
} from './journal-record.ts'
export { type HandOffKey, type HandOffRow, type NewHandOff } from './hand-off.ts'
export type { JournalKey } from './journal-reading.ts'
export { pruneJournal } from './journal-pruning.ts'
export {
  type ManeuverEventFilter,
  type ManeuverEventRow,
  type ManeuverEvents,
  type NewManeuverEvent,
  maneuverEvents,
} from './maneuver-event.ts'
export { type Settings, type SettingsRows, settings } from './settings.ts'
export { type Snapshots, type UnusableSnapshot, snapshots } from './snapshot.ts'
export {
  type NewSnapshot,
  type Snapshot,
  type SnapshotKind,
  type SnapshotSummary,
} from './snapshot-record.ts'
export { type Storage, readStorage } from './storage.ts'

/** Folder of the migrations that these records need. */
export const migrations: URL = new URL('../migrations/', import.meta.url)
