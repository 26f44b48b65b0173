import { QUANTA_PER_SECOND } from '../lattice.ts'
import { copyQuaternion, multiplyQuaternions, normalizeQuaternion } from '../math/quaternion.ts'
import { areFinite, dot } from '../math/triple.ts'
import { stumpff } from '../orbits/stumpff.ts'
import type { ShipClass } from '../state/ship-class.ts'
import { LOCKED } from './attitude-mode.ts'
import type { HullColumns } from './hull.ts'
import { SPIN } from './pointing.ts'
import { bodyRate } from './rigid-body.ts'

/**
 * Whether a hull turns at a steady rate about its own axes: locked on it, so that its attitude is a
 * function of time and the wheels take what the rate asks of the momentum.
 */
export function isSpinning({ attitudeMode, pointing }: HullColumns, slot: number): boolean {
  return attitudeMode[slot] === LOCKED && pointing[slot] === SPIN
}

const rate = new Float64Array(3)
const turn = new Float64Array(4)
const functions = new Float64Array(4)

/**
 * The attitude of a spinning hull after so long.
 *
 * @param out     w, x, y, z at index 0
 * @param quanta  since its start columns, need not be whole
 */
export function spunAttitude(
  out: Float64Array,
  ships: HullColumns,
  ship: ShipClass,
  slot: number,
  quanta: number,
): void {
  const { attitude, angularMomentum, wheelMomentum } = ships
  bodyRate(rate, attitude, angularMomentum, wheelMomentum, slot, ship.inertia)
  const half = (0.5 * quanta) / QUANTA_PER_SECOND
  stumpff(functions, dot(rate, 0, rate, 0) * half * half)
  turn[0] = functions[0]
  for (let axis = 0; axis < 3; axis++) turn[1 + axis] = functions[1] * half * rate[axis]
  multiplyQuaternions(out, attitude, 4 * slot, turn)
  // A momentum near the end of the doubles' range.
  if (!areFinite(out, 0, 4)) copyQuaternion(out, 0, attitude, 4 * slot)
  normalizeQuaternion(out, 0)
}
