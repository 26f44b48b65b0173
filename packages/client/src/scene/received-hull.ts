import {
  FROZEN,
  LOCKED,
  POINTINGS,
  QUANTA_PER_SECOND,
  SPIN,
  type StateVector,
  attitudeAt,
  createHulls,
} from '@orrery/sim'
import type { ShipSample } from './world.ts'

/**
 * Places in a record of attitude and engine: where it begins [quanta]; fuel [kg] and its flow
 * [kg/s]; attitude, rate and wheels; throttle; and codes: of condition, attitude mode, pointing,
 * and of what is aimed at.
 */
export const RECEIVED_HULL = {
  start: 0,
  fuel: 1,
  flow: 2,
  attitude: 3,
  rate: 7,
  wheels: 10,
  thrustLevel: 13,
  condition: 14,
  mode: 15,
  pointing: 16,
  aimKind: 17,
  aim: 18,
} as const
export const HULL_DOUBLES = 19

const TARGET = POINTINGS.indexOf('target')
const PROGRADE = POINTINGS.indexOf('prograde')

const hull = createHulls(1)

/** Whether a hull is turned to what it aims at. */
export function isAiming(hulls: Float64Array, at: number): boolean {
  return hulls[at + RECEIVED_HULL.mode] === LOCKED && hulls[at + RECEIVED_HULL.pointing] === TARGET
}

/**
 * Writes attitude and engine of a ship.
 *
 * @param out  its position and velocity, from the reference body, are read
 * @param at   place of the record in `hulls`
 * @param aim  position (0-2) [m] and velocity (3-5) [m/s] of what it aims at relative to it;
 *   zeros if none
 */
export function hullState(
  out: ShipSample,
  hulls: Float64Array,
  at: number,
  time: number,
  aim: Float64Array,
): void {
  const isFrozen = hulls[at + RECEIVED_HULL.condition] === FROZEN
  const seconds = isFrozen ? 0 : (time - hulls[at + RECEIVED_HULL.start]) / QUANTA_PER_SECOND
  const { attitude, rate, wheels } = out
  out.isFrozen = isFrozen
  out.payload = 0
  out.thrustLimit = 1
  out.fuel = Math.max(0, hulls[at + RECEIVED_HULL.fuel] + seconds * hulls[at + RECEIVED_HULL.flow])
  out.thrustLevel = out.fuel > 0 ? hulls[at + RECEIVED_HULL.thrustLevel] : 0
  for (let i = 0; i < 4; i++) attitude[i] = hulls[at + RECEIVED_HULL.attitude + i]
  for (let axis = 0; axis < 3; axis++) {
    rate[axis] = hulls[at + RECEIVED_HULL.rate + axis]
    wheels[axis] = hulls[at + RECEIVED_HULL.wheels + axis]
  }
  if (isFrozen) return
  const pointing = hulls[at + RECEIVED_HULL.pointing]
  if (hulls[at + RECEIVED_HULL.mode] !== LOCKED || pointing === SPIN) turn(attitude, rate, seconds)
  else if (pointing >= PROGRADE && pointing <= TARGET) point(attitude, pointing, out, aim)
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
