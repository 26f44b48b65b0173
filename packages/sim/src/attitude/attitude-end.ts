import { QUANTA_PER_SECOND } from '../lattice.ts'
import type { ShipClass } from '../state/ship-class.ts'
import { FREE, LOCKED, TURNING } from './attitude-mode.ts'
import type { Hulls } from './hull.ts'
import { createMoment, poweredMoment } from './moment.ts'
import { followsTrajectory, turnsLocked } from './pointing.ts'
import { createPointingFrame, pointingFrame } from './pointing-frame.ts'
import { copyQuaternion, normalizeQuaternion, rotateBack, turnBetween } from '../math/quaternion.ts'
import {
  areWheelsCalm,
  areWheelsFull,
  canUnload,
  clipWheels,
  unloadWheels,
} from './reaction-wheel.ts'
import { type FreeHulls, bodyRate, turnFreely } from './rigid-body.ts'
import { isSpinning, spunAttitude } from './spin.ts'
import { areFinite, dot } from '../math/triple.ts'

/** Within both, a turn has arrived: sine of half the angle, rate [rad/s]. */
const ARRIVED_ANGLE = 1e-5
const ARRIVED_RATE = 1e-5

/** A frame that jumps by more than this within a step is not followed [rad]. */
const JUMP_MAX = 0.01

const moment = createMoment()
const frame = createPointingFrame()
const off = new Float64Array(4)
const rate = new Float64Array(3)
const frameRate = new Float64Array(3)
const carried = new Float64Array(3)
const NO_AIM = new Float64Array(6)

/**
 * Settles a ship's attitude at the end of a step, which its start columns hold already. Returns
 * the mode from now on.
 *
 * A turn that has arrived is locked; a locked pointing takes the attitude and rate of its frame,
 * and the wheels the difference of momentum, and so does a hull that spins. A frame that the wheels
 * could not have followed through the step is turned to instead. Wheels above 0.8 of their capacity
 * are unloaded. A hull that its wheels cannot hold even so is let go, and so is one that turns with
 * a full wheel that nothing unloads.
 *
 * Writes `attitude`, `wheelMomentum`, `angularMomentum` (by unloading alone) and `fuel`.
 *
 * @param quanta  length of the step
 * @param aim     position (0-2) [m] and velocity (3-5) [m/s] of the sighted target relative to the
 *                ship at the step's end; zeros if none, null before the first sighting, when no
 *                turn arrives
 */
export function settleAttitude(
  ships: Hulls,
  ship: ShipClass,
  slot: number,
  quanta: number,
  aim: Float64Array | null,
): number {
  let mode = ships.attitudeMode[slot]
  if (mode === FREE) return FREE
  if (mode === LOCKED && !turnsLocked(ships.pointing[slot]) && areWheelsCalm(ships, ship, slot)) {
    return LOCKED
  }
  if (isSpinning(ships, slot)) {
    spin(ships, ship, slot, quanta)
    mode = takeFrame(ships, ship, slot) ? LOCKED : FREE
  } else if (mode === TURNING || followsTrajectory(ships.pointing[slot])) {
    compareWithFrame(ships, ship, slot, aim ?? NO_AIM)
    if (mode === TURNING ? aim !== null && hasArrived() : canFollow(ship, quanta)) {
      mode = takeFrame(ships, ship, slot) ? LOCKED : FREE
    } else if (mode === LOCKED) {
      turnOn(ships, ship, slot, quanta)
      mode = TURNING
    }
  }
  unloadWheels(ships, ship, slot)
  const overloaded = clipWheels(ships.wheelMomentum, slot, ship)
  if (mode === LOCKED && overloaded) return FREE
  const stuck = !canUnload(ships, slot) && areWheelsFull(ships.wheelMomentum, slot, ship)
  return mode === TURNING && stuck ? FREE : mode
}

/**
 * The angle between a hull and its pointing's frame, and its rate; the direction to a target that
 * is not sighted is taken to be the present one.
 *
 * @param aim      as for `settleAttitude`
 * @param offOut   at `row`: sine of half the angle
 * @param rateOut  triple at 3·row: body axes [rad/s]
 */
export function turnAhead(
  offOut: Float64Array,
  rateOut: Float64Array,
  row: number,
  ships: Hulls,
  ship: ShipClass,
  aim: Float64Array,
): void {
  compareWithFrame(ships, ship, 0, aim)
  offOut[row] = Math.sqrt(dot(off, 1, off, 1))
  for (let axis = 0; axis < 3; axis++) rateOut[3 * row + axis] = rate[axis]
}

/** Fills `frame`, the hull's turn `off` it, and both rates in body axes. */
function compareWithFrame(ships: Hulls, ship: ShipClass, slot: number, aim: Float64Array): void {
  const { attitude, angularMomentum, wheelMomentum } = ships
  if (followsTrajectory(ships.pointing[slot])) poweredMoment(moment, ships, ship, slot, aim)
  pointingFrame(frame, ships, slot, moment)
  turnBetween(off, frame.attitude, 0, attitude, 4 * slot)
  rotateBack(frameRate, off, 0, frame.rate, 0)
  bodyRate(rate, attitude, angularMomentum, wheelMomentum, slot, ship.inertia)
}

function hasArrived(): boolean {
  for (let axis = 0; axis < 3; axis++) {
    if (!(Math.abs(off[1 + axis]) <= ARRIVED_ANGLE)) return false
    if (!(Math.abs(rate[axis] - frameRate[axis]) <= ARRIVED_RATE)) return false
  }
  return true
}

/**
 * Whether the wheels' torque could have brought the hull from the attitude and rate at the
 * step's start to the frame's at its end.
 */
function canFollow(ship: ShipClass, quanta: number): boolean {
  const seconds = quanta / QUANTA_PER_SECOND
  for (let axis = 0; axis < 3; axis++) {
    const gain = (ship.wheelTorque[axis] / ship.inertia[axis]) * seconds
    if (!(Math.abs(frameRate[axis] - rate[axis]) <= gain + ARRIVED_RATE)) return false
    // Full torque one way and then the other moves a hull this far from even acceleration.
    const reach = Math.min(JUMP_MAX, 0.25 * gain * seconds)
    const jump = 2 * off[1 + axis] + 0.5 * (rate[axis] + frameRate[axis]) * seconds
    if (!(Math.abs(jump) <= reach + ARRIVED_ANGLE)) return false
  }
  return true
}

const free: FreeHulls = {
  attitude: new Float64Array(4),
  momentum: new Float64Array(3),
  wheels: new Float64Array(3),
  stride: 1,
}

/** Turns a hull that was locked through the step by the rate it had. */
function turnOn(ships: Hulls, ship: ShipClass, slot: number, quanta: number): void {
  copyQuaternion(free.attitude, 0, ships.attitude, 4 * slot)
  for (let axis = 0; axis < 3; axis++) {
    free.momentum[axis] = ships.angularMomentum[3 * slot + axis]
    free.wheels[axis] = ships.wheelMomentum[3 * slot + axis]
  }
  turnFreely(free, 0, ship.inertia, quanta)
  normalizeQuaternion(free.attitude, 0)
  if (areFinite(free.attitude, 0, 4)) copyQuaternion(ships.attitude, 4 * slot, free.attitude, 0)
}

/** Fills `frame` with where a spinning hull is at the step's end, at the rate that it has. */
function spin(ships: Hulls, ship: ShipClass, slot: number, quanta: number): void {
  const { attitude, angularMomentum, wheelMomentum } = ships
  spunAttitude(frame.attitude, ships, ship, slot, quanta)
  bodyRate(frame.rate, attitude, angularMomentum, wheelMomentum, slot, ship.inertia)
}

/** Gives the hull attitude and rate of `frame`, and the wheels the rest; false if it cannot. */
function takeFrame(ships: Hulls, ship: ShipClass, slot: number): boolean {
  rotateBack(carried, frame.attitude, 0, ships.angularMomentum, 3 * slot)
  for (let axis = 0; axis < 3; axis++) carried[axis] -= ship.inertia[axis] * frame.rate[axis]
  // Momenta near the end of the doubles' range.
  if (!areFinite(carried, 0, 3)) return false
  copyQuaternion(ships.attitude, 4 * slot, frame.attitude, 0)
  for (let axis = 0; axis < 3; axis++) ships.wheelMomentum[3 * slot + axis] = carried[axis]
  return true
}
