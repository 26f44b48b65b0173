import { QUANTA_PER_SECOND } from '../lattice.ts'
import type { ShipClass } from '../state/ship-class.ts'
import type { Hulls } from './hull.ts'
import { type Moment, carryOn } from './moment.ts'
import { followsTrajectory } from './pointing.ts'
import { createPointingFrame, pointingFrame } from './pointing-frame.ts'
import { rotateBack, turnBetween } from '../math/quaternion.ts'
import { canUnload } from './reaction-wheel.ts'
import { bodyRate } from './rigid-body.ts'
import { cross, dot } from '../math/triple.ts'

/** Rate per angle near the end of a turn [1/s]: a quarter second takes a quarter of the way. */
const APPROACH = 1

/** Shares of the wheels' torque and capacity that a turn is planned with. */
const BRAKE_SHARE = 0.7
const RATE_SHARE = 0.75

/**
 * Least rate of a turn when wheels are nearly full, as a share of the wheels' whole rate: when
 * thrusters unload them, and when not.
 */
const AIDED_SHARE = 0.4
const UNAIDED_SHARE = 0.1

const frame = createPointingFrame()
const nextFrame = createPointingFrame()
const off = new Float64Array(4)
const rate = new Float64Array(3)
const wanted = new Float64Array(3)
const middle = new Float64Array(3)
const carried = new Float64Array(3)
const gyroscopic = new Float64Array(3)

// In memory: a number handed to or from a function that is not inlined is boxed.
const half = new Float64Array(1)
const speed = new Float64Array(1)

/**
 * Writes the torque of one closed-loop step of a hull towards its pointing frame: its rate at the
 * step's end is the frame's rate then plus a rate along the shortest way. This rate is
 * proportional to the angle near the frame and limited by what the wheels can brake and hold.
 *
 * @param moment  of the ship's flight at the step's start; carried on to its end. Only read for a
 *                pointing that follows the trajectory
 * @param quanta  length of the step
 */
export function planTurn(
  ships: Hulls,
  ship: ShipClass,
  slot: number,
  moment: Moment,
  quanta: number,
): void {
  const { attitude, angularMomentum, wheelMomentum, torque } = ships
  const { inertia } = ship
  pointingFrame(frame, ships, slot, moment)
  if (followsTrajectory(ships.pointing[slot])) carryOn(moment, quanta)
  pointingFrame(nextFrame, ships, slot, moment)
  turnBetween(off, frame.attitude, 0, attitude, 4 * slot)
  rotateBack(wanted, off, 0, nextFrame.rate, 0)
  bodyRate(rate, attitude, angularMomentum, wheelMomentum, slot, inertia)
  rotateBack(carried, attitude, 4 * slot, angularMomentum, 3 * slot)
  half[0] = Math.sqrt(dot(off, 1, off, 1))
  if (half[0] > 0) {
    speed[0] = Infinity
    limitByBrakes(ship)
    limitByRoom(ship, canUnload(ships, slot) ? AIDED_SHARE : UNAIDED_SHARE)
    for (let axis = 0; axis < 3; axis++) wanted[axis] -= (speed[0] * off[1 + axis]) / half[0]
  }
  for (let axis = 0; axis < 3; axis++) middle[axis] = 0.5 * (rate[axis] + wanted[axis])
  cross(gyroscopic, 0, middle, 0, carried, 0)
  for (let axis = 0; axis < 3; axis++) {
    const gain = inertia[axis] * (wanted[axis] - rate[axis])
    torque[3 * slot + axis] = gain / (quanta / QUANTA_PER_SECOND) + gyroscopic[axis]
  }
}

/** Limits `speed` to what the wheels can brake from, `half` the angle away from the frame. */
function limitByBrakes(ship: ShipClass): void {
  let brake = Infinity
  for (let axis = 0; axis < 3; axis++) {
    brake = Math.min(brake, (BRAKE_SHARE * ship.wheelTorque[axis]) / ship.inertia[axis])
  }
  const angle = 2 * half[0]
  // The parabola of constant braking, moved to touch the straight line near the end.
  const near = brake / (APPROACH * APPROACH)
  const braked = angle < near ? APPROACH * angle : Math.sqrt(2 * brake * (angle - 0.5 * near))
  speed[0] = Math.min(speed[0], braked)
}

/**
 * Limits `speed` so that the wheels keep capacity: the momentum that they will hold once the
 * hull moves with its frame counts.
 *
 * @param slowest  least share of the wheels' whole rate
 */
function limitByRoom(ship: ShipClass, slowest: number): void {
  let room = Infinity
  let rateMax = Infinity
  for (let axis = 0; axis < 3; axis++) {
    const capacity = ship.wheelCapacity[axis]
    const direction = -off[1 + axis] / half[0]
    const load = carried[axis] - ship.inertia[axis] * wanted[axis]
    const free = RATE_SHARE * capacity + (direction < 0 ? -load : load)
    room = Math.min(room, free / (ship.inertia[axis] * Math.abs(direction)))
    rateMax = Math.min(rateMax, capacity / ship.inertia[axis])
  }
  speed[0] = Math.min(speed[0], Math.max(room, slowest * rateMax))
}
