/**
 * The tick engine: schedules ticks, hands ships to worker threads, takes commands, measures.
 *
 * ```ts
 * const setup = { systems, index, seed: 'first light', shipsMax: 1000 }
 * const universe = await createUniverseInSlices(setup)
 * const pool = createPool(universe, 2, console.error)
 * const engine = createEngine({ universe, pool, clock: systemClock, ... })
 * engine.start()
 * ```
 */
export { createBudgets } from './commands/budgets.ts'
export type { CommandJournal, CommandRow } from './commands/command-row.ts'
export type { SystemCommand, WorldCommand } from './commands/world-command.ts'
export { EngineError, errorText } from './engine-error.ts'
export type { EngineStatus } from './engine-status.ts'
export type { SystemDigest } from './flown-universe.ts'
export { imageClock } from './image/image-restore.ts'
export type { UniverseImage } from './image/universe-image.ts'
export { LIMITS } from './limits.ts'
export type { JumpgateView } from './objects/jumpgates.ts'
export { OBJECT_RADII } from './objects/radii.ts'
export type { StationView } from './objects/stations.ts'
export type { Rule } from './orders/rule.ts'
export {
  type Engine,
  type EngineOptions,
  type Mirror,
  type MirrorOptions,
  type Pool,
  type Universe,
  type World,
  allShips,
  completeHandOffs,
  createEngine,
  createMirror,
  createPool,
  createPredictor,
  createPreflight,
  createReplay,
  createTrajectories,
  createUniverseInSlices,
  executeCommand,
  findShip,
  gatePairs,
  isShown,
  requirePlace,
  requireShip,
  restoreUniverseInSlices,
  shipClassAt,
  shownEntries,
  shownWorld,
  stopSystem,
  takeUpHandOffs,
  universeAt,
  universeImage,
  worldNamed,
} from './outside.ts'
export type { Preflight } from './prediction/preflight.ts'
export type { Predictor, ShipPrediction } from './prediction/predictor.ts'
export { type PlannedPace, effectivePlan, placeInPlan, plannedIndex } from './time/clock-plan.ts'
export { publishedUtc } from './time/game-clock.ts'
export { type WallClock, systemClock } from './time/wall-clock.ts'
export type { Trajectories } from './trajectories/trajectories.ts'
export { bodyKind } from './views/body-kind.ts'
export type { OwnShipView, ShipNotice, ShipView } from './views/ship-view.ts'
export type { ManeuverEvent } from './world/maneuver.ts'
export type { RosterEntry } from './world/roster.ts'
export { addedClasses, requireClasses } from './world/ship-classes.ts'
export { startNode } from './world/world.ts'
