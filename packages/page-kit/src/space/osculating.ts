/** The orbit that something would keep if one body alone pulled it, as a point mass. */
import type { OrbitState } from './orbit-line.ts'
import { type Vector, angleBetween, cross, dot, length, vector } from './vector.ts'

/** Lengths from the body's centre [m], times [s], angles [rad]. */
export interface Osculating {
  /** negative on a hyperbola */
  readonly semiMajorAxis: number
  readonly eccentricity: number
  /** 0 to π; NaN in a fall along the vertical */
  readonly inclination: number
  readonly periapsis: number
  /** Infinity on a hyperbola, as the period is */
  readonly apoapsis: number
  readonly period: number
  /** until the next passage; negative after the only one of a hyperbola, NaN on a circle */
  readonly timeToPeriapsis: number
  readonly timeToApoapsis: number
  /** 0 to 2π */
  readonly trueAnomaly: number
  /** [m/s]; NaN on an ellipse */
  readonly excessSpeed: number
}

/** Below this eccentricity the direction of the periapsis consists of rounding errors. */
const CIRCLE = 1e-9

const TURN = 2 * Math.PI

const momentum = vector()

/**
 * The osculating orbit of a position and velocity.
 *
 * @param pole  of the plane that the inclination counts from, unit vector
 * @source Vallado, Fundamentals of Astrodynamics and Applications, 4th edition, 2.2 to 2.4
 */
export function osculating({ position, velocity, gm }: OrbitState, pole: Vector): Osculating {
  const r = length(position)
  const climb = dot(position, velocity)
  cross(momentum, position, velocity)
  const h = length(momentum)
  const p = (h * h) / gm
  const eCosine = p / r - 1
  const eSine = (h * climb) / (gm * r)
  const eccentricity = Math.hypot(eCosine, eSine)
  const inverseAxis = 2 / r - dot(velocity, velocity) / gm
  const isClosed = inverseAxis > 0
  const period = isClosed ? TURN / Math.sqrt(gm * inverseAxis ** 3) : Infinity
  const since =
    eccentricity < CIRCLE ? NaN : timeSincePeriapsis({ r, climb, inverseAxis, eccentricity, gm })
  const anomaly = Math.atan2(eSine, eCosine)
  return {
    semiMajorAxis: 1 / inverseAxis,
    eccentricity,
    inclination: h > 0 ? angleBetween(momentum, pole) : NaN,
    periapsis: p / (1 + eccentricity),
    apoapsis: isClosed ? (1 + eccentricity) / inverseAxis : Infinity,
    period,
    timeToPeriapsis: since > 0 && isClosed ? period - since : -since,
    timeToApoapsis: isClosed ? Math.max(0, period / 2 - since) : Infinity,
    trueAnomaly: anomaly < 0 ? anomaly + TURN : anomaly,
    excessSpeed: isClosed ? NaN : Math.sqrt(-gm * inverseAxis),
  }
}

interface Passage {
  /** distance [m], and its product with the radial speed [m²/s] */
  readonly r: number
  readonly climb: number
  /** [1/m] */
  readonly inverseAxis: number
  readonly eccentricity: number
  readonly gm: number
}

/** By Kepler's equation, from half a period before the periapsis to half a period after it [s]. */
function timeSincePeriapsis({ r, climb, inverseAxis, eccentricity, gm }: Passage): number {
  const root = Math.sqrt(Math.abs(inverseAxis))
  const sine = (climb * root) / Math.sqrt(gm)
  const motion = Math.sqrt(gm) * root ** 3
  if (inverseAxis > 0) return (Math.atan2(sine, 1 - r * inverseAxis) - sine) / motion
  return (sine - Math.asinh(sine / eccentricity)) / motion
}
