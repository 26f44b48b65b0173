/** What there is to read of a thing on the map, as numbers. */
import { createShipSample } from '@orrery/client/flight'
import { length, osculating, vector } from '@orrery/page-kit'
import type { LagrangeNumber, MapThing } from './map-thing.ts'
import type { StarMap } from './star-map.ts'
import type { BodyKind } from './system-bodies.ts'
import type { MapMoment } from './thing-place.ts'

/** Something on the way of a ship. */
export interface Upcoming {
  readonly what: string
  readonly seconds: number
  /** above the body [m] */
  readonly height: number | undefined
}

interface Named {
  readonly name: string
  /** the one that it is given from; `""` for none */
  readonly body: string
}

/** Lengths [m], speeds [m/s], masses [kg]. */
export type ThingReading = Named &
  (
    | {
        readonly kind: 'body'
        readonly what: BodyKind
        readonly index: number
        readonly radius: number
        readonly distance: number
        readonly speed: number
      }
    | {
        readonly kind: 'ship'
        readonly id: string
        readonly altitude: number
        readonly speed: number
        /** NaN where it is not known, as the thrust, 0 to 1 */
        readonly fuel: number
        readonly thrust: number
        /** altitudes of the apsides */
        readonly orbit: { readonly low: number; readonly high: number }
        /** undefined until it is computed, null where it cannot be */
        readonly ahead: readonly Upcoming[] | null | undefined
      }
    | {
        readonly kind: 'object'
        readonly id: string
        readonly what: 'station' | 'jump gate'
        readonly place: string
        readonly altitude: number
        readonly speed: number
      }
    | {
        readonly kind: 'lagrange'
        readonly secondary: string
        /** of the secondary */
        readonly index: number
        readonly point: LagrangeNumber
        readonly distance: number
      }
    | { readonly kind: 'altitude'; readonly altitude: number }
  )

/** Lattice indices per second. */
const PER_SECOND = 64

const UPCOMING_MAX = 4

const ship = createShipSample()
const other = createShipSample()
const UP = vector(0, 0, 1)

/** Undefined where nothing is known of it. */
export function thingReading(map: StarMap, thing: MapThing): ThingReading | undefined {
  const { world } = map.observer.flight
  const { value: system } = map.observer.system
  if (!system) return undefined
  const moment = { world, system, time: map.time }
  if (thing.kind === 'ship') return shipReading(map, moment, thing.id)
  if (thing.kind === 'object') return objectReading(moment, thing.id)
  const { name, kind, parent, radius } = system.bodies[thing.body]
  const body = system.bodies[parent]?.name ?? ''
  if (thing.kind === 'altitude') {
    return { kind: 'altitude', name: `Above ${name}`, body: name, altitude: thing.altitude }
  }
  if (thing.kind === 'lagrange') {
    const { point } = thing
    const isKnown = world.lagrangeAt(other, { secondary: name, point }, moment.time, body)
    if (!isKnown) return undefined
    const title = `L${point} of ${body} and ${name}`
    return {
      kind: 'lagrange',
      name: title,
      body,
      secondary: name,
      index: thing.body,
      point,
      distance: length(other.r),
    }
  }
  const velocity = system.velocities.subarray(3 * thing.body, 3 * thing.body + 3)
  return {
    kind: 'body',
    name,
    body,
    what: kind,
    index: thing.body,
    radius,
    distance: system.distance(thing.body),
    speed: length(velocity),
  }
}

function shipReading(
  map: StarMap,
  { world, system, time }: MapMoment,
  id: string,
): ThingReading | undefined {
  const known = world.ship(id)
  if (!known || !world.shipAt(ship, id, time)) return undefined
  const { radius, gm, pole = UP } = system.bodies[ship.reference]
  const { periapsis, apoapsis } = osculating({ position: ship.r, velocity: ship.v, gm }, pole)
  return {
    kind: 'ship',
    id,
    name: known.name,
    body: ship.body,
    altitude: length(ship.r) - radius,
    speed: length(ship.v),
    fuel: ship.fuel,
    thrust: ship.thrustLevel,
    orbit: { low: periapsis - radius, high: apoapsis - radius },
    ahead: upcoming(map, time),
  }
}

function upcoming(map: StarMap, now: number): readonly Upcoming[] | null | undefined {
  const { value: forecast } = map.ahead.forecast
  if (!forecast) return forecast
  const bodies = map.observer.system.value?.bodies ?? []
  return forecast.marks
    .filter(({ index }) => index > now)
    .slice(0, UPCOMING_MAX)
    .map(({ kind, index, body, distance }) => {
      const radius = bodies.find(({ name }) => name === body)?.radius ?? 0
      const what = kind.replaceAll('_', ' ')
      return {
        what: kind === 'sphere' ? `to ${body}` : what,
        seconds: (index - now) / PER_SECOND,
        height: distance === undefined ? undefined : distance - radius,
      }
    })
}

function objectReading({ world, system, time }: MapMoment, id: string): ThingReading | undefined {
  const object = world.objects().find((one) => one.id === id)
  if (!object) return undefined
  const { name, kind, rail } = object
  const { name: body, radius } = system.bodies[rail.parent]
  if (!world.objectAt(other, id, time, body)) return undefined
  const what = kind === 'station' ? 'station' : 'jump gate'
  const place =
    rail.kind === 'lagrange'
      ? `L${rail.point} of ${body} and ${system.bodies[rail.secondary].name}`
      : `orbit of ${body}`
  const altitude = length(other.r) - radius
  return { kind: 'object', id, name, body, what, place, altitude, speed: length(other.v) }
}
