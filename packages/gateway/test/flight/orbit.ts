// Textbook flight dynamics, to compare with the server.
import type { ShipState, Vec3 } from '@orrery/protocol'

/** Earth's gravitational parameter [m³/s²] (IERS 2010) and mean radius [m] (IUGG). */
export const EARTH_GM = 3.986004418e14
export const EARTH_RADIUS = 6371008.4

/** The game's courier: thrust [N], exhaust velocity [m/s], masses [kg]. */
export const THRUST_MAX = 300_000
export const EXHAUST_VELOCITY = 24_000
export const FUEL_CAPACITY = 10_000
export const DRY_MASS = 20_000

/** Unix time of a timestamp [s]. */
export const seconds = (timestamp: string): number => Date.parse(timestamp) / 1000

export const length = ({ x, y, z }: Vec3): number => Math.hypot(x, y, z)

export const dot = (a: Vec3, b: Vec3): number => a.x * b.x + a.y * b.y + a.z * b.z

/** a + k b */
export const plus = (a: Vec3, b: Vec3, k = 1): Vec3 => ({
  x: a.x + k * b.x,
  y: a.y + k * b.y,
  z: a.z + k * b.z,
})

/** Earth's pull at a place relative to its centre [m/s²]. */
export function gravity(r: Vec3): Vec3 {
  return plus({ x: 0, y: 0, z: 0 }, r, -EARTH_GM / length(r) ** 3)
}

/** The hull's +x axis in inertial axes. */
export function nose({ attitude: { w, x, y, z } }: ShipState): Vec3 {
  return { x: w * w + x * x - y * y - z * z, y: 2 * (x * y + w * z), z: 2 * (x * z - w * y) }
}

/** Place relative to Earth's centre after a coast [s], by Runge-Kutta steps of at most 1 s. */
export function coasted({ relative_position, relative_velocity }: ShipState, span: number): Vec3 {
  let r = relative_position
  let w = relative_velocity
  const steps = Math.ceil(span)
  const h = span / steps
  for (let i = 0; i < steps; i++) {
    const a1 = gravity(r)
    const w2 = plus(w, a1, h / 2)
    const a2 = gravity(plus(r, w, h / 2))
    const w3 = plus(w, a2, h / 2)
    const a3 = gravity(plus(r, w2, h / 2))
    const w4 = plus(w, a3, h)
    const a4 = gravity(plus(r, w3, h))
    r = plus(plus(plus(plus(r, w, h / 6), w2, h / 3), w3, h / 3), w4, h / 6)
    w = plus(plus(plus(plus(w, a1, h / 6), a2, h / 3), a3, h / 3), a4, h / 6)
  }
  return r
}
