import { LOCKED } from '../attitude/attitude-mode.ts'
import type { Hulls } from '../attitude/hull.ts'
import { CHUNK_SLOTS } from '../lattice.ts'
import { copyQuaternion } from '../math/quaternion.ts'
import type { ShipColumns } from '../state/state.ts'
import { EMPTY } from './condition.ts'

/**
 * Places in a row of `hullStep`: what a ship has in its open step while it turns or burns. Rows
 * belong to chunks, and ships take the first that is free: those that none needs use no memory.
 */
export const HULL = { force: 0, endFuel: 3, endAttitude: 4, endWheels: 8, target: 11 } as const

const HULL_DOUBLES = 15

/** Where a ship's row begins in `hullStep`; -1 when it has none. */
export function hullAt({ hullRow }: ShipColumns, slot: number): number {
  const row = hullRow[slot]
  return row === 0 ? -1 : HULL_DOUBLES * (slot - (slot % CHUNK_SLOTS) + row - 1)
}

export function isPowered({ thrustLevel, fuel }: ShipColumns, slot: number): boolean {
  return thrustLevel[slot] > 0 && fuel[slot] > 0
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

/** Fuel at the end of the open step [kg]. */
export function endFuelOf(ships: ShipColumns, slot: number): number {
  const at = hullAt(ships, slot)
  return at < 0 ? ships.fuel[slot] : ships.hullStep[at + HULL.endFuel]
}

/** Copies a ship into row 0 of a hull; the end of one that has no row is its start. */
export function loadHull(out: Hulls, ships: ShipColumns, slot: number): void {
  for (let axis = 0; axis < 3; axis++) {
    const i = 3 * slot + axis
    out.position[axis] = ships.position[i]
    out.velocity[axis] = ships.velocity[i]
    out.gravity[axis] = ships.gravity[i]
    out.angularMomentum[axis] = ships.angularMomentum[i]
    out.wheelMomentum[axis] = ships.wheelMomentum[i]
  }
  copyQuaternion(out.attitude, 0, ships.attitude, 4 * slot)
  out.fuel[0] = ships.fuel[slot]
  out.thrustLevel[0] = ships.thrustLevel[slot]
  out.attitudeMode[0] = ships.attitudeMode[slot]
  out.pointing[0] = ships.pointing[slot]
  const at = hullAt(ships, slot)
  if (at < 0) {
    copyQuaternion(out.endAttitude, 0, out.attitude, 0)
    for (let axis = 0; axis < 3; axis++) out.endWheelMomentum[axis] = out.wheelMomentum[axis]
    out.targetAttitude.fill(0)
    return
  }
  const { hullStep } = ships
  copyQuaternion(out.endAttitude, 0, hullStep, at + HULL.endAttitude)
  copyQuaternion(out.targetAttitude, 0, hullStep, at + HULL.target)
  for (let axis = 0; axis < 3; axis++) {
    out.endWheelMomentum[axis] = hullStep[at + HULL.endWheels + axis]
  }
}

/** The same with what the hull is at the step's end in the place of its start. */
export function loadEndedHull(out: Hulls, ships: ShipColumns, slot: number): void {
  loadHull(out, ships, slot)
  copyQuaternion(out.attitude, 0, out.endAttitude, 0)
  for (let axis = 0; axis < 3; axis++) out.wheelMomentum[axis] = out.endWheelMomentum[axis]
  out.fuel[0] = endFuelOf(ships, slot)
}
