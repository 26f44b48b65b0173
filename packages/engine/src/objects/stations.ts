import { localVertical } from '@orrery/sim'
import { EngineError } from '../engine-error.ts'
import { namedBody } from '../world/named-body.ts'
import {
  type Placement,
  lagrangeRail,
  orbitRail,
  railView,
  requireRoomOnRails,
} from '../world/placement.ts'
import { layRail, removeRail } from './rails.ts'
import type { World } from '../world/world.ts'

/** Mass of every station: that of the International Space Station [kg]. */
const MASS = 420_000

/** Radius of every station: half of that one's truss [m]. */
export const RADIUS = 55

/** Puts a station into the world. */
export interface CreateStation {
  readonly kind: 'create_station'
  readonly stationId: string
  readonly name: string
  /** system in which the body's name is looked for; all of them when left out */
  readonly systemId?: string
  readonly parentBody: string
  readonly placement: Placement
}

/**
 * @throws {EngineError} 'ERR_STATION_EXISTS', 'ERR_BODY_UNKNOWN', 'ERR_ALTITUDE', 'ERR_PAIR',
 *   'ERR_WORLD_OBJECTS'
 */
export function addStation(world: World, command: CreateStation): void {
  const { stationId, name, parentBody, placement } = command
  if (world.stations.has(stationId)) {
    throw new EngineError('ERR_STATION_EXISTS', `There is a station ${stationId} already.`)
  }
  const place = namedBody(world, parentBody)
  const rail =
    placement.kind === 'orbit'
      ? orbitRail(world, place, placement.altitude)
      : lagrangeRail(world, place, placement.secondaryBody, placement.point)
  requireRoomOnRails(world)
  world.stations.set(stationId, { stationId, name, rail, row: layRail(world, stationId, rail) })
}

/** @throws {EngineError} 'ERR_STATION_UNKNOWN' */
export function removeStation(world: World, stationId: string): void {
  world.stations.delete(requireStation(world, stationId))
  removeRail(world, stationId)
}

/** The id of a station that there is. @throws {EngineError} 'ERR_STATION_UNKNOWN' */
export function requireStation({ stations }: World, stationId: string): string {
  if (stations.has(stationId)) return stationId
  throw new EngineError('ERR_STATION_UNKNOWN', `No station ${stationId}.`)
}

/** A station at one moment, SI units, inertial axes. */
export interface StationView {
  readonly stationId: string
  readonly name: string
  readonly systemId: string
  readonly parentBody: string
  /** relative to the system's barycentre [m], [m/s] */
  readonly position: readonly [number, number, number]
  readonly velocity: readonly [number, number, number]
  /** w, x, y, z: body to inertial */
  readonly attitude: readonly [number, number, number, number]
  readonly mass: number
  readonly radius: number
}

const attitude = new Float64Array(4)

/** A system's stations at the published index plus `offset` quanta (0 up to 1), oldest first. */
export function stationViews(world: World, offset: number): StationView[] {
  return Array.from(world.stations.values(), (station) => {
    const view = railView(world, station, offset)
    localVertical(attitude, view.relativePosition, view.relativeVelocity)
    const [w, x, y, z] = attitude
    return {
      stationId: station.stationId,
      name: station.name,
      systemId: view.systemId,
      parentBody: view.parentBody,
      position: view.position,
      velocity: view.velocity,
      attitude: [w, x, y, z],
      mass: MASS,
      radius: RADIUS,
    }
  })
}
