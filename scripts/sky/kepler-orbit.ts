/** A vector along ICRF axes. */
export type Axes = readonly [number, number, number]

export interface Motion {
  /** [m] */
  readonly r: Axes
  /** [m/s] */
  readonly v: Axes
}

/** The frame in which double stars are measured: the plane of the sky and the line of sight. */
export interface SkyFrame {
  readonly north: Axes
  readonly east: Axes
  readonly away: Axes
}

/** An orbit on the sky; the node is where the companion recedes, counted from north to east. */
export interface SkyOrbit {
  /** of both bodies together [m³/s²] */
  readonly gm: number
  /** [s] */
  readonly period: number
  readonly eccentricity: number
  /** all angles [rad] */
  readonly periastronArgument: number
  readonly inclination: number
  readonly node: number
}

export const DEGREE: number = Math.PI / 180

/** Directions at a place on the sky, given in degrees. */
export function skyFrame(rightAscensionDeg: number, declinationDeg: number): SkyFrame {
  const ra = rightAscensionDeg * DEGREE
  const dec = declinationDeg * DEGREE
  const [sa, ca, sd, cd] = [Math.sin(ra), Math.cos(ra), Math.sin(dec), Math.cos(dec)]
  return {
    north: [-sd * ca, -sd * sa, cd],
    east: [-sa, ca, 0],
    away: [cd * ca, cd * sa, sd],
  }
}

/**
 * Mean anomaly when the companion is between its star and us, at argument of latitude 270°.
 *
 * @returns [rad]
 */
export function conjunctionAnomaly(eccentricity: number, periastronArgument: number): number {
  const half = (1.5 * Math.PI - periastronArgument) / 2
  const eccentric =
    2 *
    Math.atan2(
      Math.sqrt(1 - eccentricity) * Math.sin(half),
      Math.sqrt(1 + eccentricity) * Math.cos(half),
    )
  return eccentric - eccentricity * Math.sin(eccentric)
}

/**
 * Motion of the companion relative to its primary.
 *
 * @source W. D. Heintz, Double Stars (1978), ch. 2, in vector form
 */
export function orbitMotion(orbit: SkyOrbit, meanAnomaly: number, frame: SkyFrame): Motion {
  const { gm, period, eccentricity: e, periastronArgument, inclination, node } = orbit
  const n = (2 * Math.PI) / period
  const a = Math.cbrt(gm / (n * n))
  const eccentric = eccentricAnomaly(meanAnomaly, e)
  const distance = a * (1 - e * Math.cos(eccentric))
  const minor = Math.sqrt(1 - e * e)
  // Along periastron and 90 degrees ahead of it.
  const r = [a * (Math.cos(eccentric) - e), a * minor * Math.sin(eccentric)]
  const speed = (n * a * a) / distance
  const v = [-speed * Math.sin(eccentric), speed * minor * Math.cos(eccentric)]
  const [so, co] = [Math.sin(node), Math.cos(node)]
  const [si, ci] = [Math.sin(inclination), Math.cos(inclination)]
  const unit = (argument: number): Axes => {
    const [su, cu] = [Math.sin(argument), Math.cos(argument)]
    const sky = [cu * co - su * so * ci, cu * so + su * co * ci, su * si]
    return axes((k) => sky[0] * frame.north[k] + sky[1] * frame.east[k] + sky[2] * frame.away[k])
  }
  const p = unit(periastronArgument)
  const q = unit(periastronArgument + Math.PI / 2)
  return {
    r: axes((k) => r[0] * p[k] + r[1] * q[k]),
    v: axes((k) => v[0] * p[k] + v[1] * q[k]),
  }
}

/** A vector by its components. */
export function axes(component: (k: 0 | 1 | 2) => number): Axes {
  return [component(0), component(1), component(2)]
}

function eccentricAnomaly(meanAnomaly: number, e: number): number {
  let eccentric = meanAnomaly
  // Newton's method squares the error each time; 20 rounds are plenty for e < 0.9.
  for (let i = 0; i < 20; i++) {
    eccentric -= (eccentric - e * Math.sin(eccentric) - meanAnomaly) / (1 - e * Math.cos(eccentric))
  }
  return eccentric
}
