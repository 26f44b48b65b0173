import { QUANTA_PER_SECOND } from '../lattice.ts'
import { normalizeQuaternion, rotateBack } from '../math/quaternion.ts'

/**
 * Torque-free turning of a hull with wheels, by composing exact rotations about body axes.
 * The total angular momentum is kept along inertial axes, so it is conserved to the bit: no
 * formula below writes it.
 *
 * @source splitting: Touma & Wisdom, Lie-Poisson integrators for rigid body dynamics (1994);
 *         fourth order by Suzuki, Phys. Lett. A 146, 319 (1990)
 */

const AXES = [0, 1, 2, 1, 0] as const
const AXIS_FRACTIONS = [0.5, 0.5, 1, 0.5, 0.5] as const

const SUZUKI = 0.4144907717943757 // 1 / (4 - 4^(1/3))
const SUZUKI_FRACTIONS = [SUZUKI, SUZUKI, 1 - 4 * SUZUKI, SUZUKI, SUZUKI] as const

const bodyMomentum = new Float64Array(3)

// In memory, not an argument: a number handed to a function that is not inlined is boxed.
const half = new Float64Array(1)

/**
 * Turns the attitude over one step under constant wheel momentum.
 *
 * @param q         attitude, turned in place; w at index 4·row
 * @param momentum  total angular momentum, inertial axes, triple at 3·row [N m s]
 * @param wheels    wheel momentum, body axes, triple at 3·row [N m s]
 * @param inertia   principal moments [kg m²]
 * @param quanta    length of the step, need not be whole
 */
export function turnFreely(
  q: Float64Array,
  momentum: Float64Array,
  wheels: Float64Array,
  row: number,
  inertia: readonly [number, number, number],
  quanta: number,
): void {
  const seconds = quanta / QUANTA_PER_SECOND
  for (let part = 0; part < SUZUKI_FRACTIONS.length; part++) {
    const fraction = SUZUKI_FRACTIONS[part]
    for (let i = 0; i < AXES.length; i++) {
      const axis = AXES[i]
      rotateBack(bodyMomentum, q, 4 * row, momentum, 3 * row)
      const rate = (bodyMomentum[axis] - wheels[3 * row + axis]) / inertia[axis]
      half[0] = 0.5 * rate * fraction * AXIS_FRACTIONS[i] * seconds
      turnAbout(q, 4 * row, axis)
    }
  }
  normalizeQuaternion(q, 4 * row)
}

/**
 * Rate of the hull about its own axes: what the wheels do not hold of the momentum.
 *
 * @param out  rate, body axes [rad/s]
 */
export function bodyRate(
  out: Float64Array,
  q: Float64Array,
  momentum: Float64Array,
  wheels: Float64Array,
  row: number,
  inertia: readonly [number, number, number],
): void {
  rotateBack(out, q, 4 * row, momentum, 3 * row)
  for (let axis = 0; axis < 3; axis++) {
    out[axis] = (out[axis] - wheels[3 * row + axis]) / inertia[axis]
  }
}

/**
 * q ← q ⊗ (rotation about a body axis by twice `half`). The tangent is a polynomial, exact to
 * rounding for |half| ≤ 1/16; the result is a rotation for any error.
 */
function turnAbout(q: Float64Array, at: number, axis: 0 | 1 | 2): void {
  const h2 = half[0] * half[0]
  const far = 17 / 315 + h2 * (62 / 2835 + h2 * (1382 / 155_925))
  const tangent = half[0] * (1 + h2 * (1 / 3 + h2 * (2 / 15 + h2 * far)))
  const cosine = 1 / Math.sqrt(1 + tangent * tangent)
  const sine = tangent * cosine
  const w = q[at]
  const own = q[at + 1 + axis]
  const nextAt = at + 1 + ((axis + 1) % 3)
  const lastAt = at + 1 + ((axis + 2) % 3)
  const next = q[nextAt]
  const last = q[lastAt]
  q[at] = w * cosine - own * sine
  q[at + 1 + axis] = own * cosine + w * sine
  q[nextAt] = next * cosine + last * sine
  q[lastAt] = last * cosine - next * sine
}
