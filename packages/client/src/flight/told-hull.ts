import {
  LOCKED,
  POINTINGS,
  QUANTA_PER_SECOND,
  SPIN,
  type StateVector,
  attitudeAt,
  createHulls,
} from '@orrery/sim'
import type { ToldShips } from './told-ships.ts'
import type { ShipState } from './world.ts'

const FROZEN = 2
const TARGET = POINTINGS.indexOf('target')
const PROGRADE = POINTINGS.indexOf('prograde')

const hull = createHulls(1)

/** Whether a hull is turned to what it aims at. */
export function isAiming({ columns: { mode, pointing } }: ToldShips, at: number): boolean {
  return mode[at] === LOCKED && pointing[at] === TARGET
}

/**
 * Writes attitude and engine of a ship.
 *
 * @param out  its position and velocity, from the reference body, are read
 * @param at   which record of hulls
 * @param aim  position (0-2) [m] and velocity (3-5) [m/s] of what it aims at relative to it;
 *   zeros if none
 */
export function hullState(
  out: ShipState,
  { columns }: ToldShips,
  at: number,
  time: number,
  aim: Float64Array,
): void {
  const { attitude, condition, flow, fuel, hullStart, mode, pointing, rate, wheels } = columns
  const seconds = (time - hullStart[at]) / QUANTA_PER_SECOND
  out.isFrozen = condition[at] === FROZEN
  out.fuel = Math.max(0, fuel[at] + (out.isFrozen ? 0 : seconds * flow[at]))
  out.thrustLevel = out.fuel > 0 ? columns.thrustLevel[at] : 0
  for (let axis = 0; axis < 3; axis++) {
    out.rate[axis] = rate[3 * at + axis]
    out.wheels[axis] = wheels[3 * at + axis]
  }
  for (let i = 0; i < 4; i++) out.attitude[i] = attitude[4 * at + i]
  if (out.isFrozen) return
  if (mode[at] !== LOCKED || pointing[at] === SPIN) turn(out.attitude, out.rate, seconds)
  else if (pointing[at] >= PROGRADE && pointing[at] <= TARGET) {
    point(out.attitude, pointing[at], out, aim)
  }
}

/** Turns an attitude at a steady rate about the hull's own axes. */
function turn(q: Float64Array, rate: Float64Array, seconds: number): void {
  const speed = Math.sqrt(rate[0] * rate[0] + rate[1] * rate[1] + rate[2] * rate[2])
  const half = 0.5 * speed * seconds
  if (!(Math.abs(half) > 0)) return
  const w = Math.cos(half)
  const share = Math.sin(half) / speed
  const x = share * rate[0]
  const y = share * rate[1]
  const z = share * rate[2]
  const q0 = q[0]
  const q1 = q[1]
  const q2 = q[2]
  const q3 = q[3]
  q[0] = q0 * w - q1 * x - q2 * y - q3 * z
  q[1] = q0 * x + q1 * w + q2 * z - q3 * y
  q[2] = q0 * y + q2 * w + q3 * x - q1 * z
  q[3] = q0 * z + q3 * w + q1 * y - q2 * x
}

/** Turns an attitude to where its pointing has it there. */
function point(q: Float64Array, pointing: number, at: StateVector, aim: Float64Array): void {
  hull.attitudeMode[0] = LOCKED
  hull.pointing[0] = pointing
  for (let i = 0; i < 4; i++) hull.attitude[i] = q[i]
  attitudeAt(q, hull, 0, 0, at, aim)
}
