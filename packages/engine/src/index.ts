/**
 * The tick engine: schedules ticks, hands ships to worker threads, takes commands, measures.
 *
 * ```ts
 * const world = createWorld({ systems, index, seed: 'first light', shipsMax: 1000 })
 * const pool = createPool(world, 2, console.error)
 * const engine = new Engine({ world, pool, clock: systemClock, ... })
 * engine.start()
 * ```
 */
export type { CanaryMismatch, CanaryReport } from './canary.ts'
export { type GameClock, createGameClock } from './clock.ts'
export type { CommandJournal, CommandRow, CommandSource, KeptCommand } from './command-row.ts'
export type { SystemDrift } from './drift-watch.ts'
export { Engine } from './engine.ts'
export { EngineError, type EngineErrorCode } from './engine-error.ts'
export type { EngineOptions, TickedWorld } from './engine-options.ts'
export type { EngineClock, EngineStatus } from './engine-status.ts'
export { publishedUtc } from './game-time.ts'
export { type WorldImage, worldImage } from './image.ts'
export type { ImageHeader } from './image-header.ts'
export { type RestoredWorld, imageClock, restoreWorld } from './image-restore.ts'
export { type JumpgateView, jumpgateViews } from './jumpgates.ts'
export type { AcceptedControl, Control, PendingControl } from './intake.ts'
export { parseKeptCommand } from './kept-command.ts'
export type { ManeuverEvent } from './maneuver-event.ts'
export { isManeuverDebugged, requireManeuver } from './maneuver-log.ts'
export type { EngineMetrics } from './metrics.ts'
export type { Phase, PhaseTimes, TickTiming } from './monitor.ts'
export { type Pool, type PoolOptions, type PoolStatus, createPool } from './pool.ts'
export {
  type PortableJournal,
  type PortableRecord,
  packJournal,
  takeNamesOut,
  unpackJournal,
} from './portable-journal.ts'
export { type KeptRow, type Replay, type ReplayOptions, createReplay } from './replay.ts'
export type { RosterEntry } from './roster.ts'
export {
  type ShipDifference,
  type ValueDifference,
  shipDifferences,
  systemDifferences,
} from './ship-diff.ts'
export type { ShipNotice } from './ship-notice.ts'
export type { ShipView } from './ship-view.ts'
export { type Fleet, type Sky, systemOf } from './sky.ts'
export { type StationView, stationViews } from './stations.ts'
export { type SystemSummary, systemSummaries } from './system-summary.ts'
export { type WallClock, systemClock } from './wall-clock.ts'
export { scratchAllocator, wasmKernel } from './wasm-kernel.ts'
export { wasmMassiveKernel } from './wasm-massive-kernel.ts'
export { type SystemSetup, type World, type WorldSetup, createWorld, startNode } from './world.ts'
export { addShip, removeShip } from './fleet.ts'
export { type WorldCommand, applyCommand } from './world-command.ts'
