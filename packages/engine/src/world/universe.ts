import { type ShipClass, shipClassOf } from '@orrery/sim'
import { EngineError } from '../engine-error.ts'
import { type GameClock, createGameClock } from '../time/game-clock.ts'
import type { AnyHandOff } from './hand-off.ts'
import type { RosterEntry } from './roster.ts'
import { type SystemSetup, type World, type WorldSetup, createWorld } from './world.ts'

/**
 * All star systems under one clock: their worlds are published together, at one index, and nothing
 * in one depends on another.
 */
export interface Universe {
  /** in the catalog's order; new ships begin in the first */
  readonly worlds: readonly World[]
  /** ships of all systems together that commands may create */
  readonly shipsMax: number
}

export interface UniverseSetup extends Omit<WorldSetup, 'system'> {
  readonly systems: readonly SystemSetup[]
}

/**
 * Lays out the worlds of all star systems, without ships. Each has room for all ships there may be.
 *
 * @throws {SimError} 'ERR_ARITHMETIC' where numbers are rounded differently
 * @throws {EngineError} 'ERR_KERNEL_BITS' when the kernels differ
 */
export function createUniverse({ systems, ...setup }: UniverseSetup): Universe {
  const worlds = systems.map((system) => createWorld({ ...setup, system }))
  return { worlds, shipsMax: setup.shipsMax }
}

/** A universe that was laid out a moment ago, without ships, as it begins at a lattice index. */
export function universeAt(
  { worlds: made, ...rest }: Universe,
  index: number,
): { readonly universe: Universe; readonly gameClock: GameClock; readonly tick: number } {
  const worlds = made.map((world) => ({ ...world, index, settled: index, since: index }))
  return { universe: { ...rest, worlds }, gameClock: createGameClock(index), tick: 0 }
}

/** A universe with one more star system, which is flown from the next tick on; see `regroup`. */
export function withWorld({ worlds, ...rest }: Universe, world: World): Universe {
  return { ...rest, worlds: [...worlds, world] }
}

/** A universe without one of its star systems. @throws {EngineError} 'ERR_SYSTEM_UNKNOWN' */
export function withoutWorld(universe: Universe, systemId: string): Universe {
  const gone = worldNamed(universe, systemId)
  return { ...universe, worlds: universe.worlds.filter((world) => world !== gone) }
}

/** Those worlds that this process owns. */
export function ownOf(worlds: readonly World[]): readonly World[] {
  return worlds.filter(({ isFollowed }) => !isFollowed)
}

/** Lets a star system take no more commands; the others go on. */
export function stopSystem(universe: Universe, systemId: string, reason: string): void {
  worldNamed(universe, systemId).intake.refusal = reason
}

/** The world of a star system. @throws {EngineError} 'ERR_SYSTEM_UNKNOWN' */
export function worldNamed({ worlds }: Universe, systemId: string): World {
  const world = worlds.find(({ state }) => state.system.id === systemId)
  if (!world) throw new EngineError('ERR_SYSTEM_UNKNOWN', `No system ${systemId}.`)
  return world
}

/** A ship and the world it is in. */
export interface ShipPlace {
  readonly world: World
  readonly entry: RosterEntry
}

/** Undefined when no world has the ship. */
export function findShip({ worlds }: Universe, shipId: string): ShipPlace | undefined {
  for (const world of worlds) {
    const entry = world.roster.byId.get(shipId)
    if (entry) return { world, entry }
  }
  return undefined
}

/** @throws {EngineError} 'ERR_IN_TRANSIT' between two systems, 'ERR_SHIP_UNKNOWN' */
export function requireShip(universe: Universe, shipId: string): ShipPlace {
  const place = findShip(universe, shipId)
  if (place) return place
  if (isInTransit(universe, shipId)) {
    throw new EngineError('ERR_IN_TRANSIT', 'The ship is between two star systems.')
  }
  throw new EngineError('ERR_SHIP_UNKNOWN', `No ship ${shipId}.`)
}

/** The class of a ship of a world. */
export function shipClassAt({ state }: World, { slot }: RosterEntry): ShipClass {
  return shipClassOf(state, slot)
}

/** Whether a ship has left one system and has not arrived in another. */
export function isInTransit({ worlds }: Universe, shipId: string): boolean {
  return worlds.some(({ departed }) => departed.has(shipId))
}

/** Ships of all systems, those between two of them included. */
export function shipCount({ worlds }: Universe): number {
  const isShip = (one: AnyHandOff): boolean => !('taker' in one)
  return worlds.reduce((sum, { departed, roster }) => {
    return sum + roster.byId.size + [...departed.values()].filter(isShip).length
  }, 0)
}

/** All ships, by system. */
export function* allShips({ worlds }: Universe): Generator<RosterEntry, void> {
  for (const { roster } of worlds) yield* roster.byId.values()
}
