import { TAU } from '../math/circle.ts'

/** Last odd power of the arc tangent's series, for tangents below 0.2. */
const ARC_POWER = 23

/** Halvings that bring a right angle below an arc tangent of 0.2, and what undoes them. */
const HALVINGS = 3
const FOLD = 8

/** The angle of a plane vector from the first axis, above -π up to π, within 9e-16 [rad]. */
export function angleOf(x: number, y: number): number {
  const length = Math.sqrt(x * x + y * y)
  if (length === 0) return 0
  // The tangent of half the angle from the nearer end of the first axis: at most 1.
  let tangent = Math.abs(y) / (length + Math.abs(x))
  for (let i = 1; i < HALVINGS; i++) tangent /= 1 + Math.sqrt(1 + tangent * tangent)
  const square = tangent * tangent
  let series = 1 / ARC_POWER
  for (let k = ARC_POWER - 2; k > 0; k -= 2) series = 1 / k - square * series
  const near = FOLD * tangent * series
  const angle = x < 0 ? 0.5 * TAU - near : near
  return y < 0 ? -angle : angle
}
