/** What the ships near the own one do. */
import { type Flight, createShipSample } from '@orrery/client/flight'
import { say } from '../languages/say.ts'
import { percentText } from '../quantities/quantities.ts'
import { type NearbyShip, nearbyShips } from './nearby-ships.ts'

export interface NearPilot extends NearbyShip {
  /** between both [m/s]; NaN while it is not known */
  readonly speed: number
  readonly doing: string
}

export const PILOT_ORDERS = ['distance', 'speed', 'doing'] as const

export type PilotOrder = (typeof PILOT_ORDERS)[number]

/** A ship that is so near to the middle of a station is docked at it [m]. */
const DOCKED = 0.5

/** A slower turn cannot be seen [rad/s]. */
const TURNING = 1e-3

const own = createShipSample()
const other = createShipSample()
const station = createShipSample()

/**
 * The nearest ships, in an order of one's choice.
 *
 * @param wanted  part of the name, in any case; all for an empty one
 */
export function nearPilots(
  flight: Flight,
  wanted: string,
  limit: number,
  order: PilotOrder,
): readonly NearPilot[] {
  const time = flight.clock.now()
  const near = nearbyShips(flight, wanted, limit)
  if (near.length === 0 || !flight.world.shipAt(own, flight.ship.id, time)) return []
  const pilots = near.map(({ ship, distance }) => {
    const doing = doingOf(flight, ship.id, time)
    const isPlaced = flight.world.positionAt(other, ship.id, time, own.body)
    const speed = isPlaced
      ? Math.hypot(other.v[0] - own.v[0], other.v[1] - own.v[1], other.v[2] - own.v[2])
      : NaN
    return { ship, distance, speed, doing }
  })
  if (order === 'speed') return pilots.toSorted((a, b) => a.speed - b.speed)
  if (order === 'doing') return pilots.toSorted((a, b) => (a.doing < b.doing ? -1 : 1))
  return pilots
}

function doingOf({ world }: Flight, id: string, time: number): string {
  if (!world.shipAt(other, id, time)) return ''
  if (other.isFrozen) return say('destroyed')
  if (other.thrustLevel > 0) return say('burns, {level}', { level: percentText(other.thrustLevel) })
  const { body, r, rate } = other
  const place = world
    .objects()
    .find(
      ({ id: object, kind }) =>
        kind === 'station' &&
        world.objectAt(station, object, time, body) &&
        Math.hypot(station.r[0] - r[0], station.r[1] - r[1], station.r[2] - r[2]) <= DOCKED,
    )
  if (place) return say('docked, {station}', { station: place.name })
  return Math.hypot(rate[0], rate[1], rate[2]) > TURNING ? say('turns') : say('coasts')
}
