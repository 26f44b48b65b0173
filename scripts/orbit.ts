import type { Vec3 } from '@orrery/protocol'

/** The osculating two-body orbit, in the elements that a pilot uses. */
export interface Orbit {
  /** from the body's centre [m] */
  readonly distance: number
  /** [m/s] */
  readonly speed: number
  /** nearest point, from the body's centre [m] */
  readonly periapsis: number
  /** farthest point [m]; infinite when the orbit is open */
  readonly apoapsis: number
  readonly eccentricity: number
}

/**
 * @param r   position relative to the body [m]
 * @param v   velocity [m/s]
 * @param gm  gravitational parameter of the body [m³/s²]
 */
export function orbitOf(r: Vec3, v: Vec3, gm: number): Orbit {
  const distance = Math.hypot(r.x, r.y, r.z)
  const speed = Math.hypot(v.x, v.y, v.z)
  const h2 =
    (r.y * v.z - r.z * v.y) ** 2 + (r.z * v.x - r.x * v.z) ** 2 + (r.x * v.y - r.y * v.x) ** 2
  const energy = (speed * speed) / 2 - gm / distance
  const eccentricity = Math.sqrt(Math.max(0, 1 + (2 * energy * h2) / (gm * gm)))
  const parameter = h2 / gm
  return {
    distance,
    speed,
    periapsis: parameter / (1 + eccentricity),
    apoapsis: eccentricity < 1 ? parameter / (1 - eccentricity) : Infinity,
    eccentricity,
  }
}
