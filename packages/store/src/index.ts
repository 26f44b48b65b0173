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
export { type Account, type Accounts, type NewAccount, accounts } from './account.ts'
export { type AccountRecords, changeAccounts } from './account-change.ts'
export { type AuditEntry, type AuditTrail, audit } from './audit.ts'
export { StoreError, type StoreErrorCode } from './error.ts'
export { type NewBeginning, factoryReset } from './factory-reset.ts'
export {
  type ManeuverEventFilter,
  type ManeuverEventRow,
  type ManeuverEvents,
  type NewManeuverEvent,
  maneuverEvents,
} from './maneuver-event.ts'
export { type Settings, type SettingsRows, settings } from './settings.ts'
export {
  type NewSnapshot,
  type Snapshot,
  type SnapshotKind,
  type SnapshotSummary,
  type Snapshots,
  type UnusableSnapshot,
  snapshots,
} from './snapshot.ts'

/** Folder of the migrations that these records need. */
export const migrations: URL = new URL('../migrations/', import.meta.url)
