import type { StateVector } from '../math/state-vector.ts'
import { areFinite, copyTriple, cross, dot } from '../math/triple.ts'
import type { BurnFrame } from '../state/burn-node.ts'

const axes = new Float64Array(9)

/**
 * out = a vector of some frame on inertial axes; false where the frame has no axes.
 *
 * @param vector  its components from `at` on
 * @param place   of the ship, from the body whose frame it is
 */
export function fromFrame(
  out: Float64Array,
  frame: BurnFrame,
  vector: Float64Array,
  at: number,
  { r, v }: StateVector,
): boolean {
  if (frame === 'inertial') {
    copyTriple(out, 0, vector, at)
    return true
  }
  if (frame === 'prograde') {
    copyTriple(axes, 0, v, 0)
    cross(axes, 3, r, 0, v, 0)
    cross(axes, 6, axes, 0, axes, 3)
  } else {
    copyTriple(axes, 0, r, 0)
    cross(axes, 6, r, 0, v, 0)
    cross(axes, 3, axes, 6, axes, 0)
  }
  out.fill(0)
  for (let axis = 0; axis < 3; axis++) {
    const share = vector[at + axis] / Math.sqrt(dot(axes, 3 * axis, axes, 3 * axis))
    for (let i = 0; i < 3; i++) out[i] += share * axes[3 * axis + i]
  }
  return areFinite(out, 0, 3)
}
