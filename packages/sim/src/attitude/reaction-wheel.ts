import { QUANTA_PER_SECOND } from '../lattice.ts'
import type { ShipClass } from '../state/ship-class.ts'
import type { HullColumns } from './hull.ts'
import { rotate } from '../math/quaternion.ts'
import { areFinite, dot } from '../math/triple.ts'

/**
 * Moves momentum between hull and wheels for half a step: a torque on the hull takes from the
 * wheels what it gives. Each gives at most its torque, and one that is full keeps exactly its
 * capacity.
 *
 * @param wheels  wheel momentum, body axes, triple at 3·row, changed in place [N m s]
 * @param torque  wanted on the hull, body axes, likewise [N m]
 * @param quanta  length of the whole step
 */
export function driveWheels(
  wheels: Float64Array,
  torque: Float64Array,
  row: number,
  ship: ShipClass,
  quanta: number,
): void {
  const seconds = (0.5 * quanta) / QUANTA_PER_SECOND
  for (let axis = 0; axis < 3; axis++) {
    const limit = ship.wheelTorque[axis]
    wheels[3 * row + axis] -= Math.max(-limit, Math.min(limit, torque[3 * row + axis])) * seconds
  }
  clipWheels(wheels, row, ship)
}

/** Cuts what wheels hold beyond their capacity; returns whether there was any. */
export function clipWheels(wheels: Float64Array, row: number, ship: ShipClass): boolean {
  let clipped = false
  for (let axis = 0; axis < 3; axis++) {
    const capacity = ship.wheelCapacity[axis]
    const momentum = wheels[3 * row + axis]
    if (Math.abs(momentum) <= capacity) continue
    wheels[3 * row + axis] = momentum < 0 ? -capacity : capacity
    clipped = true
  }
  return clipped
}

/** Whether one wheel holds all it can. */
export function areWheelsFull(wheels: Float64Array, row: number, ship: ShipClass): boolean {
  for (let axis = 0; axis < 3; axis++) {
    if (Math.abs(wheels[3 * row + axis]) >= ship.wheelCapacity[axis]) return true
  }
  return false
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

/** Shares of a wheel's capacity: above the one it is unloaded, down to the other. */
const UNLOAD_ABOVE = 0.8
const UNLOAD_TO = 0.2

/** Greatest rate about an axis that a wheel, empty at rest, holds for ever [rad/s]. */
export function steadyRateMax({ wheelCapacity, inertia }: ShipClass, axis: 0 | 1 | 2): number {
  return (UNLOAD_ABOVE * wheelCapacity[axis]) / inertia[axis]
}

/** Whether no wheel holds enough to be unloaded. */
export function areWheelsCalm(
  { wheelMomentum }: HullColumns,
  ship: ShipClass,
  slot: number,
): boolean {
  for (let axis = 0; axis < 3; axis++) {
    const limit = UNLOAD_ABOVE * ship.wheelCapacity[axis]
    if (!(Math.abs(wheelMomentum[3 * slot + axis]) <= limit)) return false
  }
  return true
}

/** Whether thrusters unload a ship's wheels: its pilot lets them, and there is fuel. */
export function canUnload({ fuel, wheelsKept }: HullColumns, slot: number): boolean {
  return wheelsKept[slot] === 0 && fuel[slot] > 0
}

const given = new Float64Array(3)
const thrown = new Float64Array(3)

/**
 * Unloads the wheels that hold more than 0.8 of their capacity down to 0.2 of it: thrusters give
 * the ship the momentum ΔL while the wheels take it up, so that the hull's attitude and rate stay
 * as they are. It costs |ΔL| / (lever arm · exhaust velocity) of fuel; a tank that holds less
 * unloads that part. A pilot can forbid it.
 *
 * Changes start columns: `angularMomentum`, `wheelMomentum`, `fuel`.
 */
export function unloadWheels(ships: HullColumns, ship: ShipClass, slot: number): void {
  const { attitude, angularMomentum, wheelMomentum, fuel } = ships
  if (!canUnload(ships, slot)) return
  let loaded = false
  for (let axis = 0; axis < 3; axis++) {
    const momentum = wheelMomentum[3 * slot + axis]
    const capacity = ship.wheelCapacity[axis]
    given[axis] = 0
    if (Math.abs(momentum) <= UNLOAD_ABOVE * capacity) continue
    given[axis] = (momentum < 0 ? -UNLOAD_TO : UNLOAD_TO) * capacity - momentum
    loaded = true
  }
  if (!loaded) return
  const impulse = Math.sqrt(dot(given, 0, given, 0))
  const cost = impulse / (ship.thrusterArm * ship.thrusterExhaustVelocity)
  const share = Math.min(1, fuel[slot] / cost)
  for (let axis = 0; axis < 3; axis++) given[axis] *= share
  rotate(thrown, attitude, 4 * slot, given, 0)
  for (let axis = 0; axis < 3; axis++) thrown[axis] += angularMomentum[3 * slot + axis]
  if (!areFinite(thrown, 0, 3)) return
  for (let axis = 0; axis < 3; axis++) {
    wheelMomentum[3 * slot + axis] += given[axis]
    angularMomentum[3 * slot + axis] = thrown[axis]
  }
  fuel[slot] = Math.max(0, fuel[slot] - cost)
}
