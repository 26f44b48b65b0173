import { cross, dot } from '../math/triple.ts'
import { alignedQuaternion } from '../math/quaternion.ts'

const up = new Float64Array(3)
const ahead = new Float64Array(3)
const across = new Float64Array(3)

/** Square of the sine below which a motion is along the vertical. */
const SINE2_MIN = 1e-12

/**
 * The attitude that keeps its -z axis on the body below and +x along the motion: what an orbiting
 * station holds. In a motion along the vertical, +x is any horizontal direction.
 *
 * @param out  w, x, y, z: body to inertial
 * @param r    position relative to the body below, not zero [m]
 * @param v    velocity relative to it [m/s]
 */
export function localVertical(out: Float64Array, r: Float64Array, v: Float64Array): void {
  const height = Math.sqrt(dot(r, 0, r, 0))
  for (let axis = 0; axis < 3; axis++) up[axis] = r[axis] / height
  const climb = dot(v, 0, up, 0)
  for (let axis = 0; axis < 3; axis++) ahead[axis] = v[axis] - climb * up[axis]
  let length2 = dot(ahead, 0, ahead, 0)
  if (!(length2 > SINE2_MIN * dot(v, 0, v, 0))) {
    // Across the axis that is furthest from the vertical of the first two.
    across.fill(0)
    across[up[0] * up[0] > up[1] * up[1] ? 1 : 0] = 1
    cross(ahead, 0, across, 0, up, 0)
    length2 = dot(ahead, 0, ahead, 0)
  }
  const length = Math.sqrt(length2)
  for (let axis = 0; axis < 3; axis++) ahead[axis] /= length
  alignedQuaternion(out, 0, ahead, up)
}
