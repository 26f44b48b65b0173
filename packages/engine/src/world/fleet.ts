import {
  CHUNK_SLOTS,
  EMPTY,
  FROZEN,
  SHIP_COLUMNS,
  type WorldState,
  freeHullRow,
  launch,
  placeOnSpawnOrbit,
  segmentFraction,
  segmentFuel,
  spawnKey,
  updateChunkDue,
} from '@orrery/sim'
import { EngineError } from '../engine-error.ts'
import { dropPending } from '../commands/intake.ts'
import { abortManeuver } from '../maneuvers/maneuver-log.ts'
import { namedSystem } from './named-body.ts'
import { type RosterEntry, enterRoster, freeSlot, leaveRoster } from './roster.ts'
import type { World } from './world.ts'

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
 * hull at rest. Commands that wait for it were given for another place and are dropped; ships that
 * watch it lose sight of it at the next beat.
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
  const fuel = segmentFuel(ships, left, passed)
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

/** Clears what a ship leaves behind: no restored world has it. */
function clearSlot({ ships }: WorldState, slot: number): void {
  freeHullRow(ships, slot)
  for (const { name, components } of SHIP_COLUMNS) {
    // A slot has no row of its own there.
    if (name === 'hullStep') continue
    ships[name].fill(0, slot * components, (slot + 1) * components)
  }
  ships.condition[slot] = EMPTY
  ships.sighting[slot] = -1
}
