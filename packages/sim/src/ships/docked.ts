import { LOCKED } from '../attitude/attitude-mode.ts'
import { HOLD } from '../attitude/pointing.ts'
import { DOCKED } from '../state/activity.ts'
import { PLAN } from '../state/plan.ts'
import { DOCKING } from '../state/plan-memory.ts'
import { PLAN_DOUBLES } from '../state/plan-size.ts'
import { QUANTA_PER_SECOND } from '../lattice.ts'
import { copyQuaternion } from '../math/quaternion.ts'
import { createStateVector } from '../math/state-vector.ts'
import { railRowState } from '../rails/rail-table.ts'
import type { ShipColumns, WorldState } from '../state/state.ts'
import { notePlan } from '../state/events.ts'
import { HULL, freeHullRow, takeHullRow } from './hull-row.ts'
import { shipClassOf } from '../state/class-table.ts'
import type { Stepper } from './stepper.ts'

/** What a station pumps into a docked ship [kg/s]. */
export const REFUEL_RATE = 10

export function isDocked({ activity }: ShipColumns, slot: number): boolean {
  return activity[slot] === DOCKED
}

/**
 * Docks a ship that stands at n at the rail that its plan names: engine off, hull at rest. What it
 * turned with goes to the station. Can be repeated.
 */
export function dockShip(state: WorldState, slot: number, n: number): void {
  const { ships } = state
  const { plan } = ships
  const at = PLAN_DOUBLES * slot
  const fuel = ships.fuel[slot]
  ships.reference[slot] = rideTo(ships, START, state, slot, n)
  ships.thrustLevel[slot] = 0
  ships.fuelFloor[slot] = 0
  ships.attitudeMode[slot] = LOCKED
  ships.pointing[slot] = HOLD
  ships.sighting[slot] = -1
  ships.aimKind[slot] = 0
  ships.aim[slot] = 0
  for (let axis = 0; axis < 3; axis++) {
    ships.angularMomentum[3 * slot + axis] = 0
    ships.wheelMomentum[3 * slot + axis] = 0
  }
  freeHullRow(ships, slot)
  const filling = ((shipClassOf(state, slot).fuelCapacity - fuel) / REFUEL_RATE) * QUANTA_PER_SECOND
  plan[at + DOCKING.fuelBefore] = fuel
  plan[at + PLAN.wake] = filling > 0 ? n + Math.floor(filling) + 1 : Infinity
  plan[at + PLAN.since] = n
  plan[at + PLAN.deadline] = Infinity
  plan[at + PLAN.sampledAt] = Infinity
  plan[at + PLAN.outcome] = 0
  ships.activity[slot] = DOCKED
}

/** Fuel of a docked ship at n [kg]. */
function refuelled(state: WorldState, slot: number, n: number): number {
  const { plan } = state.ships
  const { fuelCapacity } = shipClassOf(state, slot)
  const at = PLAN_DOUBLES * slot
  const seconds = (n - plan[at + PLAN.since]) / QUANTA_PER_SECOND
  return Math.min(fuelCapacity, plan[at + DOCKING.fuelBefore] + REFUEL_RATE * seconds)
}

/** The columns of one end of a step. */
const START = {
  position: 'position',
  positionLow: 'positionLow',
  velocity: 'velocity',
  velocityLow: 'velocityLow',
  gravity: 'gravity',
} as const
const END = {
  position: 'endPosition',
  positionLow: 'endPositionLow',
  velocity: 'endVelocity',
  velocityLow: 'endVelocityLow',
  gravity: 'endGravity',
} as const

const place = createStateVector()
const before = createStateVector()
const after = createStateVector()

/**
 * Writes the state of a docked ship's rail at n to an end of its step, with the acceleration of
 * the rail in the place of gravity: a view between the ends then stays on the rail. Returns the
 * rail's parent body.
 */
function rideTo(
  ships: ShipColumns,
  end: typeof START | typeof END,
  state: WorldState,
  slot: number,
  n: number,
): number {
  const rail = ships.plan[PLAN_DOUBLES * slot + PLAN.target]
  railRowState(before, state, rail, n - 1)
  railRowState(after, state, rail, n + 1)
  const parent = railRowState(place, state, rail, n)
  for (let axis = 0; axis < 3; axis++) {
    const i = 3 * slot + axis
    ships[end.position][i] = place.r[axis]
    ships[end.positionLow][i] = 0
    ships[end.velocity][i] = place.v[axis]
    ships[end.velocityLow][i] = 0
    ships[end.gravity][i] = 0.5 * QUANTA_PER_SECOND * (after.v[axis] - before.v[axis])
  }
  return parent
}

/** Notes that a ship leaves the rail it is docked at. */
export function noteUndocked(state: WorldState, slot: number, n: number): void {
  const { plan } = state.ships
  for (let i = 0; i < PLAN_DOUBLES; i++) row[i] = plan[PLAN_DOUBLES * slot + i]
  notePlan(state, 'undocked', slot, n, row, row[PLAN.phase])
}

const row = new Float64Array(PLAN_DOUBLES)

/**
 * Makes the steps of docked ships: their ends are states of their rails.
 *
 * @param count   ships in `stepper.slots`
 * @param n       lattice index of the step's start
 * @param quanta  length of the step
 */
export function rideRails(
  { state, slots }: Stepper,
  count: number,
  n: number,
  quanta: number,
): void {
  const { ships } = state
  for (let i = 0; i < count; i++) {
    const slot = slots[i]
    rideTo(ships, END, state, slot, n + quanta)
    const fuel = refuelled(state, slot, n + quanta)
    if (fuel === ships.fuel[slot]) freeHullRow(ships, slot)
    else keepFuel(ships, slot, fuel)
  }
}

function keepFuel(ships: ShipColumns, slot: number, fuel: number): void {
  const at = takeHullRow(ships, slot)
  const { attitude, hullStep } = ships
  for (let i = at + HULL.force; i < at + HULL.end; i++) hullStep[i] = 0
  hullStep[at + HULL.endFuel] = fuel
  copyQuaternion(hullStep, at + HULL.endAttitude, attitude, 4 * slot)
}
