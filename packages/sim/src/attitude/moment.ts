import { QUANTA_PER_SECOND } from '../lattice.ts'
import type { ShipClass } from '../state/ship-class.ts'
import type { HullColumns } from './hull.ts'
import { rotate } from '../math/quaternion.ts'

/**
 * A moment of a ship's flight: what pointing frames are made of. Triples in a row: position,
 * velocity and acceleration from the reference body, then the same of the sighted target from
 * the ship.
 */
export type Moment = Float64Array

export const POSITION = 0
export const VELOCITY = 3
export const ACCELERATION = 6
export const AIM = 9
const AIM_ACCELERATION = 15

export function createMoment(): Moment {
  return new Float64Array(18)
}

/**
 * The moment at which a ship's start columns stand, under gravity alone.
 *
 * @param aim  position (0-2) [m] and velocity (3-5) [m/s] of the target relative to the ship;
 *             zeros if none
 */
export function coastingMoment(
  out: Moment,
  ships: HullColumns,
  slot: number,
  aim: Float64Array,
): void {
  for (let axis = 0; axis < 3; axis++) {
    out[POSITION + axis] = ships.position[3 * slot + axis]
    out[VELOCITY + axis] = ships.velocity[3 * slot + axis]
    out[ACCELERATION + axis] = ships.gravity[3 * slot + axis]
    out[AIM_ACCELERATION + axis] = 0
  }
  for (let i = 0; i < 6; i++) out[AIM + i] = aim[i]
}

const thrust = new Float64Array(3)

/** The same, with the thrust that is commanded along the present nose. */
export function poweredMoment(
  out: Moment,
  ships: HullColumns,
  ship: ShipClass,
  slot: number,
  aim: Float64Array,
): void {
  coastingMoment(out, ships, slot, aim)
  const level = ships.fuel[slot] > 0 ? ships.thrustLevel[slot] : 0
  if (level <= 0) return
  thrust.fill(0)
  thrust[0] = (ship.thrustMax * level) / (ship.dryMass + ships.fuel[slot])
  rotate(thrust, ships.attitude, 4 * slot, thrust, 0)
  // Without a target nothing is left behind.
  const isAimed = aim[0] !== 0 || aim[1] !== 0 || aim[2] !== 0
  for (let axis = 0; axis < 3; axis++) {
    out[ACCELERATION + axis] += thrust[axis]
    if (isAimed) out[AIM_ACCELERATION + axis] = -thrust[axis]
  }
}

/** Carries a moment on by so many quanta, need not be whole, under its accelerations. */
export function carryOn(moment: Moment, quanta: number): void {
  const h = quanta / QUANTA_PER_SECOND
  for (let part = POSITION; part <= AIM; part += AIM - POSITION) {
    for (let i = part; i < part + 3; i++) {
      const gain = h * moment[i + ACCELERATION]
      moment[i] += h * (moment[i + VELOCITY] + 0.5 * gain)
      moment[i + VELOCITY] += gain
    }
  }
}
