import type { Body } from '../ephemeris/star-system.ts'
import { copyTriple, cross, dot } from '../math/triple.ts'
import { type StateVector, createStateVector } from '../math/state-vector.ts'
import { angleOf } from './angle.ts'
import type { Conic } from './conic.ts'

/**
 * Mean orbits about an oblate body: what remains of a state without the terms of first order in J2
 * that repeat in each revolution. They come from the generating function of Brouwer's theory in
 * r, its rate, and the angular momentum, where circles and equatorial orbits are regular. What is
 * left out is of second order: J2² of the distance, some 10 m about the Earth.
 *
 * @source Brouwer 1959, AJ 64, 378; Lyddane 1963, AJ 68, 555; in these variables: Aksnes 1972,
 *   Astrophysics and Space Science 18, 173
 */

/** J2 (R/p)² above which, and square of √(1 - e²) below which, no mean orbit is made. */
const OBLATE_MAX = 0.05
const ROUND_MIN = 0.01

/** Rounds after which a first-order change and the state it belongs to fit each other. */
const ROUNDS = 3

const up = new Float64Array(3)
const along = new Float64Array(3)
const normal = new Float64Array(3)
const trial = createStateVector()
const given = createStateVector()

/** How near to that an orbit may come that is to keep its elements. */
const STEADY = 0.8

/** Whether orbits of a semi-latus rectum [m] have mean elements that stay. */
export function hasMeanOrbit({ oblateness }: Body, p: number): boolean {
  if (!oblateness) return true
  const ratio = oblateness.referenceRadius / p
  return oblateness.j2 * ratio * ratio < STEADY * OBLATE_MAX
}

/** out = the state on the mean orbit; the same state where there is none. */
export function meanState(out: StateVector, state: StateVector, body: Body): void {
  copy(given, state)
  copy(trial, state)
  copy(out, state)
  for (let round = 0; round < ROUNDS; round++) {
    if (!change(out, trial, body)) return copy(out, given)
    for (let i = 0; i < 3; i++) {
      out.r[i] = given.r[i] - out.r[i]
      out.v[i] = given.v[i] - out.v[i]
    }
    copy(trial, out)
  }
}

/** out = the state of a ship on a mean orbit, the inverse of `meanState`. */
export function osculatingState(out: StateVector, mean: StateVector, body: Body): void {
  copy(given, mean)
  const isOblate = change(out, given, body)
  for (let i = 0; i < 3; i++) {
    out.r[i] = given.r[i] + (isOblate ? out.r[i] : 0)
    out.v[i] = given.v[i] + (isOblate ? out.v[i] : 0)
  }
}

/** out = what the periodic terms add to a mean state; false where there are none. */
function change(out: StateVector, { r, v }: StateVector, { gm, oblateness }: Body): boolean {
  if (!oblateness) return false
  const { j2, pole, referenceRadius } = oblateness
  cross(normal, 0, r, 0, v, 0)
  const momentum = Math.sqrt(dot(normal, 0, normal, 0))
  const distance = Math.sqrt(dot(r, 0, r, 0))
  const p = (momentum * momentum) / gm
  const ratio = referenceRadius / p
  const kappa = p / distance - 1
  const climb = dot(r, 0, v, 0) / distance
  const sigma = (climb * momentum) / gm
  const eta2 = 1 - kappa * kappa - sigma * sigma
  if (!(j2 * ratio * ratio < OBLATE_MAX && eta2 > ROUND_MIN)) return false
  for (let i = 0; i < 3; i++) {
    up[i] = r[i] / distance
    normal[i] /= momentum
  }
  cross(along, 0, normal, 0, up, 0)
  const c = normal[0] * pole[0] + normal[1] * pole[1] + normal[2] * pole[2]
  const z = up[0] * pole[0] + up[1] * pole[1] + up[2] * pole[2]
  const w = along[0] * pole[0] + along[1] * pole[1] + along[2] * pole[2]
  // sin² i sin 2u, sin² i cos 2u and 3 cos² i - 1.
  const twice = 2 * z * w
  const square = w * w - z * z
  const tilt = 3 * c * c - 1
  // The equation of centre, and its derivatives by e cos f and e sin f.
  const eta = Math.sqrt(eta2)
  const scale = 1 + kappa
  const both = scale * (1 + eta)
  const centre = 2 * angleOf(1 + eta + kappa, sigma) + (eta * sigma) / scale
  const bySigma =
    (1 + eta + kappa + (sigma * sigma) / eta) / both + (eta - (sigma * sigma) / eta) / scale
  const byKappa =
    (sigma * (kappa / eta - 1)) / both -
    (kappa * sigma) / (eta * scale) -
    (eta * sigma) / (scale * scale)
  const size = 0.25 * j2 * ratio * ratio
  const further = -size * p * (tilt * (bySigma + 1) - square)
  const faster = -size * (momentum / p) * scale * scale * (tilt * byKappa + 2 * twice)
  const more = size * ((3 + 4 * kappa) * square + 2 * sigma * twice)
  const ahead =
    -size *
    (tilt * (2 * scale * byKappa + sigma * bySigma - 2 * sigma - 3 * centre) -
      twice * (0.5 + 2 * kappa) +
      2 * sigma * square)
  const beside = size * c * ((8 * sigma + 6 * centre) * w - (3 + 4 * kappa) * z)
  const aslant = size * c * ((3 + 4 * kappa) * w - (4 * sigma + 6 * centre) * z)
  const level = momentum / distance
  const levelMore = level * (more - further / distance)
  for (let i = 0; i < 3; i++) {
    const moved = ahead * along[i] + beside * normal[i]
    out.r[i] = further * up[i] + distance * moved
    const turned = aslant * normal[i] - ahead * up[i]
    out.v[i] = faster * up[i] + climb * moved + levelMore * along[i] + level * turned
  }
  return true
}

function copy(to: StateVector, from: StateVector): void {
  copyTriple(to.r, 0, from.r, 0)
  copyTriple(to.v, 0, from.v, 0)
}

/**
 * The mean distance of a ship on a mean orbit where that is a circle, and its axis otherwise, from
 * Brouwer's axis: 9 km less in low orbit over the Earth's equator.
 *
 * @source Kozai 1959, AJ 64, 367: the axis that he counts as mean
 */
export function meanAxis({ a, e, normal: n }: Conic, body: Body): number {
  let axis = a
  for (let round = 0; round < ROUNDS; round++) axis = a * (1 - excess(axis, e, n, 0, body))
  return axis
}

/** Brouwer's axis of an orbit with some `meanAxis`, with its normal from `at` on. */
export function brouwerAxis(
  axis: number,
  e: number,
  n: Float64Array,
  at: number,
  body: Body,
): number {
  return axis / (1 - excess(axis, e, n, at, body))
}

function excess(
  axis: number,
  e: number,
  n: Float64Array,
  at: number,
  { oblateness }: Body,
): number {
  const eta2 = 1 - e * e
  if (!oblateness || !(eta2 > ROUND_MIN)) return 0
  const { j2, pole, referenceRadius } = oblateness
  const ratio = referenceRadius / (axis * eta2)
  if (!(j2 * ratio * ratio < OBLATE_MAX)) return 0
  const c = n[at] * pole[0] + n[at + 1] * pole[1] + n[at + 2] * pole[2]
  return 0.75 * j2 * ratio * ratio * (3 * c * c - 1) * Math.sqrt(eta2)
}
