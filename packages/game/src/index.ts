/**
 * The running game without a network: accounts, the journal's writer, and the stored world.
 *
 * @module
 */
export {
  type AccountChanges,
  type AccountKind,
  createAccountChanges,
} from './accounts/account-changes.ts'
export type { Passwords } from './accounts/passwords.ts'
export {
  type Bearer,
  createPlayers,
  type PlayerCounters,
  type Players,
} from './accounts/players.ts'
export { createTokens } from './accounts/tokens.ts'
export type { GameConfig } from './game-config.ts'
export { type GameRecords, openRecords } from './game-records.ts'
export { JournalError } from './journal/journal-error.ts'
export {
  createJournalWriter,
  type JournalMetrics,
  type JournalWriter,
  type JournalWriterOptions,
} from './journal/journal-writer.ts'
export { Refusal, asRefusal, refusal } from './refusal.ts'
export { createTurns, type InTurn } from './turns.ts'
export {
  createManeuverEventWriter,
  type ManeuverEventWriter,
} from './world/maneuver-event-writer.ts'
export { createSnapshotSchedule, type SnapshotSchedule } from './world/snapshot-schedule.ts'
export { createWorldKeeper, type WorldKeeper } from './world/world-keeper.ts'
export {
  type OpenedWorld,
  begun,
  newWorld,
  openStored,
  reconciliation,
  storeWorld,
} from './world/stored-world.ts'
export { openWorld } from './world/world-opening.ts'
