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
export { Engine, type EngineOptions, type EngineStatus } from './engine.ts'
export { EngineError, type EngineErrorCode } from './engine-error.ts'
export { type RestoredWorld, type WorldImage, restoreWorld } from './image.ts'
export type { ImageHeader } from './image-header.ts'
export type { Control, PendingControl } from './intake.ts'
export type { EngineMetrics, SystemDrift } from './metrics.ts'
export type { Phase, PhaseTimes } from './monitor.ts'
export { type Pool, type PoolOptions, type PoolStatus, createPool } from './pool.ts'
export type { RosterEntry } from './roster.ts'
export type { ShipNotice } from './ship-notice.ts'
export type { ShipView } from './ship-view.ts'
export { type WallClock, systemClock } from './wall-clock.ts'
export { scratchAllocator, wasmKernel } from './wasm-kernel.ts'
export { wasmMassiveKernel } from './wasm-massive-kernel.ts'
export {
  type SystemSetup,
  type World,
  type WorldSetup,
  addShip,
  createWorld,
  removeShip,
  startNode,
} from './world.ts'
export type { WorldCommand } from './world-command.ts'
