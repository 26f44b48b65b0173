/** Stations and jump gates of the star system, from the own ship. */
import type { Flight } from '@orrery/client/flight'
import { createShipSample } from '@orrery/client/flight'

export interface NearbyObject {
  readonly id: string
  readonly kind: 'station' | 'jumpgate'
  readonly name: string
  /** [m]; NaN while it is not known */
  readonly distance: number
  /** between both [m/s] */
  readonly speed: number
}

const own = createShipSample()
const other = createShipSample()

/** The nearest first. */
export function nearbyObjects({ world, ship, clock }: Flight): readonly NearbyObject[] {
  const time = clock.now()
  const isKnown = world.positionAt(own, ship.id, time)
  const objects = world.objects().map(({ id, kind, name }) => {
    const isPlaced = isKnown && world.objectAt(other, id, time)
    const between = (a: Float64Array, b: Float64Array): number =>
      isPlaced ? Math.hypot(a[0] - b[0], a[1] - b[1], a[2] - b[2]) : NaN
    return { id, kind, name, distance: between(own.r, other.r), speed: between(own.v, other.v) }
  })
  return objects.toSorted((a, b) => a.distance - b.distance)
}
