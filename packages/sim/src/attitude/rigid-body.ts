import { QUANTA_PER_SECOND } from '../lattice.ts'
import { rotateBack } from '../math/quaternion.ts'

/**
 * Torque-free turning of a hull with wheels, by composing exact rotations about body axes.
 * The total angular momentum is kept along inertial axes, so it is conserved to the bit: no
 * formula below writes it. Where two parts meet, their rotations about one axis are made as one.
 *
 * @source splitting: Touma & Wisdom, Lie-Poisson integrators for rigid body dynamics (1994);
 *         fourth order by Suzuki, Phys. Lett. A 146, 319 (1990)
 */

const SUZUKI = 0.4144907717943757 // 1 / (4 - 4^(1/3))
const SUZUKI_FRACTIONS = [SUZUKI, SUZUKI, 1 - 4 * SUZUKI, SUZUKI, SUZUKI] as const

/** Hulls in planes of one value per row, `stride` apart. */
export interface FreeHulls {
  /** w, x, y, z */
  readonly attitude: Float64Array
  /** total angular momentum, inertial axes [N m s] */
  readonly momentum: Float64Array
  /** wheel momentum, body axes [N m s] */
  readonly wheels: Float64Array
  readonly stride: number
}

// In memory, not an argument: a number handed to a function that is not inlined is boxed.
const share = new Float64Array(1)

/**
 * Turns an attitude over one step under constant wheel momentum; its length is kept to rounding.
 *
 * @param inertia  principal moments [kg m²]
 * @param quanta   length of the step, need not be whole
 */
export function turnFreely(
  hulls: FreeHulls,
  row: number,
  inertia: readonly [number, number, number],
  quanta: number,
): void {
  const seconds = quanta / QUANTA_PER_SECOND
  let before = 0
  for (const fraction of SUZUKI_FRACTIONS) {
    share[0] = (0.25 * (before + fraction) * seconds) / inertia[0]
    turnAbout(hulls, row, 0)
    share[0] = (0.25 * fraction * seconds) / inertia[1]
    turnAbout(hulls, row, 1)
    share[0] = (0.5 * fraction * seconds) / inertia[2]
    turnAbout(hulls, row, 2)
    share[0] = (0.25 * fraction * seconds) / inertia[1]
    turnAbout(hulls, row, 1)
    before = fraction
  }
  share[0] = (0.25 * before * seconds) / inertia[0]
  turnAbout(hulls, row, 0)
}

/**
 * Turns a hull about one of its axes, by half of which angle the hull's own momentum times `share`
 * is. The tangent is a polynomial, exact to rounding for half an angle up to 1/16; the result is a
 * rotation for any error.
 */
function turnAbout(
  { attitude, momentum, wheels, stride }: FreeHulls,
  row: number,
  axis: 0 | 1 | 2,
): void {
  const a = row + axis * stride
  const b = row + ((axis + 1) % 3) * stride
  const c = row + ((axis + 2) % 3) * stride
  const w = attitude[row]
  const own = attitude[a + stride]
  const next = attitude[b + stride]
  const last = attitude[c + stride]
  // The axis' component of the momentum in body axes, as `rotateBack` has it.
  const ownTwist = 2 * (last * momentum[b] - next * momentum[c])
  const nextTwist = 2 * (own * momentum[c] - last * momentum[a])
  const lastTwist = 2 * (next * momentum[a] - own * momentum[b])
  const turned = momentum[a] + w * ownTwist + (last * nextTwist - next * lastTwist)
  const half = (turned - wheels[a]) * share[0]
  const h2 = half * half
  const far = 17 / 315 + h2 * (62 / 2835 + h2 * (1382 / 155_925))
  const tangent = half * (1 + h2 * (1 / 3 + h2 * (2 / 15 + h2 * far)))
  const cosine = 1 / Math.sqrt(1 + tangent * tangent)
  const sine = tangent * cosine
  attitude[row] = w * cosine - own * sine
  attitude[a + stride] = own * cosine + w * sine
  attitude[b + stride] = next * cosine + last * sine
  attitude[c + stride] = last * cosine - next * sine
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
