import {
  CHUNK_SLOTS,
  COURIER,
  EMPTY,
  FROZEN,
  type Flight,
  type Integration,
  type Invariants,
  type MassiveState,
  NODE_QUANTA,
  SHIP_COLUMNS,
  type ShipClass,
  type StarSystem,
  type Territory,
  type WorldState,
  createIntegration,
  createState,
  extendEphemeris,
  launch,
  placeOnSpawnOrbit,
  segmentFraction,
  spawnKey,
  stateBytes,
  updateChunkDue,
} from '@orrery/sim'
import { assertSameBits, assertSameMotion } from './arithmetic-check.ts'
import { EngineError } from './engine-error.ts'
import { type Intake, createIntake, dropPending } from './intake.ts'
import type { Jumpgate } from './jumpgates.ts'
import { type ManeuverLog, abortManeuver, createManeuverLog } from './maneuver-log.ts'
import { namedSystem } from './named-body.ts'
import {
  type Roster,
  type RosterEntry,
  createRoster,
  enterRoster,
  freeSlot,
  leaveRoster,
} from './roster.ts'
import type { Station } from './stations.ts'
import { threadFlight } from './thread-flight.ts'
import { wasmMassiveKernel } from './wasm-massive-kernel.ts'

/** A star system as the world takes it: its bodies, where ships live, and a state to start from. */
export interface SystemSetup {
  readonly system: StarSystem
  readonly territory: Territory
  /** massive bodies at a node at or before the world's index */
  readonly start: MassiveState
  /** what drift is measured from; the start's own energy and momentum when left out */
  readonly reference?: Invariants
}

export interface WorldSetup {
  readonly systems: readonly SystemSetup[]
  /** lattice index the world starts at */
  readonly index: number
  /** decides every ship's spawn place */
  readonly seed: string
  readonly shipsMax: number
  /** contents of `@orrery/sim/kernel.wasm`; without it ships are flown by the TypeScript twin */
  readonly kernel?: Uint8Array | undefined
  /** contents of `@orrery/sim/massive.wasm`; without it the TypeScript twin moves massive bodies */
  readonly massiveKernel?: Uint8Array | undefined
}

/** Nodes that the near ephemeris holds beyond the published index: 16 days. */
const HORIZON_NODES = 5400

/** Nodes it holds at least before a tick runs: a day, while the rest is made between ticks. */
const NEAR_NODES = 338

/** Nodes made at a time between ticks: about a millisecond of work. */
const SLICE_NODES = 16

/** Nodes behind the published index that open steps, at most 64 s long, may still read. */
const PAST_NODES = 2

const RING_NODES = HORIZON_NODES + 130

/** All that is simulated, as the main thread owns it. Workers see `state` only. */
export interface World {
  readonly state: WorldState
  readonly flight: Flight
  readonly setup: WorldSetup
  readonly ship: ShipClass
  readonly integrations: readonly Integration[]
  readonly roster: Roster
  readonly intake: Intake
  readonly maneuvers: ManeuverLog
  /** by id, oldest first */
  readonly stations: Map<string, Station>
  readonly jumpgates: Map<string, Jumpgate>
  /** published lattice index: all before it is committed */
  index: number
  /** index that ships may have come to, by a tick that ran, runs or broke */
  settled: number
  /** digests up to this index have been told, or would miss chunks */
  since: number
}

/**
 * Lays out a world without ships, its ephemeris complete for the first day.
 *
 * @throws {SimError} 'ERR_ARITHMETIC' where numbers are rounded differently
 * @throws {EngineError} 'ERR_KERNEL_BITS' when the kernels differ
 */
export function createWorld(setup: WorldSetup): World {
  const { massiveKernel } = setup
  assertSameBits(setup.kernel)
  const systems = setup.systems.map(({ system }) => system)
  const size = { ships: setup.shipsMax, nodes: RING_NODES }
  const buffer = new SharedArrayBuffer(stateBytes(systems, size))
  const state = createState(buffer, systems, size)
  const territories = setup.systems.map(({ territory }) => territory)
  const world: World = {
    state,
    flight: threadFlight(state, territories, COURIER, setup.kernel),
    setup,
    ship: COURIER,
    integrations: setup.systems.map(({ system, start, reference }) => {
      const kernel = massiveKernel && wasmMassiveKernel(system, massiveKernel)
      if (kernel) assertSameMotion(kernel, system, start)
      return createIntegration(system, start, reference, kernel)
    }),
    roster: createRoster(),
    intake: createIntake(),
    maneuvers: createManeuverLog(),
    stations: new Map(),
    jumpgates: new Map(),
    index: setup.index,
    settled: setup.index,
    since: setup.index,
  }
  completeNear(world, setup.index)
  return world
}

/**
 * Makes sure that a tick to `index` finds its ephemeris. What is read lies within the day that
 * this completes, or the reader refuses: no result depends on how far the rest has come.
 */
export function completeNear(world: World, index: number): void {
  extendTo(world, nodeOf(index) + NEAR_NODES, Infinity)
}

/** Makes a slice of the ephemeris towards its horizon; false when that is reached. */
export function extendHorizon(world: World): boolean {
  return extendTo(world, nodeOf(world.index) + HORIZON_NODES, SLICE_NODES)
}

function extendTo(world: World, lastNode: number, nodesMax: number): boolean {
  let extended = false
  for (const [i, integration] of world.integrations.entries()) {
    const { node } = integration.head
    if (node >= lastNode) continue
    const end = Math.min(lastNode, node + nodesMax)
    extendEphemeris(integration, world.state.ephemerides[i], end)
    extended = true
  }
  return extended
}

/** The last node at or before a lattice index. */
export function nodeOf(index: number): number {
  return Math.floor(index / NODE_QUANTA)
}

/** The last node that a world at `index` never reads again. */
export function startNode(index: number): number {
  return nodeOf(index) - PAST_NODES
}

/**
 * Puts a new ship on its spawn orbit at the published index.
 *
 * @throws {EngineError} 'ERR_SHIP_EXISTS', 'ERR_WORLD_FULL'
 */
export function addShip(world: World, shipId: string, name: string, system = 0): RosterEntry {
  const { roster, state } = world
  if (roster.byId.has(shipId)) {
    throw new EngineError('ERR_SHIP_EXISTS', `Ship ${shipId} already flies.`)
  }
  const slot = freeSlot(state, system)
  const entry: RosterEntry = { shipId, number: roster.nextNumber, slot, name }
  enterSystem(world, entry, system, world.ship.fuelCapacity)
  roster.nextNumber++
  enterRoster(roster, entry)
  return entry
}

/**
 * Takes a ship to its spawn orbit in another system: with the fuel it has, its engine off, its
 * hull at rest. Commands that wait for it were given for another place and are forgotten; whoever
 * watches it loses sight of it at the next beat.
 *
 * @throws {EngineError} 'ERR_SYSTEM_UNKNOWN', 'ERR_SAME_SYSTEM', 'ERR_WORLD_FULL'
 */
export function transferShip(world: World, entry: RosterEntry, systemId: string): void {
  const { state, index } = world
  const { ships, chunk, systems } = state
  const { slot: left } = entry
  const system = namedSystem(world, systemId)
  if (chunk.chunkSystem[Math.floor(left / CHUNK_SLOTS)] === system) {
    throw new EngineError('ERR_SAME_SYSTEM', `The ship is in ${systems[system].name} already.`)
  }
  const slot = freeSlot(state, system)
  const passed = ships.condition[left] === FROZEN ? 0 : segmentFraction(ships, left, index, 0)
  const fuel = ships.fuel[left] + passed * (ships.endFuel[left] - ships.fuel[left])
  enterSystem(world, { ...entry, slot }, system, fuel)
  abortManeuver(world, entry, 'The ship has been moved to another system')
  leaveSlot(world, left)
  entry.slot = slot
  dropPending(world.intake, entry)
}

/** Takes a ship out of the world; commands that wait for it are forgotten. */
export function removeShip(world: World, entry: RosterEntry): void {
  abortManeuver(world, entry, 'The ship has left the world')
  world.maneuvers.debugged.delete(entry.number)
  leaveSlot(world, entry.slot)
  dropPending(world.intake, entry)
  leaveRoster(world.roster, entry)
}

/** Launches a ship on its spawn orbit in a free slot; when it cannot fly, nothing has changed. */
function enterSystem(
  { flight, index, setup, state }: World,
  { shipId, number, slot }: RosterEntry,
  system: number,
  fuel: number,
): void {
  const { ships, chunk: chunks } = state
  const chunk = Math.floor(slot / CHUNK_SLOTS)
  const { home } = setup.systems[system].territory
  // Images of older releases hold what ships have left behind.
  clearSlot(state, slot)
  chunks.chunkSystem[chunk] = system
  ships.shipNumber[slot] = number
  ships.spawnKey.set(spawnKey(setup.seed, shipId), 2 * slot)
  placeOnSpawnOrbit(ships, slot, state.systems[system].bodies[home])
  ships.reference[slot] = home
  ships.fuel[slot] = fuel
  try {
    launch(flight, slot, index)
  } catch (error) {
    clearSlot(state, slot)
    if (chunks.chunkShips[chunk] === 0) chunks.chunkSystem[chunk] = -1
    throw error
  }
  chunks.chunkShips[chunk]++
}

function leaveSlot({ flight, index, state }: World, slot: number): void {
  const { chunk: chunks } = state
  const chunk = Math.floor(slot / CHUNK_SLOTS)
  clearSlot(state, slot)
  if (--chunks.chunkShips[chunk] === 0) chunks.chunkSystem[chunk] = -1
  updateChunkDue(flight, chunk, index)
}

/** What a ship leaves behind is in no image of a world that was restored since: nor in this one. */
function clearSlot({ ships }: WorldState, slot: number): void {
  for (const { name, components } of SHIP_COLUMNS) {
    ships[name].fill(0, slot * components, (slot + 1) * components)
  }
  ships.condition[slot] = EMPTY
  ships.sighting[slot] = -1
}

/** @throws {EngineError} 'ERR_SHIP_UNKNOWN' */
export function shipEntry(world: World, shipId: string): RosterEntry {
  const entry = world.roster.byId.get(shipId)
  if (!entry) throw new EngineError('ERR_SHIP_UNKNOWN', `No ship ${shipId}.`)
  return entry
}
