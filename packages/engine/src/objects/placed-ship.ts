import {
  SimError,
  TURN_PARTS,
  createStateVector,
  enterSphere,
  localVertical,
  railState,
  shipClassOf,
} from '@orrery/sim'
import { EngineError } from '../engine-error.ts'
import { namedBody } from '../world/named-body.ts'
import { orbitRail } from '../world/placement.ts'
import type { RosterEntry } from '../world/roster.ts'
import type { Universe } from '../world/universe.ts'
import type { World } from '../world/world.ts'
import { placeBehind } from './beside.ts'
import { type NewShip, enterShip, placeAtHome } from './fleet.ts'
import { requireStation } from './stations.ts'

/** Where a ship is put: on a circular equatorial orbit, or behind a station. */
export type ShipPlace =
  | {
      readonly kind: 'orbit'
      readonly body: string
      /** above the body's mean radius [m] */
      readonly altitude: number
    }
  | { readonly kind: 'station'; readonly stationId: string }

/**
 * Puts a new ship at a place at the published index, tank full. Where along an orbit or how far
 * behind a station follows from the world's seed and the ship's number.
 *
 * @throws {EngineError} 'ERR_SHIP_EXISTS', 'ERR_SHIP_CLASS', 'ERR_WORLD_FULL', 'ERR_BESIDE' when
 *   there is a body at the place, and what `placing` does
 */
export function addShipAt(world: World, ship: NewShip, place: ShipPlace): RosterEntry {
  const put = placing(world, place)
  return withRoom(() =>
    enterShip(world, ship, (slot) => {
      placeAtHome(world, slot, shipClassOf(world.state, slot).fuelCapacity)
      put(slot)
    }),
  )
}

/**
 * Checks that ships of the first system can begin at a place.
 *
 * @throws {EngineError} what `placing` does
 */
export function requirePlace({ worlds }: Pick<Universe, 'worlds'>, place: ShipPlace): void {
  placing(worlds[0], place)
}

/** Enters a ship at a place. @throws {EngineError} 'ERR_BESIDE' when there is a body */
export function withRoom(enter: () => RosterEntry): RosterEntry {
  try {
    return enter()
  } catch (error) {
    if (!(error instanceof SimError)) throw error
    throw new EngineError('ERR_BESIDE', 'There is a body at that place.', { cause: error })
  }
}

/**
 * What writes position, velocity and attitude of a slot.
 *
 * @throws {EngineError} 'ERR_BODY_UNKNOWN', 'ERR_ALTITUDE', 'ERR_STATION_UNKNOWN'
 */
export function placing(world: World, place: ShipPlace): (slot: number) => void {
  const { index, setup, state, stations } = world
  const at = createStateVector()
  if (place.kind === 'station') {
    const { rail } = stations.get(requireStation(world, place.stationId))!
    railState(at, state.ephemeris, rail, index, 0)
    const body = enterSphere(
      at,
      state.ephemeris,
      setup.system.territory.spheres,
      rail.parent,
      index,
    )
    return (slot) => placeBehind(world, slot, at, body)
  }
  const body = namedBody(world, place.body)
  const rail = orbitRail(world, body, place.altitude)
  return (slot) => {
    // Ships that are put on one orbit are spread along it.
    const { position, reference, spawnKey, velocity } = state.ships
    const turned = Math.floor((spawnKey[2 * slot] / WORDS) * (TURN_PARTS / rail.rate))
    railState(at, state.ephemeris, { ...rail, epoch: index - turned }, index, 0)
    position.set(at.r, 3 * slot)
    velocity.set(at.v, 3 * slot)
    localVertical(attitude, at.r, at.v)
    state.ships.attitude.set(attitude, 4 * slot)
    reference[slot] = body
  }
}

const WORDS = 4_294_967_296 // 2^32

const attitude = new Float64Array(4)
