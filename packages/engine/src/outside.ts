import type { ShipClass, StarSystem } from '@orrery/sim'
import type { CommandSource } from './commands/command-row.ts'
import * as execution from './commands/execution.ts'
import * as handOffs from './commands/taken-up-hand-offs.ts'
import type { WorldCommand } from './commands/world-command.ts'
import type * as options from './engine-options.ts'
import * as engines from './engine.ts'
import * as images from './image/universe-image.ts'
import * as mirrors from './mirror.ts'
import * as gates from './objects/jumpgates.ts'
import * as placed from './objects/placed-ship.ts'
import * as pools from './pool/pool.ts'
import * as preflights from './prediction/preflight.ts'
import * as predictors from './prediction/predictor.ts'
import * as replays from './replay.ts'
import type { GameClock } from './time/game-clock.ts'
import * as paths from './trajectories/trajectories.ts'
import * as held from './world/held-ships.ts'
import type { ManeuverLog } from './world/maneuver.ts'
import type { ByNumber } from './world/numbered.ts'
import type { Jumpgate, NamedRow, Station } from './world/rail-objects.ts'
import type { RosterEntry } from './world/roster.ts'
import * as slices from './world/universe-in-slices.ts'
import * as universes from './world/universe.ts'
import type { WorldModules } from './world/world-modules.ts'

/** A star system as other packages see it: nothing can be written; to be read between ticks. */
export interface World {
  /** published lattice index */
  readonly index: number
  readonly state: {
    readonly system: StarSystem
    readonly slots: number
    readonly classes: readonly ShipClass[]
  }
  readonly setup: {
    readonly system: {
      readonly territory: { readonly home: number; readonly spheres: ArrayLike<number> }
    }
  }
  readonly roster: {
    readonly byId: ReadonlyMap<string, RosterEntry>
    readonly byNumber: ByNumber<RosterEntry>
    readonly nextNumber: number
  }
  /** older one that flew it; undefined once its journal has that the present one does */
  readonly physicsBefore: number | undefined
  /** of the last command */
  readonly intake: { readonly sequence: number }
  readonly maneuvers: Readonly<Pick<ManeuverLog, 'level'>>
  readonly modules:
    | Pick<
        WorldModules,
        'added' | 'costs' | 'hasAccount' | 'influences' | 'ownRows' | 'rowValues' | 'shipValues'
      >
    | undefined
  /** ships that are shown as they were, see `HeldShips` */
  readonly held: {
    readonly byNumber: ReadonlyMap<number, Readonly<held.HeldShip>>
    readonly byId: ReadonlyMap<string, Readonly<held.HeldShip>>
    readonly listing: number
  }
  /** what has left for another system and not arrived, by id */
  readonly departed: Readonly<Pick<ReadonlyMap<string, unknown>, 'has'>>
  /** by id, oldest first */
  readonly stations: ReadonlyMap<string, Station>
  readonly jumpgates: ReadonlyMap<string, Jumpgate>
  /** rows of modules, by id */
  readonly railed: ReadonlyMap<string, NamedRow>
}

/** All star systems under one clock, in the catalog's order. */
export interface Universe {
  readonly worlds: readonly World[]
}

/** What flies the ships of a universe. */
export type Pool = Pick<pools.Pool, 'close' | 'status'>

interface ShipPlace {
  readonly world: World
  readonly entry: RosterEntry
}

interface TickedUniverse extends Omit<options.TickedUniverse, 'universe' | 'pool'> {
  readonly universe: Universe
  readonly pool: Pool
}

export type EngineOptions = Omit<options.EngineOptions, 'universe' | 'pool'> & TickedUniverse

export interface Engine extends Omit<
  engines.Engine,
  'universe' | 'halt' | 'replaceUniverse' | 'regroup'
> {
  readonly universe: Universe
  /** As {@link engines.Engine.halt}. */
  halt(): Promise<TickedUniverse>
  /** As {@link engines.Engine.replaceUniverse}. */
  replaceUniverse(ticked: TickedUniverse): Promise<void>
}

export type MirrorOptions = mirrors.MirrorOptions

export interface Mirror extends Omit<mirrors.Mirror, 'universe' | 'opened' | 'replaying'> {
  readonly universe: Universe
  /** As {@link mirrors.Mirror.opened}. */
  opened(world: Pick<TickedUniverse, 'universe' | 'pool'>): void
  /** As {@link mirrors.Mirror.replaying}. */
  replaying(world: World): mirrors.MirroredReplay
}

interface ReplayOptions extends Omit<replays.ReplayOptions, 'world' | 'pool'> {
  readonly world: World
  readonly pool: Pool | undefined
}

/** Functions of the engine by what other packages may see of their arguments and results. */
interface Outside {
  createEngine(options: EngineOptions): Engine
  createMirror(options: MirrorOptions): Mirror
  createPool(universe: Universe, workers: number, onFailure: (error: unknown) => void): Pool
  createPredictor(
    engine: Pick<Engine, 'universe' | 'whenSettled' | 'shipsReleased'>,
    onError: (error: unknown) => void,
  ): predictors.Predictor
  createPreflight(
    engine: Pick<Engine, 'universe' | 'whenSettled' | 'execute'>,
    onError: (error: unknown) => void,
    options?: preflights.PreflightOptions,
  ): preflights.Preflight
  createReplay(options: ReplayOptions): Omit<replays.Replay, 'world'>
  createUniverseInSlices(setup: universes.UniverseSetup): Promise<Universe>
  universeAt(made: Universe, index: number): Omit<TickedUniverse, 'pool'>
  universeImage(universe: Universe, clock: GameClock, tick: number): images.UniverseImage
  restoreUniverseInSlices(
    ...args: Parameters<typeof images.restoreUniverseInSlices>
  ): Promise<Omit<TickedUniverse, 'pool'>>
  executeCommand(universe: Universe, command: WorldCommand, by?: CommandSource): void
  completeHandOffs(universe: Universe): void
  takeUpHandOffs(universe: Universe, rows: readonly handOffs.StoredHandOff[]): void
  stopSystem(universe: Universe, systemId: string, reason: string): void
  worldNamed(universe: Universe, systemId: string): World
  allShips(universe: Universe): Generator<RosterEntry, void>
  shownEntries(world: World): RosterEntry[]
  isShown(world: World, shipNumber: number): boolean
  shownWorld(universe: Universe, shipId: string): World | undefined
  findShip(universe: Universe, shipId: string): ShipPlace | undefined
  requireShip(universe: Universe, shipId: string): ShipPlace
  requirePlace(universe: Universe, place: placed.ShipPlace): void
  shipClassAt(world: World, entry: RosterEntry): ShipClass
  gatePairs(universe: Universe): ReadonlyMap<string, { world: World; gate: Jumpgate }>
  createTrajectories(world: World, publication: number, isWhole?: boolean): paths.Trajectories
}

export const createEngine: Outside['createEngine'] = (given: options.EngineOptions) =>
  new engines.Engine(given)
export const createMirror: Outside['createMirror'] = mirrors.createMirror
export const createPool: Outside['createPool'] = pools.createPool
export const createPredictor: Outside['createPredictor'] = predictors.createPredictor
export const createPreflight: Outside['createPreflight'] = preflights.createPreflight
export const createReplay: Outside['createReplay'] = replays.createReplay
export const createUniverseInSlices: Outside['createUniverseInSlices'] =
  slices.createUniverseInSlices
export const universeAt: Outside['universeAt'] = universes.universeAt
export const universeImage: Outside['universeImage'] = images.universeImage
export const restoreUniverseInSlices: Outside['restoreUniverseInSlices'] =
  images.restoreUniverseInSlices
export const executeCommand: Outside['executeCommand'] = execution.executeCommand
export const completeHandOffs: Outside['completeHandOffs'] = execution.completeHandOffs
export const takeUpHandOffs: Outside['takeUpHandOffs'] = handOffs.takeUpHandOffs
export const stopSystem: Outside['stopSystem'] = universes.stopSystem
export const worldNamed: Outside['worldNamed'] = universes.worldNamed
export const allShips: Outside['allShips'] = universes.allShips
export const shownEntries: Outside['shownEntries'] = held.shownEntries
export const isShown: Outside['isShown'] = held.isShown
export const shownWorld: Outside['shownWorld'] = held.shownWorld
export const findShip: Outside['findShip'] = universes.findShip
export const requireShip: Outside['requireShip'] = universes.requireShip
export const requirePlace: Outside['requirePlace'] = placed.requirePlace
export const shipClassAt: Outside['shipClassAt'] = universes.shipClassAt
export const gatePairs: Outside['gatePairs'] = gates.gatePairs
export const createTrajectories: Outside['createTrajectories'] = paths.createTrajectories
