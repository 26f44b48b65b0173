import { dot } from '../math/triple.ts'

/**
 * out = velocity on the hyperbola through a place whose outgoing asymptote is a given velocity far
 * away.
 *
 * @param r       from the centre [m]
 * @param excess  velocity far away, not zero [m/s]
 * @returns false opposite to the asymptote, where there is none
 * @source Battin, An Introduction to the Mathematics and Methods of Astrodynamics, section 11.4
 */
export function departureVelocity(
  out: Float64Array,
  r: Float64Array,
  gm: number,
  excess: Float64Array,
): boolean {
  const distance = Math.sqrt(dot(r, 0, r, 0))
  const speed = Math.sqrt(dot(excess, 0, excess, 0))
  const scale = 1 + dot(r, 0, excess, 0) / (distance * speed)
  if (!(scale > SCALE_MIN)) return false
  const half = 0.5 * speed
  const middle = Math.sqrt(gm / (distance * scale) + half * half)
  for (let i = 0; i < 3; i++) {
    out[i] = ((middle + half) * excess[i]) / speed + ((middle - half) * r[i]) / distance
  }
  return true
}

/** Below it the way out leads through the centre. */
const SCALE_MIN = 1e-6
