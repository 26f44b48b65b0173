/** What the instruments show of the target. */
import { type Flight, type ShipSample, createShipSample } from '@orrery/client/flight'
import { type Approach, approach, relativeInclination } from '../space/approach.ts'
import { turned } from '../space/attitude.ts'
import { addScaled, angleBetween, osculating, type Osculating, vector } from '@orrery/page-kit'
import { poleOf } from './own-readings.ts'
import type { Thing } from './thing.ts'

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
const position = vector()
const velocity = vector()
const nose = vector()
const X = vector(1, 0, 0)

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
  addScaled(position, state.r, own.r, -1)
  addScaled(velocity, state.v, own.v, -1)
  const facts = factsOf(world, target, time)
  const way = approach(position, velocity)
  return {
    ...way,
    thing: target,
    name: facts.name,
    clearance: way.distance - facts.radius,
    angle: angleBetween(turned(nose, own.attitude, X), position),
    relativeInclination: facts.primary === own.reference ? relativeInclination(own, state) : NaN,
    orbit: orbitOf(world, target, facts, time),
  }
}

interface Facts {
  readonly name: string
  readonly radius: number
  readonly gm: number
  /** index of the body that it goes round; none has it where there is no such body */
  readonly primary: number
}

/** Of a target whose state is known. */
function factsOf(world: World, target: Thing, time: number): Facts {
  if (target.kind === 'body') {
    const { parent, ...facts } = world.system!.bodies.find(({ name }) => name === target.name)!
    return { ...facts, primary: parent }
  }
  if (target.kind === 'ship') {
    const primary = world.shipAt(fromPrimary, target.id, time) ? fromPrimary.reference : NaN
    return { name: world.ship(target.id)?.name ?? '', radius: 0, gm: 0, primary }
  }
  const { name, radius, rail } = world.objects().find(({ id }) => id === target.id)!
  return { name, radius, gm: 0, primary: rail.parent }
}

function orbitOf(
  world: World,
  target: Thing,
  { gm, primary }: Facts,
  time: number,
): TargetReadings['orbit'] {
  const body = world.system?.bodies[primary]
  if (!body || !thingAt(fromPrimary, world, target, time, body.name)) return undefined
  const motion = { position: fromPrimary.r, velocity: fromPrimary.v, gm: body.gm + gm }
  const elements = osculating(motion, poleOf(body))
  return { body: body.name, bodyRadius: body.radius, elements }
}
