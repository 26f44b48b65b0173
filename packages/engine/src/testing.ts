/**
 * The engine with its insides, for tests, benches and scripts: worlds can be changed here.
 *
 * @module
 */
export type { CanaryMismatch, CanaryReport } from './pool/canary.ts'
export { type GameClock, createGameClock, publishedUtc } from './time/game-clock.ts'
export type {
  CommandJournal,
  CommandRow,
  CommandSource,
  KeptCommand,
} from './commands/command-row.ts'
export type { SystemDrift } from './world/drift-watch.ts'
export { Engine } from './engine.ts'
export { EngineError, type EngineErrorCode, errorText } from './engine-error.ts'
export type { EngineOptions, TickedUniverse } from './engine-options.ts'
export type { SystemDigest } from './flown-universe.ts'
export type { EngineClock, EngineStatus, EngineMetrics } from './engine-status.ts'
export { type WorldImage, worldImage } from './image/image.ts'
export {
  type RestoredUniverse,
  type UniverseImage,
  restoreUniverse,
  restoreUniverseInSlices,
  universeImage,
} from './image/universe-image.ts'
export { LIMITS } from './limits.ts'
export type { ImageHeader } from './image/image-header.ts'
export { type RestoredWorld, imageClock, restoreWorld } from './image/image-restore.ts'
export {
  RADIUS as JUMPGATE_RADIUS,
  type GatePlace,
  type JumpgateView,
  gatePairs,
  jumpgateViews,
  requireJumpgate,
} from './objects/jumpgates.ts'

export { type Budgets, createBudgets } from './commands/budgets.ts'
export type { AcceptedControl, PendingControl } from './world/intake.ts'
export { parseKeptCommand } from './commands/kept-command.ts'
export type { EndedManeuver, ManeuverEvent } from './world/maneuver.ts'

export { isManeuverDebugged, requireManeuver } from './maneuvers/maneuver-log.ts'
export type { Phase, PhaseTimes, TickTiming } from './time/monitor.ts'
export {
  type ChunkQueue,
  attachQueue,
  claimChunk,
  listDueChunks,
  queueBytes,
} from './pool/chunk-queue.ts'
export { type Pool, type PoolOptions, type PoolStatus, createPool } from './pool/pool.ts'
export { type FileKind, fileRefusal, packFile, unpackFile } from './image/checked-file.ts'
export {
  type PortableJournal,
  type PortableRecord,
  packJournal,
  takeNamesOut,
  unpackJournal,
} from './image/portable-journal.ts'
export { type KeptRow, type Replay, type ReplayOptions, createReplay } from './replay.ts'
export type { PredictionRequest } from './prediction/prediction-request.ts'
export { type Predictor, createPredictor } from './prediction/predictor.ts'
export type { Rule, RuleCondition, SameRule } from './orders/rule.ts'
export { shipRules } from './rules/rule-view.ts'
export type { RosterEntry } from './world/roster.ts'
export {
  type ShipDifference,
  type ValueDifference,
  bodiesDiffer,
  shipDifferences,
} from './views/ship-diff.ts'
export { Trajectories } from './trajectories/trajectories.ts'
export type { Publication } from './trajectories/publication.ts'
export type { Rows } from './trajectories/rows.ts'
export { type ShipSeed, ownShipCheck, shipSeed } from './trajectories/own-ship.ts'
export { massiveAnchor } from './trajectories/massive-anchor.ts'
export type { BodiesView, BodyView } from './views/bodies-view.ts'
export { type BodyKind, bodyKind } from './views/body-kind.ts'
export type { ManeuverView } from './views/maneuver-view.ts'
export type { Orbit } from './views/orbit.ts'
export type { OwnShipView, PilotView, ShipNotice, ShipView } from './views/ship-view.ts'
export type { SteeringView } from './views/steering-view.ts'
export { type Fleet, type Sky, type SystemSummary, systemSummaries } from './views/sky.ts'
export {
  RADIUS as STATION_RADIUS,
  type StationView,
  requireStation,
  stationViews,
} from './objects/stations.ts'
export { type WallClock, systemClock } from './time/wall-clock.ts'
export { scratchAllocator, wasmKernel } from './kernels/wasm-kernel.ts'
export { wasmMassiveKernel } from './kernels/wasm-massive-kernel.ts'
export {
  type SystemSetup,
  type World,
  type WorldSetup,
  createWorld,
  startNode,
} from './world/world.ts'
export {
  type ShipPlace,
  type Universe,
  type UniverseSetup,
  allShips,
  createUniverse,
  findShip,
  isInTransit,
  requireShip,
  withWorld,
  withoutWorld,
  worldNamed,
} from './world/universe.ts'
export { createUniverseInSlices } from './world/universe-in-slices.ts'
export { inside, openedInside } from './inside.ts'
export { addShip, addShips } from './objects/fleet.ts'
export { addedClasses, requireClasses } from './world/ship-classes.ts'
export { requireReachable } from './commands/reachable-orbit.ts'
export { namedBody } from './world/named-body.ts'
export { type AnyHandOff, type HandOff, readHandOff } from './world/hand-off.ts'
export { completeHandOffs, executeCommand } from './commands/execution.ts'
export { type SystemCommand, type WorldCommand, applyCommand } from './commands/world-command.ts'
