import { cross, dot } from '../math/triple.ts'
import type { StateVector } from '../math/state-vector.ts'

/**
 * Equinoctial elements a [m], f, g, h, k and the true longitude as a unit vector cos L, sin L.
 * They are regular but for an angular momentum along -z.
 *
 * @source Walker, Ireland & Owens 1985, Celestial Mechanics 36, 409, with a instead of p
 */
export const ELEMENTS = 7

/** Elements that thrust alone changes: all but the longitude. */
export const SLOW_ELEMENTS = 5

const momentum = new Float64Array(3)
// Axes of the orbit's plane, from which the longitude counts, and its normal.
const axes = new Float64Array(9)

/**
 * The elements of a state; a is negative on a hyperbola.
 *
 * @param out  `ELEMENTS` values
 */
export function equinoctialElements(out: Float64Array, { r, v }: StateVector, gm: number): void {
  cross(momentum, 0, r, 0, v, 0)
  const length = Math.sqrt(dot(momentum, 0, momentum, 0))
  const up = length + momentum[2]
  out[3] = -momentum[1] / up
  out[4] = momentum[0] / up
  placeAxes(out[3], out[4])
  const distance = Math.sqrt(dot(r, 0, r, 0))
  out[0] = 1 / (2 / distance - dot(v, 0, v, 0) / gm)
  out[5] = dot(r, 0, axes, 0) / distance
  out[6] = dot(r, 0, axes, 3) / distance
  // The eccentricity vector v × h / GM - r / |r|; with the normal n, v × n is in the plane.
  out[1] = (length * dot(v, 0, axes, 3)) / gm - out[5]
  out[2] = -(length * dot(v, 0, axes, 0)) / gm - out[6]
}

/** The state of elements, for a of either sign. */
export function equinoctialState(out: StateVector, elements: Float64Array, gm: number): void {
  const [a, f, g, h, k, cosine, sine] = elements
  placeAxes(h, k)
  const p = a * (1 - f * f - g * g)
  const distance = p / (1 + f * cosine + g * sine)
  const speed = Math.sqrt(gm / p)
  for (let i = 0; i < 3; i++) {
    out.r[i] = distance * (cosine * axes[i] + sine * axes[3 + i])
    out.v[i] = speed * ((cosine + f) * axes[3 + i] - (sine + g) * axes[i])
  }
}

function placeAxes(h: number, k: number): void {
  const scale = 1 / (1 + h * h + k * k)
  axes[0] = scale * (1 + h * h - k * k)
  axes[1] = scale * 2 * h * k
  axes[2] = scale * -2 * k
  axes[3] = scale * 2 * h * k
  axes[4] = scale * (1 - h * h + k * k)
  axes[5] = scale * 2 * h
  cross(axes, 6, axes, 0, axes, 3)
}

/**
 * Rates of the slow elements per unit of acceleration at one longitude of an orbit: Gauss'
 * variational equations.
 *
 * @param out  five triples in element order: the rates by radial, transverse and normal
 *   acceleration [s, s/m for f to k]
 */
export function gaussRates(
  out: Float64Array,
  [a, f, g, h, k]: Float64Array,
  cosine: number,
  sine: number,
  gm: number,
): void {
  const p = a * (1 - f * f - g * g)
  const w = 1 + f * cosine + g * sine
  const root = Math.sqrt(p / gm)
  const energy = (2 * a * a) / (root * gm)
  const tilt = h * sine - k * cosine
  const turn = (root * (1 + h * h + k * k)) / (2 * w)
  out[0] = energy * (f * sine - g * cosine)
  out[1] = energy * w
  out[2] = 0
  out[3] = root * sine
  out[4] = (root * ((w + 1) * cosine + f)) / w
  out[5] = (-root * tilt * g) / w
  out[6] = -root * cosine
  out[7] = (root * ((w + 1) * sine + g)) / w
  out[8] = (root * tilt * f) / w
  out[9] = 0
  out[10] = 0
  out[11] = turn * cosine
  out[12] = 0
  out[13] = 0
  out[14] = turn * sine
}
