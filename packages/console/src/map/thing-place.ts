/** Where a thing of the map is. */
import { type ShipSample, type World, createShipSample } from '@orrery/client/flight'
import { fill, vector, type Vector } from '@orrery/page-kit'
import type { MapThing } from './map-thing.ts'
import type { SystemBodies } from './system-bodies.ts'

/** A moment of a star system. */
export interface MapMoment {
  readonly world: World
  readonly system: SystemBodies
  /** lattice index */
  readonly time: number
}

/** A place to be written into: an offset [m] from a body. */
export interface ThingPlace {
  body: number
  readonly offset: Vector
}

export function createThingPlace(): ThingPlace {
  return { body: 0, offset: vector() }
}

const state: ShipSample = createShipSample()

/** Writes where a thing is; false where that is not known. Free space is where its body is. */
export function thingPlace(out: ThingPlace, moment: MapMoment, thing: MapThing): boolean {
  const { world, system, time } = moment
  if (thing.kind === 'body' || thing.kind === 'altitude') {
    out.body = thing.body
    fill(out.offset, 0, 0, 0)
    return thing.body < system.bodies.length
  }
  const body = bodyOf(moment, thing)
  if (body === undefined || !system.bodies[body]) return false
  out.body = body
  const center = system.bodies[body].name
  const isKnown =
    thing.kind === 'ship'
      ? world.positionAt(state, thing.id, time, center)
      : thing.kind === 'object'
        ? world.objectAt(state, thing.id, time, center)
        : world.lagrangeAt(
            state,
            { secondary: system.bodies[thing.body].name, point: thing.point },
            time,
            center,
          )
  out.offset.set(state.r)
  return isKnown
}

/** The body that a thing is given from. */
function bodyOf({ world, system, time }: MapMoment, thing: MapThing): number | undefined {
  if (thing.kind === 'ship') {
    return world.shipAt(state, thing.id, time) ? state.reference : undefined
  }
  if (thing.kind === 'object') {
    return world.objects().find(({ id }) => id === thing.id)?.rail.parent
  }
  return thing.kind === 'lagrange' ? system.bodies[thing.body]?.parent : thing.body
}
