import { TAU } from '../math/circle.ts'
import type { StateVector } from '../math/state-vector.ts'
import { cross, dot } from '../math/triple.ts'
import { angleOf } from './angle.ts'
import { logarithm } from './exponential.ts'

/** Size, shape and plane of a two-body orbit. */
export interface Conic {
  /** [m³/s²] */
  gm: number
  /** [m]; negative on a hyperbola */
  a: number
  e: number
  /** semi-latus rectum [m] */
  p: number
  /** [m]; the second is infinite on a hyperbola */
  periapsis: number
  apoapsis: number
  /** [s]; infinite on a hyperbola */
  period: number
  /** unit vectors: of the plane, of the periapsis (where the ship is on a circle), across both */
  readonly normal: Float64Array
  readonly ahead: Float64Array
  readonly side: Float64Array
}

/** A conic to be written into. */
export function createConic(): Conic {
  return {
    gm: 0,
    a: 0,
    e: 0,
    p: 0,
    periapsis: 0,
    apoapsis: 0,
    period: 0,
    normal: new Float64Array(3),
    ahead: new Float64Array(3),
    side: new Float64Array(3),
  }
}

/** Eccentricity of a circle: below it the periapsis has no direction. */
const CIRCLE = 1e-9

/** The orbit of a state, which must not be a fall along the vertical. */
export function conicOf(out: Conic, { r, v }: StateVector, gm: number): void {
  const { normal, ahead, side } = out
  cross(normal, 0, r, 0, v, 0)
  const momentum = Math.sqrt(dot(normal, 0, normal, 0))
  const distance = Math.sqrt(dot(r, 0, r, 0))
  const inverse = 2 / distance - dot(v, 0, v, 0) / gm
  for (let i = 0; i < 3; i++) normal[i] /= momentum
  cross(ahead, 0, v, 0, normal, 0)
  for (let i = 0; i < 3; i++) ahead[i] = (momentum * ahead[i]) / gm - r[i] / distance
  const e = Math.sqrt(dot(ahead, 0, ahead, 0))
  for (let i = 0; i < 3; i++) ahead[i] = e > CIRCLE ? ahead[i] / e : r[i] / distance
  cross(side, 0, normal, 0, ahead, 0)
  out.gm = gm
  out.e = e
  out.a = 1 / inverse
  out.p = (momentum * momentum) / gm
  out.periapsis = out.p / (1 + e)
  out.apoapsis = inverse > 0 ? (1 + e) / inverse : Infinity
  out.period = inverse > 0 ? TAU / Math.sqrt(gm * inverse * inverse * inverse) : Infinity
}

/** out = state where the true anomaly has a cosine and sine. */
export function conicState(out: StateVector, conic: Conic, cosine: number, sine: number): void {
  const { gm, p, e, ahead, side } = conic
  const distance = p / (1 + e * cosine)
  const speed = Math.sqrt(gm / p)
  for (let i = 0; i < 3; i++) {
    out.r[i] = distance * (cosine * ahead[i] + sine * side[i])
    out.v[i] = speed * ((e + cosine) * side[i] - sine * ahead[i])
  }
}

/** Distance from the centre in a direction of any length in the plane; negative if never there. */
export function radiusTowards({ p, e, ahead }: Conic, u: Float64Array, at: number): number {
  return p / (1 + (e * dot(ahead, 0, u, at)) / Math.sqrt(dot(u, at, u, at)))
}

/**
 * Time from one direction to the next passage of another, both in the plane and of any length:
 * 0 up to a period [s]; infinite where the orbit never comes.
 */
export function secondsBetween(conic: Conic, from: Float64Array, to: Float64Array): number {
  const start = secondsFromPeriapsis(conic, from)
  const end = secondsFromPeriapsis(conic, to)
  if (end >= start) return end - start
  return conic.period + (end - start)
}

function secondsFromPeriapsis({ gm, a, e, ahead, side }: Conic, u: Float64Array): number {
  const length = Math.sqrt(dot(u, 0, u, 0))
  const cosine = dot(ahead, 0, u, 0) / length
  const sine = dot(side, 0, u, 0) / length
  const scale = 1 + e * cosine
  if (a > 0) {
    const across = (Math.sqrt(1 - e * e) * sine) / scale
    const anomaly = angleOf((e + cosine) / scale, across)
    return Math.sqrt((a * a * a) / gm) * (anomaly - e * across)
  }
  if (!(scale > 0)) return Infinity
  const across = (Math.sqrt(e * e - 1) * sine) / scale
  const size = Math.abs(across)
  const anomaly = logarithm(size + Math.sqrt(size * size + 1))
  return Math.sqrt((-a * a * a) / gm) * (e * across - (across < 0 ? -anomaly : anomaly))
}
