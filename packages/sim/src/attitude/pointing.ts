import type { ShipClass } from '../ships/ship-class.ts'
import { copyQuaternion, rotateBack } from './quaternion.ts'
import { driveWheels } from './reaction-wheel.ts'
import { bodyRate, turnFreely } from './rigid-body.ts'

/** Natural frequency of the pointing law [rad/s]: a quarter second is a tenth of its radian. */
const FREQUENCY = 0.4

/** Share of the wheels' whole rate and torque that the approach plans with. */
const RATE_SHARE = 0.9
const BRAKE_SHARE = 0.8

/** Below both, a turn has arrived: half-angle [rad], rate [rad/s]. */
const ARRIVED_ANGLE = 1e-5
const ARRIVED_RATE = 1e-5

const error = new Float64Array(3)
const rate = new Float64Array(3)
const torque = new Float64Array(3)
const carried = new Float64Array(3)

/**
 * One closed-loop step towards a target attitude: a rate proportional to the error near it,
 * limited by what the wheels can brake and hold, and a torque that follows this rate.
 *
 * @param q         attitude, w at 4·row, turned in place
 * @param momentum  total angular momentum, inertial axes, untouched
 * @param wheels    wheel momentum, body axes, changed in place
 * @param target    wanted attitude, w at 4·row
 */
export function turnTowards(
  q: Float64Array,
  momentum: Float64Array,
  wheels: Float64Array,
  target: Float64Array,
  row: number,
  ship: ShipClass,
  seconds: number,
): void {
  attitudeError(q, target, row)
  bodyRate(rate, q, momentum, wheels, row, ship.inertia)
  let brake = Infinity
  let rateMax = Infinity
  for (let axis = 0; axis < 3; axis++) {
    brake = Math.min(brake, ship.wheelTorque[axis] / ship.inertia[axis])
    rateMax = Math.min(rateMax, ship.wheelCapacity[axis] / ship.inertia[axis])
  }
  const half = Math.sqrt(error[0] * error[0] + error[1] * error[1] + error[2] * error[2])
  const approach = Math.min(
    FREQUENCY * half,
    Math.sqrt(2 * BRAKE_SHARE * brake * 2 * half),
    RATE_SHARE * rateMax,
  )
  for (let axis = 0; axis < 3; axis++) {
    const wanted = half > 0 ? (-approach * error[axis]) / half : 0
    torque[axis] = 2 * FREQUENCY * ship.inertia[axis] * (wanted - rate[axis])
  }
  driveWheels(wheels, row, torque, ship, 0.5 * seconds)
  turnFreely(q, momentum, wheels, row, ship.inertia, seconds)
  driveWheels(wheels, row, torque, ship, 0.5 * seconds)
}

/**
 * Stops a turn that has arrived: the attitude becomes the target and the wheels take up all
 * momentum, so that the hull rests. Returns false, changing nothing, while it is still on its
 * way or the wheels could not hold it.
 */
export function settle(
  q: Float64Array,
  momentum: Float64Array,
  wheels: Float64Array,
  target: Float64Array,
  row: number,
  ship: ShipClass,
): boolean {
  attitudeError(q, target, row)
  bodyRate(rate, q, momentum, wheels, row, ship.inertia)
  rotateBack(carried, 0, target, 4 * row, momentum, 3 * row)
  for (let axis = 0; axis < 3; axis++) {
    if (Math.abs(error[axis]) > ARRIVED_ANGLE || Math.abs(rate[axis]) > ARRIVED_RATE) return false
    if (Math.abs(carried[axis]) > ship.wheelCapacity[axis]) return false
  }
  copyQuaternion(q, 4 * row, target, 4 * row)
  wheels.set(carried, 3 * row)
  return true
}

/** Vector part of target⁻¹ ⊗ q, on the shorter way round: half the angle, in body axes. */
function attitudeError(q: Float64Array, target: Float64Array, row: number): void {
  const w = q[4 * row]
  const x = q[4 * row + 1]
  const y = q[4 * row + 2]
  const z = q[4 * row + 3]
  const tw = target[4 * row]
  const tx = target[4 * row + 1]
  const ty = target[4 * row + 2]
  const tz = target[4 * row + 3]
  const sign = tw * w + tx * x + ty * y + tz * z < 0 ? -1 : 1
  error[0] = sign * (tw * x - tx * w - ty * z + tz * y)
  error[1] = sign * (tw * y + tx * z - ty * w - tz * x)
  error[2] = sign * (tw * z - tx * y + ty * x - tz * w)
}
