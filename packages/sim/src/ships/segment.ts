import { QUANTA_PER_SECOND } from '../lattice.ts'
import type { ShipColumns } from '../state/state.ts'
import type { ShipClass } from './ship-class.ts'

/**
 * A ship's trajectory over its open step: the quintic through position, velocity and
 * acceleration at both ends. It agrees with the integration to a millimetre.
 *
 * @param outR    position relative to the ship's reference body, triple at index 0 [m]
 * @param outV    velocity, likewise [m/s]
 * @param n       lattice index within the open step
 * @param offset  quanta after n, need not be whole
 */
export function segmentState(
  outR: Float64Array,
  outV: Float64Array,
  ships: ShipColumns,
  slot: number,
  ship: ShipClass,
  n: number,
  offset: number,
): void {
  const start = ships.stepStart[slot]
  const quanta = ships.stepEnd[slot] - start
  const h = quanta / QUANTA_PER_SECOND
  const s = (n - start + offset) / quanta
  const s2 = s * s
  const s3 = s2 * s
  const rise = s3 * (10 + s * (6 * s - 15))
  const v0 = s * (1 + s2 * (s * (8 - 3 * s) - 6))
  const v1 = s3 * (s * (7 - 3 * s) - 4)
  const a0 = 0.5 * s2 * (1 + s * (s * (3 - s) - 3))
  const a1 = 0.5 * s3 * (1 + s * (s - 2))
  const riseRate = 30 * s2 * (1 + s * (s - 2))
  const v0Rate = 1 + s2 * (s * (32 - 15 * s) - 18)
  const v1Rate = s2 * (s * (28 - 15 * s) - 12)
  const a0Rate = s * (1 + s * (s * (6 - 2.5 * s) - 4.5))
  const a1Rate = s2 * (1.5 + s * (2.5 * s - 4))
  const startMass = ship.dryMass + ships.fuel[slot]
  const endMass = ship.dryMass + ships.endFuel[slot]
  for (let axis = 0; axis < 3; axis++) {
    const i = 3 * slot + axis
    const gain = ships.endPosition[i] - ships.position[i]
    const startV = ships.velocity[i]
    const endV = ships.endVelocity[i]
    const startA = ships.gravity[i] + ships.force[i] / startMass
    const endA = ships.endGravity[i] + ships.force[i] / endMass
    const curve = h * (startA * a0 + endA * a1)
    outR[axis] = ships.position[i] + (gain * rise + h * (startV * v0 + endV * v1 + curve))
    const curveRate = h * (startA * a0Rate + endA * a1Rate)
    outV[axis] = (gain * riseRate) / h + startV * v0Rate + endV * v1Rate + curveRate
  }
}

/** Fraction of the open step that has passed at index n + offset. */
export function segmentFraction(
  ships: ShipColumns,
  slot: number,
  n: number,
  offset: number,
): number {
  const start = ships.stepStart[slot]
  return (n - start + offset) / (ships.stepEnd[slot] - start)
}
