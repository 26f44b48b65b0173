/** How far ahead a trajectory is of interest. */
import type { OrbitState } from './orbit-line.ts'
import { dot, length } from './vector.ts'

/** [h] */
const HOURS_MIN = 1
const HOURS_MAX = 384

/** Away from a body, the time in which the distance grows by so many times. */
const GROWTH = 8

/** Game hours of so many revolutions, or until a ship that leaves its body is far away. */
export function hoursOfInterest(
  { position, velocity, gm }: OrbitState,
  revolutions: number,
): number {
  const r = length(position)
  const square = dot(velocity, velocity)
  const semiMajor = 1 / (2 / r - square / gm)
  const seconds =
    semiMajor > 0
      ? revolutions * 2 * Math.PI * Math.sqrt((semiMajor * semiMajor * semiMajor) / gm)
      : (GROWTH * r) / Math.sqrt(square)
  return Math.min(Math.max(seconds / 3600, HOURS_MIN), HOURS_MAX)
}
