import { LOCKED, TURNING } from '../attitude/attitude-mode.ts'
import { type Hulls, restAtEnd } from '../attitude/hull.ts'
import { HOLD, SPIN, followsTrajectory } from '../attitude/pointing.ts'
import { burningQuanta } from '../guidance/rocket.ts'
import { CHUNK_SLOTS } from '../lattice.ts'
import { copyQuaternion } from '../math/quaternion.ts'
import { copyTriple } from '../math/triple.ts'
import type { ShipColumns } from '../state/state.ts'
import { EMPTY } from '../state/condition.ts'
import type { ShipClass } from '../state/ship-class.ts'
import { loadQuaternions, loadTriples } from './slot-columns.ts'

/**
 * Places in a row of `hullStep`: what a ship has in its open step while it turns or burns. Rows
 * belong to chunks, and ships take the first that is free: those that none needs use no memory.
 */
export const HULL = {
  force: 0,
  endFuel: 3,
  endAttitude: 4,
  endWheels: 8,
  target: 11,
  end: 15,
} as const

const HULL_DOUBLES = HULL.end

/** Where a ship's row begins in `hullStep`; -1 when it has none. */
export function hullAt({ hullRow }: ShipColumns, slot: number): number {
  const row = hullRow[slot]
  return row === 0 ? -1 : HULL_DOUBLES * (slot - (slot % CHUNK_SLOTS) + row - 1)
}

export function isPowered(ships: ShipColumns, slot: number): boolean {
  return ships.thrustLevel[slot] > 0 && ships.fuel[slot] > ships.fuelFloor[slot]
}

/** Quanta in which an engine reaches its fuel floor; Infinity where that is the empty tank. */
export function burnQuanta(
  { fuel, fuelFloor, thrustLevel }: ShipColumns,
  slot: number,
  ship: ShipClass,
): number {
  if (fuelFloor[slot] === 0) return Infinity
  return burningQuanta(ship, fuel[slot] - fuelFloor[slot], thrustLevel[slot])
}

/** Whether a ship keeps its attitude, wheels and fuel in a step, and needs no row. */
export function isAtRest(ships: ShipColumns, slot: number): boolean {
  return ships.attitudeMode[slot] === LOCKED && !isPowered(ships, slot)
}

const taken = new Uint8Array(CHUNK_SLOTS + 1)

/** Gives a ship the first free row of its chunk, unless it has one; returns where it begins. */
export function takeHullRow(ships: ShipColumns, slot: number): number {
  const { condition, hullRow } = ships
  if (hullRow[slot] === 0) {
    const begin = slot - (slot % CHUNK_SLOTS)
    taken.fill(0)
    for (let i = begin; i < begin + CHUNK_SLOTS; i++) {
      if (condition[i] !== EMPTY) taken[hullRow[i]] = 1
    }
    hullRow[slot] = taken.indexOf(0, 1)
  }
  return hullAt(ships, slot)
}

/** Takes a ship's row from it, if it has one, and clears it. */
export function freeHullRow(ships: ShipColumns, slot: number): void {
  const at = hullAt(ships, slot)
  if (at < 0) return
  ships.hullStep.fill(0, at, at + HULL_DOUBLES)
  ships.hullRow[slot] = 0
}

/**
 * Where in `hullStep` the attitude stands that a hull was commanded to turn to, or the rate to spin
 * at; -1 once it is reached, or when none was.
 */
export function commandedAt(ships: ShipColumns, slot: number): number {
  const { attitudeMode, hullRow, pointing } = ships
  const isCommanded = pointing[slot] === HOLD || pointing[slot] === SPIN
  const turns = attitudeMode[slot] === TURNING && isCommanded && hullRow[slot] > 0
  return turns ? hullAt(ships, slot) + HULL.target : -1
}

/** Fuel at the end of the open step [kg]. */
export function endFuelOf(ships: ShipColumns, slot: number): number {
  const at = hullAt(ships, slot)
  return at < 0 ? ships.fuel[slot] : ships.hullStep[at + HULL.endFuel]
}

/**
 * Copies ships into rows of hulls, their motion where a pointing follows it; the end of one that
 * has no row in `hullStep` is its start.
 *
 * @param count  entries of `slots`
 */
export function loadHulls(out: Hulls, ships: ShipColumns, slots: Int32Array, count: number): void {
  loadTriples(out.angularMomentum, ships.angularMomentum, slots, count)
  loadTriples(out.wheelMomentum, ships.wheelMomentum, slots, count)
  loadQuaternions(out.attitude, ships.attitude, slots, count)
  for (let row = 0; row < count; row++) {
    out.fuel[row] = ships.fuel[slots[row]]
    out.thrustLevel[row] = ships.thrustLevel[slots[row]]
  }
  for (let row = 0; row < count; row++) {
    out.attitudeMode[row] = ships.attitudeMode[slots[row]]
    out.pointing[row] = ships.pointing[slots[row]]
    out.wheelsKept[row] = ships.wheelsKept[slots[row]]
  }
  for (let row = 0; row < count; row++) {
    const at = hullAt(ships, slots[row])
    if (at >= 0) loadStep(out, row, ships.hullStep, at)
    else restAtEnd(out, row)
    if (followsTrajectory(out.pointing[row])) loadMotion(out, row, ships, slots[row])
  }
}

function loadMotion(out: Hulls, row: number, ships: ShipColumns, slot: number): void {
  copyTriple(out.position, 3 * row, ships.position, 3 * slot)
  copyTriple(out.velocity, 3 * row, ships.velocity, 3 * slot)
  copyTriple(out.gravity, 3 * row, ships.gravity, 3 * slot)
}

function loadStep(out: Hulls, row: number, hullStep: Float64Array, at: number): void {
  copyQuaternion(out.endAttitude, 4 * row, hullStep, at + HULL.endAttitude)
  copyQuaternion(out.targetAttitude, 4 * row, hullStep, at + HULL.target)
  copyTriple(out.endWheelMomentum, 3 * row, hullStep, at + HULL.endWheels)
}

const one = new Int32Array(1)

/** The same for one ship, into row 0. */
export function loadHull(out: Hulls, ships: ShipColumns, slot: number): void {
  one[0] = slot
  loadHulls(out, ships, one, 1)
}

/** The same, row 0, with what the hull is at the step's end in the place of its start. */
export function loadEndedHull(out: Hulls, ships: ShipColumns, slot: number): void {
  loadHull(out, ships, slot)
  copyQuaternion(out.attitude, 0, out.endAttitude, 0)
  copyTriple(out.wheelMomentum, 0, out.endWheelMomentum, 0)
  out.fuel[0] = endFuelOf(ships, slot)
}
