/**
 * The running game without a network: accounts, the journal's writer, and the stored world.
 *
 * @module
 */
export { type BodyAccuracy, bodyAccuracy, checkpointAtOrBefore } from '@orrery/catalog'
export type { AccountKind } from './accounts/account-checks.ts'
export {
  type AccountChanges,
  type TokenBearer,
  createAccountChanges,
} from './accounts/account-changes.ts'
export {
  type ForeignIdentities,
  type SignIn,
  createForeignIdentities,
} from './accounts/foreign-identities.ts'
export { type FirstFlights, createFirstFlights } from './accounts/first-flights.ts'
export type { Passwords } from './accounts/passwords.ts'
export {
  type Bearer,
  createBearers,
  createPlayers,
  type PlayerCounters,
  type Players,
} from './accounts/players.ts'
export {
  SERVICE_TOKENS_MAX,
  makeServiceToken,
  requireScope,
  revokeServiceToken,
  serviceBearer,
} from './accounts/service-bearers.ts'
export { newShipsClass, requireTaker, shipOffer } from './accounts/ship-offers.ts'
export { createTokens } from './accounts/tokens.ts'
export { CommandError } from './commanding/command-error.ts'
export { answerCommand, answerCommands } from './commanding/command-answering.ts'
export { type CommandExecution, createCommandExecution } from './commanding/command-execution.ts'
export {
  type CommandDone,
  type CommandRefusal,
  type CommandRequest,
  type Order,
  decodeReply,
  decodeRequest,
  encodeReply,
  encodeRequest,
} from './commanding/command-message.ts'
export { type OwnedSystem, sendCommand } from './commanding/command-sending.ts'
export { ENGINE_REFUSALS } from './engine-refusals.ts'
export type { CarriedCore } from './following/carried-core.ts'
export type { ComparedDigest } from './following/followed-system.ts'
export { FollowerError, causeIn } from './following/follower-error.ts'
export { lastManeuverEvents } from './following/last-maneuver-events.ts'
export type { FollowedPlace, FollowerPosition } from './following/follower-position.ts'
export {
  createFollower,
  type Follower,
  type FollowerOptions,
  type PromotedUniverse,
} from './following/follower.ts'
export {
  createMirroredWorld,
  type MirroredWorld,
  type MirroredWorldOptions,
} from './following/mirrored-world.ts'
export type { GameConfig, GivenShips } from './game-config.ts'
export { type GameRecords, HOME_ID, SYSTEM_IDS, hostOf, openRecords } from './game-records.ts'
export { ClaimTurn } from './hosting/claim-turn.ts'
export { FollowedClock } from './hosting/followed-clock.ts'
export { heirOf } from './hosting/giving.ts'
export { type HostBeats, startBeats } from './hosting/host-beats.ts'
export { LeaderClock, type PaceChange, type PlannedChange } from './hosting/leader-clock.ts'
export { type Standby, type TakenOver, createStandby } from './hosting/standby.ts'
export { announceOwner, onOwnerNews } from './hosting/owner-news.ts'
export { OwnerWatch } from './hosting/owner-watch.ts'
export { Placement, type PlacementOptions } from './hosting/placement.ts'
export { BATCH_ROWS_MAX } from './journal/backlog.ts'
export { JournalError } from './journal/journal-error.ts'
export {
  createJournalWriter,
  type JournalMetrics,
  type JournalWriter,
  type JournalWriterOptions,
} from './journal/journal-writer.ts'
export { LIMITS } from './limits.ts'
export { type FlownPast, type PastReading, createFlownPast } from './past/flown-past.ts'
export { type PastSpan, pastSpan } from './past/past-span.ts'
export {
  type Presence,
  type PresenceOptions,
  type PresenceReceiver,
  createPresence,
} from './presence/presence.ts'
export { Refusal, asRefusal, refusal } from './refusal.ts'
export { createSerialQueue, type SerialQueue } from './serial-queue.ts'
export {
  type CarriedBackup,
  carriedBackup,
  lastMigration,
  packBackup,
  unpackBackup,
} from './world/backup-file.ts'
export { type CatalogCheckpoints, catalogCheckpoints } from './world/catalog-checkpoints.ts'
export { storedSettings } from './world/kept-settings.ts'
export {
  createManeuverEventWriter,
  type ManeuverEventWriter,
} from './world/maneuver-event-writer.ts'
export { createRowStream } from './streaming/row-stream.ts'
export { type StreamMessage, decodeStreamMessage, rowSubject } from './streaming/stream-message.ts'
export type { StoredWorld } from './world/retention.ts'
export { createSnapshotSchedule, type SnapshotSchedule } from './world/snapshot-schedule.ts'
export { createWorldStorage, type WorldStorage } from './world/world-storage.ts'
export {
  type OpenedUniverse,
  begun,
  newUniverse,
  openStored,
  reconciliation,
  sequencesOf,
  storeUniverse,
} from './world/stored-universe.ts'
export { openUniverse } from './world/universe-opening.ts'
export type { ReplacementKind } from './world/world-replacement.ts'
