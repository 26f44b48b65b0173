import {
  CHUNK_SLOTS,
  EMPTY,
  FROZEN,
  SHIP_COLUMNS,
  dropPlan,
  freeHullRow,
  launchShips,
  noteEvent,
  placeOnSpawnOrbit,
  shipClassOf,
  spawnKey,
  spawnSeed,
  updateChunkDue,
} from '@orrery/sim'
import type { Way } from '../world/hand-off.ts'
import { dropPending } from '../world/intake.ts'
import { EngineError } from '../engine-error.ts'
import { abortManeuver } from '../maneuvers/maneuver-log.ts'
import { logPassage } from '../maneuvers/ship-happenings.ts'
import { dropRules } from '../rules/rule-lists.ts'
import { classRow } from '../world/ship-classes.ts'
import { type RosterEntry, enterRoster, freeSlots, leaveRoster } from '../world/roster.ts'
import type { World } from '../world/world.ts'

/** A ship that has no place yet. */
export interface NewShip extends Pick<RosterEntry, 'shipId' | 'name'> {
  /** name of its class; the world's first when left out */
  readonly shipClass?: string
}

/**
 * Puts a new ship on its spawn orbit at the published index, tank full.
 *
 * @throws {EngineError} 'ERR_SHIP_EXISTS', 'ERR_SHIP_CLASS', 'ERR_WORLD_FULL'
 */
export function addShip(
  world: World,
  shipId: string,
  name: string,
  shipClass?: string,
): RosterEntry {
  return addShips(world, [{ shipId, name, ...(shipClass !== undefined && { shipClass }) }])[0]
}

/** The same for many, with unlike ids: those of a chunk cost little more than one. */
export function addShips(world: World, ships: readonly NewShip[]): RosterEntry[] {
  const { state } = world
  return enterShips(world, ships, (slot) =>
    placeAtHome(world, slot, shipClassOf(state, slot).fuelCapacity),
  )
}

/** Writes the start columns of a ship on its spawn orbit, engine off, hull at rest. */
export function placeAtHome({ index, setup, state }: World, slot: number, fuel: number): void {
  const { home } = setup.system.territory
  placeOnSpawnOrbit(state, slot, home, index)
  state.ships.reference[slot] = home
  state.ships.fuel[slot] = fuel
}

/**
 * Launches a ship at the published index under a new number; when it cannot fly, nothing has
 * changed.
 *
 * @param place     writes the start columns of a slot whose columns are zero but for its class
 * @param replaced  of the same id, and removed by the caller next
 * @throws {EngineError} 'ERR_SHIP_EXISTS', 'ERR_SHIP_CLASS', 'ERR_WORLD_FULL'
 * @throws {SimError} 'ERR_SHIP_STATE'
 */
export function enterShip(
  world: World,
  ship: NewShip,
  place: (slot: number) => void,
  replaced?: RosterEntry,
): RosterEntry {
  return enterShips(world, [ship], place, replaced)[0]
}

function enterShips(
  world: World,
  ships: readonly NewShip[],
  place: (slot: number) => void,
  replaced?: RosterEntry,
): RosterEntry[] {
  const { roster, state } = world
  if (roster.byId.size + ships.length > state.slots) {
    throw new EngineError('ERR_WORLD_FULL', `All ${state.slots} ship slots are taken.`)
  }
  for (const { shipId } of ships) {
    if (!roster.byId.has(shipId) || shipId === replaced?.shipId) continue
    throw new EngineError('ERR_SHIP_EXISTS', `Ship ${shipId} already flies.`)
  }
  const rows = ships.map((one) =>
    one.shipClass === undefined ? 0 : classRow(state, one.shipClass),
  )
  const first = roster.nextNumber
  const entries: RosterEntry[] = []
  while (entries.length < ships.length) {
    const slots = freeSlots(state, ships.length - entries.length)
    const entered = slots.map((slot, i) => {
      const { shipId, name } = ships[entries.length + i]
      return { shipId, number: roster.nextNumber + i, slot, name }
    })
    const byChunk = Map.groupBy(entered, ({ slot }) => Math.floor(slot / CHUNK_SLOTS))
    for (const [chunk, together] of byChunk) {
      launchChunk(world, chunk, together, (slot, number) => {
        state.ships.shipClass[slot] = rows[number - first]
        place(slot)
      })
    }
    entries.push(...entered)
  }
  return entries
}

/** Launches ships in slots of one chunk. */
function launchChunk(
  { flight, index, roster, setup, state }: World,
  chunk: number,
  entries: readonly RosterEntry[],
  place: (slot: number, number: number) => void,
): void {
  const seed = spawnSeed(setup.seed)
  try {
    for (const [i, { number, slot }] of entries.entries()) {
      state.ships.shipNumber[slot] = number
      state.ships.spawnKey.set(spawnKey(seed, number), 2 * slot)
      place(slot, number)
      flight.due[i] = slot
    }
    launchShips(flight, chunk, entries.length, index)
  } catch (error) {
    for (const { slot } of entries) clearSlot(state.ships, slot)
    throw error
  }
  for (const entry of entries) {
    enterRoster(roster, entry)
    roster.nextNumber = Math.max(roster.nextNumber, entry.number + 1)
  }
  state.chunk.chunkShips[chunk] += entries.length
}

/**
 * Takes a ship out of the world; commands that wait for it are dropped.
 *
 * @param way  where it goes to; without one it is gone
 */
export function removeShip(world: World, entry: RosterEntry, why: string, way?: Way): void {
  const { flight, index, intake, maneuvers, roster, state } = world
  const { slot } = entry
  abortManeuver(world, entry, why)
  logPassage(world, entry, way ? 'departed' : 'removed', way)
  maneuvers.debugged.delete(entry.number)
  maneuvers.ended.delete(entry.number)
  dropRules(world, entry)
  world.modules?.clear(slot)
  clearSlot(state.ships, slot)
  const chunk = Math.floor(slot / CHUNK_SLOTS)
  state.chunk.chunkShips[chunk]--
  updateChunkDue(flight, chunk, index)
  dropPending(intake, entry)
  leaveRoster(roster, entry)
}

/**
 * Stops a ship for good, at an index that its flight has not passed; its pilot can do nothing.
 *
 * @param index  lattice index at which it could not be flown on
 */
export function freezeShip({ state, flight }: World, slot: number, index: number): void {
  const { condition, reference } = state.ships
  condition[slot] = FROZEN
  noteEvent(state, 'frozen', slot, index, reference[slot])
  updateChunkDue(flight, Math.floor(slot / CHUNK_SLOTS), index - 1)
}

/** Clears what a ship leaves behind: no restored world has it. */
function clearSlot(ships: World['state']['ships'], slot: number): void {
  freeHullRow(ships, slot)
  dropPlan(ships, slot)
  for (const { name, components } of SHIP_COLUMNS) {
    // A slot has no row of its own there, or has not touched it.
    if (name === 'hullStep' || name === 'burnNodes') continue
    ships[name].fill(0, slot * components, (slot + 1) * components)
  }
  ships.condition[slot] = EMPTY
  ships.sighting[slot] = -1
}
