import { type Ephemeris, type MassiveState, bodyState } from '../ephemeris/ephemeris.ts'
import type { StarSystem } from '../ephemeris/star-system.ts'
import { dot } from '../math/triple.ts'
import { type StateVector, createStateVector } from '../math/state-vector.ts'

/** A ship takes a body as reference inside 0.9 of its sphere, and leaves it outside 1.1. */
export const ENTER_FRACTION = 0.9
export const LEAVE_FRACTION = 1.1

/**
 * Radius of each body's sphere of influence, a (m/M)^(2/5) with the semi-major axis osculating
 * at the system's epoch, at most half of the closest approach; infinite for the root.
 *
 * @param epoch  the catalog's start state
 * @returns radii in body order [m]
 * @source Bate, Mueller & White, Fundamentals of Astrodynamics, eq. 7.4-1
 */
export function spheresOfInfluence(system: StarSystem, epoch: MassiveState): Float64Array {
  return Float64Array.from(system.bodies, (body, i) => {
    if (body.parent < 0) return Infinity
    const parent = system.bodies[body.parent]
    let r2 = 0
    let v2 = 0
    let rv = 0
    for (let axis = 0; axis < 3; axis++) {
      const dr = epoch.x[3 * i + axis] - epoch.x[3 * body.parent + axis]
      const dv = epoch.v[3 * i + axis] - epoch.v[3 * body.parent + axis]
      r2 += dr * dr
      v2 += dv * dv
      rv += dr * dv
    }
    const gm = parent.gm + body.gm
    const curvature = 2 / Math.sqrt(r2) - v2 / gm
    const ratio = body.gm / parent.gm
    const share = fifthRoot(ratio * ratio)
    // What goes round a close pair is not bound to its parent alone: its distance has to do.
    if (curvature <= 0) return Math.sqrt(r2) * Math.min(share, 0.5)
    const semiMajorAxis = 1 / curvature
    const eccentricity = Math.sqrt(Math.max(0, 1 - ((r2 * v2 - rv * rv) / gm) * curvature))
    // Two stars of like mass: neither's sphere may reach the other.
    return Math.min(semiMajorAxis * share, 0.5 * semiMajorAxis * (1 - eccentricity))
  })
}

const body = createStateVector()

/**
 * Moves a state to the body that a ship there refers to: the one with the smallest sphere of
 * influence that holds it. Returns that body.
 *
 * @param state    relative to `center`, rewritten
 * @param spheres  radii in body order [m]
 * @param n        lattice index
 * @throws {SimError} 'ERR_EPHEMERIS_SPAN' when the ephemeris does not reach n
 */
export function enterSphere(
  state: StateVector,
  ephemeris: Ephemeris,
  spheres: Float64Array,
  center: number,
  n: number,
): number {
  let entered = 0
  for (let i = 1; i < spheres.length; i++) {
    bodyState(body, ephemeris, i, center, n, 0)
    for (let axis = 0; axis < 3; axis++) body.r[axis] -= state.r[axis]
    const reach = ENTER_FRACTION * spheres[i]
    if (dot(body.r, 0, body.r, 0) < reach * reach && spheres[i] < spheres[entered]) entered = i
  }
  bodyState(body, ephemeris, entered, center, n, 0)
  for (let axis = 0; axis < 3; axis++) {
    state.r[axis] -= body.r[axis]
    state.v[axis] -= body.v[axis]
  }
  return entered
}

/** Fifth root of a number in (0, 1] by bisection to the last bit. */
function fifthRoot(x: number): number {
  let low = 0
  let high = 1
  for (let i = 0; i < 64; i++) {
    const middle = 0.5 * (low + high)
    const square = middle * middle
    if (square * square * middle < x) low = middle
    else high = middle
  }
  return high
}
