import {
  type EquatorialOrbit,
  type LagrangeNumber,
  type LagrangePoint,
  bodyState,
  createStateVector,
  equatorialMotion,
  equatorialPole,
  railState,
  turnRate,
} from '@orrery/sim'
import { EngineError } from '../engine-error.ts'
import { lengthText } from './length-text.ts'
import { namedBody } from './named-body.ts'
import type { Railed } from './rail-objects.ts'
import type { World } from './world.ts'

/** Where something on rails is placed, by names of bodies. */
export type Placement =
  | {
      readonly kind: 'orbit'
      /** above the body's mean radius [m] */
      readonly altitude: number
    }
  | {
      readonly kind: 'lagrange'
      readonly secondaryBody: string
      readonly point: LagrangeNumber
    }

/**
 * Stations and gates of a star system together: they are part of every frame of its pilots, and a
 * thousand make one of 300 KB.
 */
export const WORLD_OBJECTS_MAX = 1000

/** @throws {EngineError} 'ERR_WORLD_OBJECTS' */
export function requireRoomOnRails({ stations, jumpgates }: World): void {
  const count = stations.size + jumpgates.size
  if (count < WORLD_OBJECTS_MAX) return
  throw new EngineError('ERR_WORLD_OBJECTS', `${count} stations and gates are as many as can be.`)
}

/** An orbit farther out than this share of its body's sphere of influence is not the body's. */
const SPHERE_SHARE_MAX = 0.5

/**
 * A rate is a whole number of parts of a turn; below this many it is rounded by more than 1e-4,
 * and the orbit takes more than 34 years. It bounds only orbits about a star without a sphere.
 */
const RATE_MIN = 4096

/**
 * The circular equatorial orbit at a height above a body, from the published index on.
 *
 * @throws {EngineError} 'ERR_ALTITUDE' below the ground, or too far out to be the body's
 */
export function orbitRail(world: World, body: number, altitude: number): EquatorialOrbit {
  const { state, setup, index } = world
  const parent = state.system.bodies[body]
  const radius = parent.radius + altitude
  const radiusMax = SPHERE_SHARE_MAX * setup.system.territory.spheres[body]
  const rate = turnRate(equatorialMotion(parent, radius))
  // NaN is in no range.
  if (!(altitude > 0 && radius <= radiusMax && rate >= RATE_MIN)) {
    throw new EngineError(
      'ERR_ALTITUDE',
      `There is no orbit of ${parent.name} at ${lengthText(altitude)} above its surface.`,
    )
  }
  const pole = equatorialPole(state.ephemeris, body, index)
  return { kind: 'orbit', parent: body, radius, pole, rate, epoch: index }
}

/**
 * A Lagrange point of a body and one that goes round it.
 *
 * @throws {EngineError} 'ERR_BODY_UNKNOWN', 'ERR_PAIR' when the second does not go round the first
 */
export function lagrangeRail(
  world: World,
  body: number,
  secondaryBody: string,
  point: LagrangeNumber,
): LagrangePoint {
  const secondary = namedBody(world, secondaryBody)
  const { bodies } = world.state.system
  if (bodies[secondary].parent !== body) {
    throw new EngineError(
      'ERR_PAIR',
      `${bodies[secondary].name} does not go round ${bodies[body].name}.`,
    )
  }
  return { kind: 'lagrange', parent: body, secondary, point }
}

type Triple = [number, number, number]

/** Position and velocity of something on rails at one moment, SI units, inertial axes. */
export interface RailView {
  readonly systemId: string
  readonly parentBody: string
  /** relative to the system's barycentre [m], [m/s] */
  readonly position: Triple
  readonly velocity: Triple
  /** relative to the parent body */
  readonly relativePosition: Float64Array
  readonly relativeVelocity: Float64Array
}

const center = createStateVector()

/** Something on rails at the published index plus `offset` quanta (0 up to 1). */
export function railView({ state, index }: World, object: Railed, offset: number): RailView {
  const { rail } = object
  const { ephemeris } = state
  const relative = createStateVector()
  const { r, v } = relative
  railState(relative, ephemeris, rail, index, offset)
  bodyState(center, ephemeris, rail.parent, -1, index, offset)
  return {
    systemId: ephemeris.system.id,
    parentBody: ephemeris.system.bodies[rail.parent].name,
    position: [r[0] + center.r[0], r[1] + center.r[1], r[2] + center.r[2]],
    velocity: [v[0] + center.v[0], v[1] + center.v[1], v[2] + center.v[2]],
    relativePosition: r,
    relativeVelocity: v,
  }
}
