/** What the instruments show of the target. */
import { type Flight, type ShipSample, createShipSample } from '@orrery/client/flight'
import { type Approach, approach, relativeInclination } from '../space/approach.ts'
import {
  angleBetween,
  fill,
  osculating,
  type Osculating,
  vector,
  type Vector,
} from '@orrery/page-kit'
import { poleOf } from './own-readings.ts'
import { type Thing, keyOf } from './thing.ts'

type World = Flight['world']

export interface TargetReadings extends Approach {
  readonly thing: Thing
  /** as the server has it */
  readonly name: string
  /** to its surface, or to where its hull begins [m] */
  readonly clearance: number
  /** from the nose [rad] */
  readonly angle: number
  /** between both orbits [rad]; NaN where they are not about one body */
  readonly relativeInclination: number
  /** about the body named, with its radius [m]; undefined for a root */
  readonly orbit:
    | { readonly body: string; readonly bodyRadius: number; readonly elements: Osculating }
    | undefined
}

const state = createShipSample()
const fromPrimary = createShipSample()
const primary = createShipSample()
const position = vector()
const velocity = vector()
const nose = vector()

/**
 * Writes the state of a thing from a body's centre; false when it is not known.
 *
 * @param center  name of the body
 */
export function thingAt(
  out: ShipSample,
  world: World,
  thing: Thing,
  time: number,
  center: string,
): boolean {
  if (thing.kind === 'body') return world.bodyAt(out, thing.name, time, center)
  if (thing.kind === 'ship') return world.positionAt(out, thing.id, time, center)
  return world.objectAt(out, thing.id, time, center)
}

/**
 * Reads what is known of the target; undefined for one out of view.
 *
 * @param own  state of the own ship at the same lattice index
 */
export function targetReadings(
  world: World,
  own: ShipSample,
  target: Thing,
  time: number,
): TargetReadings | undefined {
  if (!thingAt(state, world, target, time, own.body)) return undefined
  for (let k = 0; k < 3; k++) {
    position[k] = state.r[k] - own.r[k]
    velocity[k] = state.v[k] - own.v[k]
  }
  const { name, radius, primary: center } = factsOf(world, target, time)
  const way = approach(position, velocity)
  return {
    ...way,
    thing: target,
    name,
    clearance: way.distance - radius,
    angle: angleBetween(noseOf(nose, own), position),
    relativeInclination: center === own.reference ? relativeInclination(own, state) : NaN,
    orbit: orbitOf(world, target, center, time),
  }
}

interface Facts {
  readonly name: string
  readonly radius: number
  /** index of the body that it goes round, -1 without one */
  readonly primary: number
}

function factsOf(world: World, target: Thing, time: number): Facts {
  if (target.kind === 'body') {
    const body = world.system?.bodies.find(({ name }) => name === target.name)
    return { name: target.name, radius: body?.radius ?? 0, primary: body?.parent ?? -1 }
  }
  if (target.kind === 'ship') {
    const isKnown = world.shipAt(primary, target.id, time)
    const name = world.ship(target.id)?.name ?? ''
    return { name, radius: 0, primary: isKnown ? primary.reference : -1 }
  }
  const object = world.objects().find(({ id }) => id === target.id)
  const { name = keyOf(target), radius = 0, rail } = object ?? {}
  return { name, radius, primary: rail?.parent ?? -1 }
}

function orbitOf(
  world: World,
  target: Thing,
  center: number,
  time: number,
): TargetReadings['orbit'] {
  const bodies = world.system?.bodies ?? []
  const body = bodies[center]
  if (!body || !thingAt(fromPrimary, world, target, time, body.name)) return undefined
  const own =
    target.kind === 'body' ? (bodies.find(({ name }) => name === target.name)?.gm ?? 0) : 0
  const motion = { position: fromPrimary.r, velocity: fromPrimary.v, gm: body.gm + own }
  const elements = osculating(motion, poleOf(body))
  return { body: body.name, bodyRadius: body.radius, elements }
}

function noseOf(out: Vector, { attitude: [w, x, y, z] }: ShipSample): Vector {
  return fill(out, 1 - 2 * (y * y + z * z), 2 * (x * y + w * z), 2 * (x * z - w * y))
}
