import { ACCELERATION, AIM, type Moment, POSITION, VELOCITY } from './moment.ts'
import { cross, dot } from '../math/triple.ts'
import { POINTINGS } from '../state/pointings.ts'

/** What a hull is turned to, as kept in `pointing`. */
export const HOLD = 0
export const PROGRADE = 1
export const RETROGRADE = 2
export const NORMAL = 3
export const ANTINORMAL = 4
export const RADIAL_OUT = 5
export const RADIAL_IN = 6
export const TARGET = 7
export const REST = 8
export const LOOSE = 9
/** at a steady rate about the hull's own axes */
export const SPIN: 10 = POINTINGS.length

/** Whether a pointing follows the trajectory: its frame turns, and a locked hull with it. */
export function followsTrajectory(pointing: number): boolean {
  return pointing >= PROGRADE && pointing < REST
}

/** Whether a locked hull turns. */
export function turnsLocked(pointing: number): boolean {
  return pointing === SPIN || followsTrajectory(pointing)
}

/** Sine below which position and velocity span no plane. */
const SINE_MIN = 1e-6

/** Below this, a square has lost digits. */
const LENGTH2_MIN = 1e-280

/**
 * The direction of the nose for a pointing and its rate of change; not unit vectors.
 * Returns false when there is no such direction: at v = 0, in a fall along the vertical, with
 * no target sighted.
 *
 * @param out  direction (0-2) and its rate (3-5), in units of the direction per second
 */
export function noseDirection(out: Float64Array, pointing: number, moment: Moment): boolean {
  const sign = pointing === RETROGRADE || pointing === ANTINORMAL || pointing === RADIAL_IN ? -1 : 1
  if (pointing === NORMAL || pointing === ANTINORMAL) {
    cross(out, 0, moment, POSITION, moment, VELOCITY)
    cross(out, 3, moment, POSITION, moment, ACCELERATION)
    const span2 = dot(moment, POSITION, moment, POSITION) * dot(moment, VELOCITY, moment, VELOCITY)
    if (!(dot(out, 0, out, 0) > SINE_MIN * SINE_MIN * span2)) return false
  } else {
    const from = pointing === TARGET ? AIM : pointing >= RADIAL_OUT ? POSITION : VELOCITY
    for (let i = 0; i < 6; i++) out[i] = moment[from + i]
  }
  for (let i = 0; i < 6; i++) out[i] *= sign
  const length2 = dot(out, 0, out, 0)
  return length2 > LENGTH2_MIN && length2 < Infinity && dot(out, 3, out, 3) < Infinity
}
