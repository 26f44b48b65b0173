import { QUANTA_PER_SECOND } from '../lattice.ts'
import type { StateVector } from '../math/state-vector.ts'
import type { ShipColumns } from '../state/state.ts'
import { HULL, endFuelOf, hullAt } from './hull-row.ts'
import type { ShipClass } from '../state/ship-class.ts'

/**
 * A ship's trajectory over its open step: the quintic through position, velocity and
 * acceleration at both ends. It agrees with the integration to a millimetre.
 *
 * @param out     relative to the ship's reference body
 * @param n       lattice index within the open step
 * @param offset  quanta after n, need not be whole
 */
export function segmentState(
  out: StateVector,
  ships: ShipColumns,
  slot: number,
  ship: ShipClass,
  n: number,
  offset: number,
): void {
  const start = ships.stepStart[slot]
  const quanta = ships.stepEnd[slot] - start
  segmentPosition(out.r, ships, slot, ship, quanta, n - start + offset)
  const h = quanta / QUANTA_PER_SECOND
  const s = (n - start + offset) / quanta
  const s2 = s * s
  const riseRate = 30 * s2 * (1 + s * (s - 2))
  const v0Rate = 1 + s2 * (s * (32 - 15 * s) - 18)
  const v1Rate = s2 * (s * (28 - 15 * s) - 12)
  const a0Rate = s * (1 + s * (s * (6 - 2.5 * s) - 4.5))
  const a1Rate = s2 * (1.5 + s * (2.5 * s - 4))
  for (let axis = 0; axis < 3; axis++) {
    const i = 3 * slot + axis
    const gain = ships.endPosition[i] - ships.position[i]
    const curve =
      startPull(ships, slot, ship, axis) * a0Rate + endPull(ships, slot, ship, axis) * a1Rate
    const steady = ships.velocity[i] * v0Rate + ships.endVelocity[i] * v1Rate
    out.v[axis] = (gain * riseRate) / h + steady + h * curve
  }
}

/**
 * Position on a step whose end columns are made, which need not be open yet.
 *
 * @param out     relative to the ship's reference body, triple at index 0 [m]
 * @param quanta  the step's length
 * @param passed  quanta since its start; need not be whole
 */
export function segmentPosition(
  out: Float64Array,
  ships: ShipColumns,
  slot: number,
  ship: ShipClass,
  quanta: number,
  passed: number,
): void {
  const h = quanta / QUANTA_PER_SECOND
  const s = passed / quanta
  const s2 = s * s
  const s3 = s2 * s
  const rise = s3 * (10 + s * (6 * s - 15))
  const v0 = s * (1 + s2 * (s * (8 - 3 * s) - 6))
  const v1 = s3 * (s * (7 - 3 * s) - 4)
  const a0 = 0.5 * s2 * (1 + s * (s * (3 - s) - 3))
  const a1 = 0.5 * s3 * (1 + s * (s - 2))
  for (let axis = 0; axis < 3; axis++) {
    const i = 3 * slot + axis
    const gain = ships.endPosition[i] - ships.position[i]
    const curve =
      h * (startPull(ships, slot, ship, axis) * a0 + endPull(ships, slot, ship, axis) * a1)
    const steady = ships.velocity[i] * v0 + ships.endVelocity[i] * v1
    out[axis] = ships.position[i] + (gain * rise + h * (steady + curve))
  }
}

/**
 * Acceleration on the open step: the second derivative of its quintic.
 *
 * @param out  triple at index 0 [m/s²]
 * @param n    lattice index within the open step
 */
export function segmentAcceleration(
  out: Float64Array,
  ships: ShipColumns,
  slot: number,
  ship: ShipClass,
  n: number,
): void {
  const start = ships.stepStart[slot]
  const quanta = ships.stepEnd[slot] - start
  const h = quanta / QUANTA_PER_SECOND
  const s = (n - start) / quanta
  const rise = 60 * s * (1 + s * (2 * s - 3))
  const v0 = s * (s * (96 - 60 * s) - 36)
  const v1 = s * (s * (84 - 60 * s) - 24)
  const a0 = 1 + s * (s * (18 - 10 * s) - 9)
  const a1 = s * (3 + s * (10 * s - 12))
  for (let axis = 0; axis < 3; axis++) {
    const i = 3 * slot + axis
    const gain = ships.endPosition[i] - ships.position[i]
    const steady = ships.velocity[i] * v0 + ships.endVelocity[i] * v1
    const curve = startPull(ships, slot, ship, axis) * a0 + endPull(ships, slot, ship, axis) * a1
    out[axis] = (gain / h) * (rise / h) + steady / h + curve
  }
}

/** Fraction of the open step that has passed at index n + offset. */
export function segmentFraction(
  ships: ShipColumns,
  slot: number,
  n: number,
  offset: number,
): number {
  const start = ships.stepStart[slot]
  return (n - start + offset) / (ships.stepEnd[slot] - start)
}

/** Fuel after a fraction of the open step [kg]. */
export function segmentFuel(ships: ShipColumns, slot: number, fraction: number): number {
  const fuel = ships.fuel[slot]
  return fuel + fraction * (endFuelOf(ships, slot) - fuel)
}

/** Acceleration at the start of the open step, gravity and engine [m/s²]. */
export function startPull(ships: ShipColumns, slot: number, ship: ShipClass, axis: number): number {
  const mass = ship.dryMass + ships.fuel[slot]
  return ships.gravity[3 * slot + axis] + forceOf(ships, slot, axis) / mass
}

/** The same at its end. */
export function endPull(ships: ShipColumns, slot: number, ship: ShipClass, axis: number): number {
  const mass = ship.dryMass + endFuelOf(ships, slot)
  return ships.endGravity[3 * slot + axis] + forceOf(ships, slot, axis) / mass
}

/** Of the engine over the open step [N]. */
export function forceOf(ships: ShipColumns, slot: number, axis: number): number {
  const at = hullAt(ships, slot)
  return at < 0 ? 0 : ships.hullStep[at + HULL.force + axis]
}
