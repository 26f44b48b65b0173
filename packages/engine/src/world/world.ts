import {
  type Flight,
  type Integration,
  type Invariants,
  type MassiveState,
  NODE_QUANTA,
  type ShipClass,
  type StarSystem,
  type Territory,
  type WorldState,
  changeShip,
  createIntegration,
  createState,
  destroyInFlight,
  extendEphemeris,
  loadInFlight,
  noteHeld,
  refuelInFlight,
  stateBytes,
} from '@orrery/sim'
import { assertSameBits, assertSameMotion } from '../kernels/arithmetic-check.ts'
import { type Intake, createIntake } from './intake.ts'
import type { Jumpgate, NamedRow, Station } from './rail-objects.ts'
import type { AnyHandOff } from './hand-off.ts'
import { type HeldShips, createHeldShips } from './held-ships.ts'
import { DEFAULT_CLASSES } from './ship-classes.ts'
import { type ManeuverLog, createManeuverLog } from './maneuver.ts'
import { type RuleLists, createRuleLists } from './rule-space.ts'
import { type Roster, createRoster } from './roster.ts'
import type { GameModules, ModuleRoom, WorldModules } from './world-modules.ts'
import { threadFlight } from '../kernels/thread-flight.ts'
import { wasmMassiveKernel } from '../kernels/wasm-massive-kernel.ts'

/** A star system as its world takes it: its bodies, what ships need of it, and a first state. */
export interface SystemSetup {
  readonly system: StarSystem
  readonly territory: Territory
  /** massive bodies at a node at or before the world's index */
  readonly start: MassiveState
  /** what drift is measured from; the start's own energy and momentum when left out */
  readonly reference?: Invariants
}

export interface WorldSetup {
  readonly system: SystemSetup
  /** lattice index the world starts at */
  readonly index: number
  /** decides every ship's spawn place */
  readonly seed: string
  /** ships of the system at most; rounded up to whole chunks */
  readonly shipsMax: number
  /** the first is of new ships that name none; the default one when left out */
  readonly classes?: readonly ShipClass[] | undefined
  /** contents of `@orrery/sim/kernel.wasm`; without it ships are flown by the TypeScript twin */
  readonly kernel?: Uint8Array | undefined
  /** contents of `@orrery/sim/massive.wasm`; without it the TypeScript twin moves massive bodies */
  readonly massiveKernel?: Uint8Array | undefined
  /** rules of a game's own; without them nothing of theirs is run */
  readonly modules?: GameModules | undefined
}

/** Nodes that the near ephemeris holds beyond the published index: 16 days. */
export const HORIZON_NODES = 5400

/** Nodes it holds at least before a tick runs: a day, while the rest is made between ticks. */
export const NEAR_NODES = 338

/** Nodes made at a time between ticks: about a millisecond of work. */
export const SLICE_NODES = 16

/** Nodes behind the published index that open steps, at most 64 s long, may still read. */
export const PAST_NODES = 2

export const RING_NODES: number = HORIZON_NODES + 130

/** One star system as the main thread owns it. Workers see `state` only. */
export interface World {
  readonly state: WorldState
  readonly flight: Flight
  readonly setup: WorldSetup
  /** of new ships that name none */
  readonly ship: ShipClass
  readonly integration: Integration
  readonly roster: Roster
  readonly intake: Intake
  readonly maneuvers: ManeuverLog
  readonly rules: RuleLists
  readonly modules: WorldModules | undefined
  /** by id, oldest first */
  readonly stations: Map<string, Station>
  readonly jumpgates: Map<string, Jumpgate>
  /** rows of modules, by id */
  readonly railed: Map<string, NamedRow>
  /** ships that have left for another system and are not known to have arrived, by id */
  readonly departed: Map<string, AnyHandOff>
  readonly held: HeldShips
  /** another process owns it: replays of its journal fly it, and no tick does */
  isFollowed: boolean
  /** published lattice index: all before it is committed */
  index: number
  /** index that ships may have reached, by a tick that ran, runs or broke */
  settled: number
  /** digests up to this index have been published, or would miss chunks */
  since: number
  /** older physics that flew it; undefined once its journal has that this one does */
  physicsBefore: number | undefined
}

/**
 * Lays out a world without ships, its ephemeris complete for the first day.
 *
 * @throws {SimError} 'ERR_ARITHMETIC' where numbers are rounded differently
 * @throws {EngineError} 'ERR_KERNEL_BITS' when the kernels differ
 */
export function createWorld(setup: WorldSetup): World {
  const world = layOutWorld(setup)
  completeNear(world, setup.index)
  return world
}

/** The same without its ephemeris, which {@link extendNear} makes. @throws as `createWorld` */
export function layOutWorld(setup: WorldSetup): World {
  const { massiveKernel } = setup
  const { system, territory, start, reference } = setup.system
  assertSameBits(setup.kernel)
  const size = { ships: setup.shipsMax, nodes: RING_NODES }
  const buffer = new SharedArrayBuffer(stateBytes(system, size))
  const state = createState(buffer, system, size, setup.classes ?? DEFAULT_CLASSES)
  const kernel = massiveKernel && wasmMassiveKernel(system, massiveKernel)
  if (kernel) assertSameMotion(kernel, system, start)
  const roster = createRoster()
  const flight = threadFlight(state, territory, setup.kernel)
  const rules = createRuleLists(state)
  const room: ModuleRoom = {
    state,
    roster,
    seed: setup.seed,
    destroy: (slot, beat) => destroyInFlight(flight, slot, beat),
    load: (slot, beat, load) => loadInFlight(flight, slot, beat, load),
    refuel: (slot, beat, fuel) => refuelInFlight(flight, slot, beat, fuel),
    rules,
    noteHeld: (slot, beat, known, held) => noteHeld(flight, slot, beat, known, held),
    disarm: (slot, index, bits) => {
      changeShip(flight, slot, index, () => void (state.ships.ruleArmed[slot] &= ~bits))
    },
  }
  return {
    state,
    flight,
    setup,
    ship: state.classes[0],
    integration: createIntegration(system, start, reference, kernel),
    roster,
    intake: createIntake(),
    maneuvers: createManeuverLog(),
    rules,
    modules: setup.modules?.createFor(room, setup.index),
    stations: new Map(),
    jumpgates: new Map(),
    railed: new Map(),
    departed: new Map(),
    held: createHeldShips(),
    isFollowed: false,
    index: setup.index,
    settled: setup.index,
    since: setup.index,
    physicsBefore: undefined,
  }
}

/**
 * Makes sure that a tick to `index` finds its ephemeris. What is read is within the day that this
 * completes, or the reader refuses: no result depends on how far the rest has come.
 */
export function completeNear(world: World, index: number): void {
  extendTo(world, nodeOf(index) + NEAR_NODES, Infinity)
}

/** Makes a slice of the ephemeris that a tick needs; false when all of it is there. */
export function extendNear(world: World): boolean {
  return extendTo(world, nodeOf(world.index) + NEAR_NODES, SLICE_NODES)
}

/** Makes a slice of the ephemeris towards its horizon; false when that is reached. */
export function extendHorizon(world: World): boolean {
  return extendTo(world, nodeOf(world.index) + HORIZON_NODES, SLICE_NODES)
}

function extendTo(world: World, lastNode: number, nodesMax: number): boolean {
  const { integration, state } = world
  const { node } = integration.head
  if (node >= lastNode) return false
  extendEphemeris(integration, state.ephemeris, Math.min(lastNode, node + nodesMax))
  return true
}

/** The last node at or before a lattice index. */
export function nodeOf(index: number): number {
  return Math.floor(index / NODE_QUANTA)
}

/** The last node that a world at `index` never reads again. */
export function startNode(index: number): number {
  return nodeOf(index) - PAST_NODES
}
