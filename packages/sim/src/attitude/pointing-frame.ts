import type { Hulls } from './hull.ts'
import { type Moment, POSITION, VELOCITY } from './moment.ts'
import { HOLD, SPIN, followsTrajectory, noseDirection } from './pointing.ts'
import {
  alignedQuaternion,
  alongQuaternion,
  copyQuaternion,
  normalizeQuaternion,
  rotate,
} from '../math/quaternion.ts'
import { copyTriple, cross, dot } from '../math/triple.ts'

/** The attitude a hull is turned to at one moment, and how fast that turns by itself. */
export interface PointingFrame {
  /** w, x, y, z */
  readonly attitude: Float64Array
  /** angular velocity along the frame's own axes [rad/s] */
  readonly rate: Float64Array
}

export function createPointingFrame(): PointingFrame {
  return { attitude: new Float64Array(4), rate: new Float64Array(3) }
}

/** Square of the sine of the least angle between the nose and what +z is taken from. */
const SINE2_MIN = 1 / 1024

// Unit vectors of the frame and their rates; candidates for +z.
const ahead = new Float64Array(6)
const left = new Float64Array(3)
const up = new Float64Array(6)
const held = new Float64Array(4)
const present = new Float64Array(6)

const BODY_Z = Float64Array.of(0, 0, 1)
const BODY_X = Float64Array.of(1, 0, 0)

/**
 * The frame a ship's pointing requires: nose (+x) along the direction, +z as near as possible to
 * the outward vertical. Within 1.8° of the vertical +z is taken from the velocity instead, or
 * else from where the hull's +z is, then its +x. Where there is no direction to point in, and
 * for a pointing that has none, the frame is the present attitude, at rest or at the rate that is
 * commanded in the place of an attitude.
 *
 * @param moment  of the ship's flight, see `Moment`; not read where the pointing does not follow it
 */
export function pointingFrame(
  out: PointingFrame,
  ships: Hulls,
  slot: number,
  moment: Moment,
): void {
  const { attitude, rate } = out
  const { targetAttitude, pointing } = ships
  rate.fill(0)
  if (followsTrajectory(pointing[slot]) && noseDirection(ahead, pointing[slot], moment)) {
    normalizeWithRate(ahead)
    findUp(ships, slot, moment)
    alignedQuaternion(attitude, 0, ahead, up)
    if (alongQuaternion(attitude, 0, ships.attitude, 4 * slot) < 0) {
      for (let i = 0; i < 4; i++) attitude[i] = -attitude[i]
    }
    cross(left, 0, up, 0, ahead, 0)
    rate[0] = -dot(left, 0, up, 3)
    rate[1] = -dot(up, 0, ahead, 3)
    rate[2] = dot(left, 0, ahead, 3)
    return
  }
  if (pointing[slot] === SPIN) copyTriple(rate, 0, targetAttitude, 4 * slot)
  copyQuaternion(attitude, 0, pointing[slot] === HOLD ? targetAttitude : ships.attitude, 4 * slot)
  normalizeQuaternion(attitude, 0)
}

/** Fills `up`, a unit vector at a right angle to `ahead`, and its rate. */
function findUp(ships: Hulls, slot: number, moment: Moment): void {
  if (rejectWithRate(moment, POSITION)) return
  if (rejectWithRate(moment, VELOCITY)) return
  copyQuaternion(held, 0, ships.attitude, 4 * slot)
  normalizeQuaternion(held, 0)
  rotate(present, held, 0, BODY_Z, 0)
  if (rejectWithRate(present, 0)) return
  rotate(present, held, 0, BODY_X, 0)
  rejectWithRate(present, 0)
}

/**
 * Makes `up` from the part of a vector that is at a right angle to `ahead`, and its rate from
 * the vector's. Returns false when the two are too near to parallel.
 */
function rejectWithRate(from: Float64Array, at: number): boolean {
  const along = dot(from, at, ahead, 0)
  const alongRate = dot(from, at + 3, ahead, 0) + dot(from, at, ahead, 3)
  for (let i = 0; i < 3; i++) {
    up[i] = from[at + i] - along * ahead[i]
    up[3 + i] = from[at + 3 + i] - alongRate * ahead[i] - along * ahead[3 + i]
  }
  if (!(dot(up, 0, up, 0) > SINE2_MIN * dot(from, at, from, at))) return false
  normalizeWithRate(up)
  return true
}

/** Scales a vector (0-2) to length one and its rate (3-5) with it. */
function normalizeWithRate(v: Float64Array): void {
  const length = Math.sqrt(dot(v, 0, v, 0))
  for (let i = 0; i < 6; i++) v[i] /= length
  const along = dot(v, 0, v, 3)
  for (let i = 0; i < 3; i++) v[3 + i] -= along * v[i]
}
