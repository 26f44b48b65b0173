import type { Body } from '@orrery/sim'

type Triple = readonly [number, number, number]

/**
 * The orbit that a ship would keep if its reference body alone pulled it, as a point mass. Angles
 * [rad] go from 0 to 2π. What such an orbit does not have is null.
 */
export interface Orbit {
  /** from where node and inclination count: the equator of a body with a pole, else ICRF axes */
  readonly plane: 'equator' | 'icrf'
  /** [m]; negative on a hyperbola, null on a parabola */
  readonly semiMajorAxis: number | null
  readonly eccentricity: number
  /** 0 to π; null in a vertical fall */
  readonly inclination: number | null
  /**
   * from where the equator rises through that of ICRF, or from the ICRF x axis where they are
   * one; null in the plane itself and in a vertical fall
   */
  readonly ascendingNode: number | null
  /** from the node, or without one from where nodes count; null on a circle */
  readonly argumentOfPeriapsis: number | null
  /** from the periapsis; on a circle from where its argument would count */
  readonly trueAnomaly: number | null
  /** now, above the body's mean radius [m] */
  readonly altitude: number
  readonly periapsisAltitude: number
  readonly apoapsisAltitude: number | null
  /** [s] */
  readonly period: number | null
  /** until the next passage [s] */
  readonly timeToPeriapsis: number | null
  readonly timeToApoapsis: number | null
}

/** Below this eccentricity, or sine of an angle, a direction consists of rounding errors. */
const DIRECTION_MIN = 1e-9

const ICRF_X: Triple = [1, 0, 0]
const ICRF_POLE: Triple = [0, 0, 1]

/**
 * The osculating orbit of a position [m] and velocity [m/s] relative to a body, ICRF axes.
 *
 * @source Vallado, Fundamentals of Astrodynamics and Applications, 4th edition, 2.3 and 2.5
 */
export function osculatingOrbit(r: Triple, v: Triple, { gm, radius, oblateness }: Body): Orbit {
  const distance = norm(r)
  const momentum = cross(r, v)
  const towards = sum(cross(v, momentum), 1 / gm, r, -1 / distance)
  const eccentricity = norm(towards)
  const isCircle = eccentricity < DIRECTION_MIN
  const isVertical = norm(momentum) <= DIRECTION_MIN * distance * norm(v)
  const periapsis = dot(momentum, momentum) / gm / (1 + eccentricity)
  // A parabola's is 0, its axis infinite.
  const inverseAxis = 2 / distance - dot(v, v) / gm
  const period = inverseAxis > 0 ? (2 * Math.PI) / Math.sqrt(gm * inverseAxis ** 3) : null
  const shape = { eccentricity, periapsis, inverseAxis, gm }
  const since = timeSincePeriapsis(shape, distance, dot(r, v))
  return {
    plane: oblateness ? 'equator' : 'icrf',
    semiMajorAxis: inverseAxis === 0 ? null : 1 / inverseAxis,
    eccentricity,
    ...(isVertical
      ? NO_PLANE
      : directions(r, momentum, isCircle ? undefined : towards, oblateness?.pole ?? ICRF_POLE)),
    altitude: distance - radius,
    periapsisAltitude: periapsis - radius,
    apoapsisAltitude: period === null ? null : (1 + eccentricity) / inverseAxis - radius,
    period,
    ...(isCircle
      ? { timeToPeriapsis: null, timeToApoapsis: null }
      : {
          timeToPeriapsis: since > 0 ? period && period - since : -since,
          timeToApoapsis: period && Math.max(0, period / 2 - since),
        }),
  }
}

const NO_PLANE = {
  inclination: null,
  ascendingNode: null,
  argumentOfPeriapsis: null,
  trueAnomaly: null,
}

/** @param towards  to the periapsis, any length; undefined on a circle */
function directions(
  r: Triple,
  momentum: Triple,
  towards: Triple | undefined,
  pole: Triple,
): Pick<Orbit, keyof typeof NO_PLANE> {
  const rising = cross(ICRF_POLE, pole)
  const origin = norm(rising) > DIRECTION_MIN ? rising : ICRF_X
  const node = cross(pole, momentum)
  const tilt = norm(node)
  const isInPlane = tilt <= DIRECTION_MIN * norm(momentum)
  const from = isInPlane ? origin : node
  return {
    inclination: Math.atan2(tilt, dot(pole, momentum)),
    ascendingNode: isInPlane ? null : angle(origin, node, pole),
    argumentOfPeriapsis: towards ? angle(from, towards, momentum) : null,
    trueAnomaly: angle(towards ?? from, r, momentum),
  }
}

/** From one direction to another about an axis [rad], 0 to 2π. */
function angle(from: Triple, to: Triple, axis: Triple): number {
  const sine = dot(cross(from, to), axis) / norm(axis)
  const turned = Math.atan2(sine, dot(from, to))
  return turned < 0 ? turned + 2 * Math.PI : turned
}

interface Shape {
  readonly eccentricity: number
  /** [m] */
  readonly periapsis: number
  /** [1/m] */
  readonly inverseAxis: number
  /** [m³/s²] */
  readonly gm: number
}

/**
 * Time since the nearest passage of the periapsis, negative before it [s]: Kepler's equation in
 * universal variables, which holds for all conics and for vertical falls.
 *
 * @param distance  [m]
 * @param product   of position and velocity [m²/s]
 */
function timeSincePeriapsis(shape: Shape, distance: number, product: number): number {
  const { eccentricity: e, periapsis, inverseAxis: k, gm } = shape
  const climb = product / Math.sqrt(gm)
  const root = Math.sqrt(Math.abs(k))
  let x = climb / e
  if (k > 0) x = Math.atan2(climb * root, 1 - k * distance) / root
  else if (k < 0) x = Math.asinh((climb * root) / e) / root
  return (periapsis * x + e * x ** 3 * stumpff3(k * x * x)) / Math.sqrt(gm)
}

/** (√z − sin √z) / √z³, for negative z continued by the hyperbolic sine. */
function stumpff3(z: number): number {
  const s = Math.sqrt(Math.abs(z))
  if (s > 1) return (z > 0 ? s - Math.sin(s) : Math.sinh(s) - s) / s ** 3
  let term = 1 / 6
  let series = term
  for (let k = 4; k < 20; k += 2) series += term *= -z / (k * (k + 1))
  return series
}

function dot(a: Triple, b: Triple): number {
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
}

function norm(a: Triple): number {
  return Math.sqrt(dot(a, a))
}

function cross(a: Triple, b: Triple): Triple {
  return [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]
}

/** k a + l b */
function sum(a: Triple, k: number, b: Triple, l: number): Triple {
  return [k * a[0] + l * b[0], k * a[1] + l * b[1], k * a[2] + l * b[2]]
}
