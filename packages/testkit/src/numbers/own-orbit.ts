import type { MassiveState, StarSystem } from '@orrery/sim'
import { floatingPoint, placeFromParent, speedFromParent } from './fixed-point.ts'

/** The orbit of a body about its parent at one moment. */
export interface OwnOrbit {
  /** half of μ over the body's own energy, the zonal field of the parent counted [m] */
  readonly a: number
  readonly e: number
  /** to the parent's equator, NaN when its pole is not known [rad] */
  readonly i: number
}

/**
 * Size, shape and tilt of a body's orbit about its parent, which the pull of all others changes
 * only periodically.
 */
export function ownOrbit(system: StarSystem, state: MassiveState, body: number): OwnOrbit {
  const { gm, parent } = system.bodies[body]
  const { gm: parentGm, oblateness } = system.bodies[parent]
  const mu = gm + parentGm
  const [x, y, z] = placeFromParent(system, state, body).map(floatingPoint)
  const [u, v, w] = speedFromParent(system, state, body).map(floatingPoint)
  const r = Math.hypot(x, y, z)
  const kepler = (u * u + v * v + w * w) / 2 - mu / r
  const spin = [y * w - z * v, z * u - x * w, x * v - y * u]
  const square = Math.hypot(...spin) ** 2
  const e = Math.sqrt(Math.max(0, 1 + (2 * kepler * square) / (mu * mu)))
  if (!oblateness) return { a: -mu / (2 * kepler), e, i: NaN }
  const { pole, referenceRadius, j2, j4 = 0 } = oblateness
  const q = ((x * pole[0] + y * pole[1] + z * pole[2]) / r) ** 2
  const ratio = (referenceRadius / r) ** 2
  const zonal = j2 * ratio * (1.5 * q - 0.5) + j4 * ratio * ratio * ((35 * q - 30) * q + 3) * 0.125
  const along = spin.reduce((sum, value, axis) => sum + value * pole[axis], 0)
  const i = Math.acos(along / Math.sqrt(square))
  return { a: -mu / (2 * (kepler + (mu / r) * zonal)), e, i }
}
