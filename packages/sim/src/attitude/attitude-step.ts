import { BLOCK_QUANTA, CONTROL_QUANTA, QUANTA_PER_SECOND } from '../lattice.ts'
import type { StateVector } from '../math/state-vector.ts'
import type { ShipClass } from '../state/ship-class.ts'
import { LOCKED, TURNING } from './attitude-mode.ts'
import { type HullColumns, type Hulls, restAtEnd } from './hull.ts'
import {
  POSITION,
  VELOCITY,
  carryOn,
  coastingMoment,
  createMoment,
  poweredMoment,
} from './moment.ts'
import { followsTrajectory, noseDirection } from './pointing.ts'
import { createPointingFrame, pointingFrame } from './pointing-frame.ts'
import {
  blendQuaternions,
  copyQuaternion,
  normalizeQuaternion,
  rotate,
} from '../math/quaternion.ts'
import { driveWheels } from './reaction-wheel.ts'
import { bodyRate } from './rigid-body.ts'
import { isSpinning, spunAttitude } from './spin.ts'
import { areFinite, dot } from '../math/triple.ts'
import { planTurn } from './turning.ts'

/** Step of a hull that turns under control: 1/4 s. */
const TURNING_QUANTA = 16

/** Largest angle by which a free hull turns in one step [rad]. */
const FREE_ANGLE = 1 / 16

const moment = createMoment()
const frame = createPointingFrame()
const direction = new Float64Array(6)
const blend = new Float64Array(4)
const rate = new Float64Array(3)
const FORWARD = Float64Array.of(1, 0, 0)

/**
 * Longest step that a ship's attitude allows, in quanta: 64 s locked, 1/4 s turning, or burning
 * while it spins; free, the largest power of two in which the hull turns by at most 1/16 rad,
 * wherever it is on its way.
 *
 * The bound on the rate is taken from the energy of the turning, √(2E / least moment of
 * inertia): this is constant while a hull tumbles. A length that followed the rate itself would
 * change along the way, and then the energy drifts: by up to 2e-4 in a million seconds.
 */
export function attitudeQuanta(ships: HullColumns, slot: number, ship: ShipClass): number {
  const mode = ships.attitudeMode[slot]
  // The nose of a ship that spins and burns turns through its step.
  const turns = mode === TURNING || (ships.thrustLevel[slot] > 0 && isSpinning(ships, slot))
  if (turns) return TURNING_QUANTA
  if (mode === LOCKED) return BLOCK_QUANTA
  const { attitude, angularMomentum, wheelMomentum } = ships
  const { inertia } = ship
  bodyRate(rate, attitude, angularMomentum, wheelMomentum, slot, inertia)
  let energy2 = 0
  for (let axis = 0; axis < 3; axis++) energy2 += inertia[axis] * rate[axis] * rate[axis]
  const rate2 = energy2 / Math.min(inertia[0], inertia[1], inertia[2])
  let quanta = BLOCK_QUANTA
  while (quanta > CONTROL_QUANTA) {
    const seconds = quanta / QUANTA_PER_SECOND
    if (rate2 * seconds * seconds <= FREE_ANGLE * FREE_ANGLE) break
    quanta /= 2
  }
  return quanta
}

/**
 * Begins a hull's step: `endAttitude` and `endWheelMomentum` are those at its start, with half of
 * what the wheels do in it. A free hull then turns (see `turnFreely`), and `endTurn` is the rest;
 * a locked one waits for its step's end, see `settleAttitude`.
 *
 * @param quanta  length of the step; a number that is not a small integer would be boxed
 * @param aim  position (0-2) [m] and velocity (3-5) [m/s] of the sighted target relative to the
 *             ship at the step's start; zeros if none
 */
export function beginTurn(
  hulls: Hulls,
  ship: ShipClass,
  row: number,
  quanta: number,
  aim: Float64Array,
): void {
  restAtEnd(hulls, row)
  if (hulls.attitudeMode[row] !== TURNING) return
  if (followsTrajectory(hulls.pointing[row])) poweredMoment(moment, hulls, ship, row, aim)
  planTurn(hulls, ship, row, moment, quanta)
  driveWheels(hulls.endWheelMomentum, hulls.torque, row, ship, quanta)
}

/** Ends a step that `beginTurn` began, once the hull has turned. */
export function endTurn(hulls: Hulls, ship: ShipClass, row: number, quanta: number): void {
  const { attitudeMode, endAttitude, endWheelMomentum, torque } = hulls
  normalizeQuaternion(endAttitude, 4 * row)
  if (attitudeMode[row] === TURNING) driveWheels(endWheelMomentum, torque, row, ship, quanta)
  // Momenta near the end of the doubles' range: such a hull stays as it is.
  if (!areFinite(endAttitude, 4 * row, 4) || !areFinite(endWheelMomentum, 3 * row, 3)) {
    restAtEnd(hulls, row)
  }
}

/**
 * Unit vector of the thrust over a step, inertial axes: the nose at the step's middle. For a
 * locked pointing that is its direction there, carried on from the step's start under gravity
 * and the thrust along the nose at that time.
 *
 * Reads start columns and `endAttitude`.
 *
 * @param out  triple at index 0
 * @param aim  as for `beginTurn`
 */
export function thrustDirection(
  out: Float64Array,
  ships: Hulls,
  ship: ShipClass,
  slot: number,
  quanta: number,
  aim: Float64Array,
): void {
  if (ships.attitudeMode[slot] === LOCKED && followsTrajectory(ships.pointing[slot])) {
    poweredMoment(moment, ships, ship, slot, aim)
    carryOn(moment, 0.5 * quanta)
    if (noseDirection(direction, ships.pointing[slot], moment)) {
      const length = Math.sqrt(dot(direction, 0, direction, 0))
      for (let axis = 0; axis < 3; axis++) out[axis] = direction[axis] / length
      return
    }
  }
  if (isSpinning(ships, slot)) spunAttitude(blend, ships, ship, slot, 0.5 * quanta)
  else blendQuaternions(blend, ships.attitude, ships.endAttitude, 4 * slot, 0.5)
  rotate(out, blend, 0, FORWARD, 0)
}

const NO_AIM = new Float64Array(6)

/**
 * The attitude inside an open step, for views.
 *
 * @param out       w, x, y, z at index 0
 * @param fraction  of the step that has passed, 0 to 1
 * @param at        from the reference body, there
 * @param aim       as for `beginTurn`, there
 */
export function attitudeAt(
  out: Float64Array,
  ships: Hulls,
  slot: number,
  fraction: number,
  at: StateVector,
  aim: Float64Array = NO_AIM,
): void {
  if (ships.attitudeMode[slot] === LOCKED && followsTrajectory(ships.pointing[slot])) {
    coastingMoment(moment, ships, slot, aim)
    for (let axis = 0; axis < 3; axis++) {
      moment[POSITION + axis] = at.r[axis]
      moment[VELOCITY + axis] = at.v[axis]
    }
    pointingFrame(frame, ships, slot, moment)
    copyQuaternion(out, 0, frame.attitude, 0)
  } else blendQuaternions(out, ships.attitude, ships.endAttitude, 4 * slot, fraction)
}
