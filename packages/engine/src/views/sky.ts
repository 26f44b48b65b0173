import {
  FROZEN,
  type WorldState,
  bodyState,
  createStateVector,
  segmentPosition,
  shipClassOf,
} from '@orrery/sim'
import { shownEntries, shownWorld } from '../world/held-ships.ts'
import type { RosterEntry } from '../world/roster.ts'
import type { Universe } from '../world/universe.ts'
import type { World } from '../world/world.ts'
import { type PilotView, type ShipView, pilotView, shipView } from './ship-view.ts'
import { type ShownShip, keptShip } from './shown-ship.ts'

/** The ships of one star system at a published index, in the order they came into the world. */
export interface Fleet {
  readonly systemId: string
  /** lattice index of that system */
  readonly index: number
  readonly ships: readonly RosterEntry[]
  /** place of a ship among them; -1 when it is not in this system */
  indexOf(shipId: string): number
  /** from the system's barycentre [m], three numbers per ship */
  positions(): Float64Array
  view(index: number): ShipView
  /** what its pilot sees beside */
  pilotView(index: number): PilotView
}

/** All ships at a published index, by star system; good until the next tick runs. */
export interface Sky {
  /** the published lattice index, and the quanta past it (0 up to 1) at which ships are seen */
  readonly index: number
  readonly offset: number
  readonly fleets: ReadonlyMap<string, Fleet>
  /** the fleet a ship belongs to; undefined when there is no such ship */
  fleetOf(shipId: string): Fleet | undefined
}

/**
 * The ships at the published index plus `offset` quanta (0 up to 1). Who is where is sorted at
 * once; places and whole ships are worked out when they are asked for.
 */
export function skyOf(universe: Universe, offset: number): Sky {
  const fleets = new Map(
    universe.worlds.map((world) => [world.state.system.id, fleetAt(world, offset)]),
  )
  return {
    index: universe.worlds[0].index,
    offset,
    fleets,
    fleetOf: (shipId) => {
      const world = shownWorld(universe, shipId)
      return world && fleets.get(world.state.system.id)
    },
  }
}

function fleetAt(world: World, offset: number): Fleet {
  const { held, state, roster } = world
  const ships = shownEntries(world)
  const indexOfSlot = placesOf(state)
  for (const [i, { slot }] of ships.entries()) indexOfSlot[slot] = i
  let positions: Float64Array | undefined
  const kept = (index: number): ShownShip | undefined => {
    const ship = held.byNumber.get(ships[index].number)
    return ship && keptShip(ship)
  }
  return {
    systemId: state.system.id,
    index: world.index,
    ships,
    indexOf: (shipId) => {
      const ship = held.byId.get(shipId)
      const entry = ship ? ship.entry : roster.byId.get(shipId)
      if (!entry) return -1
      // One that has left stands at the end of the list.
      return roster.byId.has(shipId) ? indexOfSlot[entry.slot] : ships.lastIndexOf(entry)
    },
    positions: () => (positions ??= shipPositions(world, ships, offset)),
    view: (index) => kept(index)?.view ?? shipView(world, ships[index], offset),
    pilotView: (index) => kept(index)?.pilot ?? pilotView(world, ships[index], offset),
  }
}

const places = new WeakMap<WorldState, Int32Array>()

/** Room for a number per slot, rewritten with each sky: a tick must not allocate it. */
function placesOf(state: WorldState): Int32Array {
  const known = places.get(state) ?? new Int32Array(state.slots)
  places.set(state, known)
  return known
}

const relative = new Float64Array(3)
const center = createStateVector()

/** The same positions that views have, without all the rest. */
function shipPositions(
  world: World,
  entries: readonly RosterEntry[],
  offset: number,
): Float64Array {
  const { held, state, index } = world
  const { ships, ephemeris } = state
  const bodies = new Map<number, Float64Array>()
  const positions = new Float64Array(3 * entries.length)
  for (let i = 0; i < entries.length; i++) {
    const { slot } = entries[i]
    const ship = held.byNumber.get(entries[i].number)
    if (ship) {
      positions.set(keptShip(ship).view.position, 3 * i)
      continue
    }
    const reference = ships.reference[slot]
    let body = bodies.get(reference)
    if (!body) {
      bodyState(center, ephemeris, reference, -1, index, offset)
      bodies.set(reference, (body = center.r.slice()))
    }
    if (ships.condition[slot] === FROZEN) {
      for (let axis = 0; axis < 3; axis++) relative[axis] = ships.position[3 * slot + axis]
    } else {
      const start = ships.stepStart[slot]
      const quanta = ships.stepEnd[slot] - start
      segmentPosition(
        relative,
        ships,
        slot,
        shipClassOf(state, slot),
        quanta,
        index - start + offset,
      )
    }
    for (let axis = 0; axis < 3; axis++) positions[3 * i + axis] = relative[axis] + body[axis]
  }
  return positions
}

/** A star system as operators list it. */
export interface SystemSummary {
  readonly id: string
  readonly name: string
  readonly starBody: string
  /** galactic [m] */
  readonly position: readonly [number, number, number]
  readonly bodyCount: number
  readonly shipCount: number
}

/** All systems, in the catalog's order. */
export function systemSummaries({ worlds }: Universe): SystemSummary[] {
  return worlds.map(({ roster, state: { system } }) => ({
    id: system.id,
    name: system.name,
    starBody: system.bodies[0].name,
    position: system.position,
    bodyCount: system.bodies.length,
    shipCount: roster.byId.size,
  }))
}
