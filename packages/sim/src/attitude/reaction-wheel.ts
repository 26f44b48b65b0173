import type { ShipClass } from '../ships/ship-class.ts'

/**
 * Moves momentum between hull and wheels for `seconds`: a torque on the hull takes from the
 * wheels what it gives. Torque is scaled down as a whole when one wheel cannot give its part,
 * and a wheel that is full keeps exactly its capacity.
 *
 * @param wheels  wheel momentum, body axes, triple at 3·row, changed in place [N m s]
 * @param torque  wanted on the hull, body axes [N m]
 */
export function driveWheels(
  wheels: Float64Array,
  row: number,
  torque: Float64Array,
  ship: ShipClass,
  seconds: number,
): void {
  let scale = 1
  for (let axis = 0; axis < 3; axis++) {
    const wanted = Math.abs(torque[axis])
    if (wanted > ship.wheelTorque[axis]) {
      scale = Math.min(scale, ship.wheelTorque[axis] / wanted)
    }
  }
  for (let axis = 0; axis < 3; axis++) {
    const capacity = ship.wheelCapacity[axis]
    const momentum = wheels[3 * row + axis] - scale * torque[axis] * seconds
    wheels[3 * row + axis] = Math.max(-capacity, Math.min(capacity, momentum))
  }
}

/** |momentum| over capacity of one wheel, at most 1. */
export function wheelSaturation(
  wheels: Float64Array,
  row: number,
  axis: 0 | 1 | 2,
  ship: ShipClass,
): number {
  return Math.min(1, Math.abs(wheels[3 * row + axis]) / ship.wheelCapacity[axis])
}
