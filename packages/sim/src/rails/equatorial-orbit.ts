import { vec3 } from 'gl-matrix'
import type { Body } from '../ephemeris/star-system.ts'
import { QUANTA_PER_SECOND } from '../lattice.ts'
import { TAU, TURN_PARTS, circlePoint } from '../math/circle.ts'
import type { StateVector } from '../math/state-vector.ts'

/** A circle in a body's equatorial plane, run through at an exact rate, counter-clockwise. */
export interface EquatorialOrbit {
  readonly kind: 'orbit'
  /** index of the body it goes round */
  readonly parent: number
  /** [m] */
  readonly radius: number
  /** unit vector along the axis of the motion */
  readonly pole: readonly [number, number, number]
  /** parts of a turn per quantum: a whole number, see `TURN_PARTS` */
  readonly rate: number
  /** lattice index at which it passes its plane's ascending node on the axes' xy plane */
  readonly epoch: number
}

/**
 * Angular velocity of a circular equatorial orbit, with J2 where the body has one [rad/s].
 *
 * @param radius  [m]
 * @source Vallado, Fundamentals of Astrodynamics, 4th ed., eq. 8-30, at latitude zero
 */
export function equatorialMotion({ gm, oblateness }: Body, radius: number): number {
  const share = oblateness ? oblateness.referenceRadius / radius : 0
  const excess = oblateness ? 1.5 * oblateness.j2 * share * share : 0
  return Math.sqrt((gm / (radius * radius * radius)) * (1 + excess))
}

/** The whole parts of a turn per quantum nearest to an angular velocity [rad/s]. */
export function turnRate(omega: number): number {
  return Math.floor(omega * (TURN_PARTS / (TAU * QUANTA_PER_SECOND)) + 0.5)
}

/** The angular velocity of a rate in parts of a turn per quantum [rad/s]. */
export function turnVelocity(rate: number): number {
  return rate * ((TAU * QUANTA_PER_SECOND) / TURN_PARTS)
}

const HALF = 16_777_216 // 2^24

/**
 * How far an orbit has turned since its node, exact at any lattice index: the product of two
 * numbers below 2^48, modulo 2^48, from halves whose products a double holds.
 *
 * @returns whole parts of a turn, 0 up to `TURN_PARTS`
 */
export function orbitAngle({ rate, epoch }: EquatorialOrbit, n: number): number {
  const quanta = (n - epoch) % TURN_PARTS
  const count = quanta < 0 ? quanta + TURN_PARTS : quanta
  const countHigh = Math.floor(count / HALF)
  const countLow = count - countHigh * HALF
  const rateHigh = Math.floor(rate / HALF)
  const rateLow = rate - rateHigh * HALF
  const high = (countHigh * rateLow + countLow * rateHigh) % HALF
  return (high * HALF + countLow * rateLow) % TURN_PARTS
}

const circle = new Float64Array(2)
const node = new Float64Array(3)
const next = new Float64Array(3)

/**
 * State relative to the parent body at lattice index n + offset.
 *
 * @param offset  quanta after n, 0 up to 1
 */
export function equatorialState(
  { r, v }: StateVector,
  orbit: EquatorialOrbit,
  n: number,
  offset: number,
): void {
  orbitPoint({ r, v }, orbit, (orbitAngle(orbit, n) + orbit.rate * offset) % TURN_PARTS)
}

/**
 * State of a place on an orbit relative to the parent body.
 *
 * @param angle  since the orbit's node, parts of a turn from 0 up to `TURN_PARTS`
 */
export function orbitPoint(
  { r, v }: StateVector,
  { radius, pole, rate }: EquatorialOrbit,
  angle: number,
): void {
  circlePoint(circle, angle)
  const [cosine, sine] = circle
  const [px, py] = pole
  // To the ascending node, and a quarter turn on; a plane without a node starts from the x axis.
  const tilt = Math.sqrt(px * px + py * py)
  vec3.set(node, tilt > 0 ? -py / tilt : 1, tilt > 0 ? px / tilt : 0, 0)
  vec3.cross(next, pole, node)
  const speed = radius * turnVelocity(rate)
  for (let axis = 0; axis < 3; axis++) {
    r[axis] = radius * (cosine * node[axis] + sine * next[axis])
    v[axis] = speed * (cosine * next[axis] - sine * node[axis])
  }
}
