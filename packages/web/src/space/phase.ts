/** How much of a body is lit, as seen from a place. */
import { dot, length, type Vector } from '@orrery/page-kit'

/**
 * The angle [rad] at a body between its star and who looks at it.
 *
 * @param star  from the body
 * @param viewer  from the body
 */
export function phaseAngle(star: Vector, viewer: Vector): number {
  const cosine = dot(star, viewer) / (length(star) * length(viewer))
  return Math.acos(Math.min(Math.max(cosine, -1), 1))
}

/** The lit part of a body's disc, from 0 (new) to 1 (full). */
export function fractionLit(star: Vector, viewer: Vector): number {
  return (1 + Math.cos(phaseAngle(star, viewer))) / 2
}

/**
 * How bright a diffuse sphere is, compared with the same seen full.
 *
 * @source Lambert's phase function, Seager, Exoplanet Atmospheres (2010), 3.4.4
 */
export function lambertPhase(angle: number): number {
  return (Math.sin(angle) + (Math.PI - angle) * Math.cos(angle)) / Math.PI
}
