import { LOCKED } from '../attitude/attitude-mode.ts'
import { beginTurn, endTurn, thrustDirection } from '../attitude/attitude-step.ts'
import { ROUNDING } from '../guidance/rocket.ts'
import { QUANTA_PER_SECOND } from '../lattice.ts'
import { copyQuaternion } from '../math/quaternion.ts'
import type { Field } from '../field/field.ts'
import {
  HULL,
  commandedAt,
  freeHullRow,
  hullAt,
  isAtRest,
  isPowered,
  loadHulls,
  takeHullRow,
} from './hull-row.ts'
import { NO_AIM, aimOf } from './aim.ts'
import { PLANE } from '../field/step-scratch.ts'
import { shipClassOf } from '../state/class-table.ts'
import type { Stepper } from './stepper.ts'

/**
 * Makes the steps of hulls that turn and decides the force of engines that burn; returns whether
 * one does. Nothing of a ship at rest changes.
 *
 * @param count   ships in `stepper.slots`, all of one class
 * @param n       lattice index of the step's start
 * @param quanta  length of the step
 */
export function stepHulls(
  stepper: Stepper,
  field: Field,
  count: number,
  n: number,
  quanta: number,
): boolean {
  const { state, slots, scratch, hulls } = stepper
  const ship = shipClassOf(state, slots[0])
  let moving = false
  for (let row = 0; row < count; row++) {
    restRow(stepper, row)
    if (isAtRest(state.ships, slots[row])) freeHullRow(state.ships, slots[row])
    else {
      takeHullRow(state.ships, slots[row])
      moving = true
    }
  }
  if (!moving) return false
  loadHulls(hulls, state.ships, slots, count)
  let turning = false
  for (let row = 0; row < count; row++) {
    if (isAtRest(state.ships, slots[row])) continue
    beginHull(stepper, field, row, n, quanta)
    if (hulls.attitudeMode[row] !== LOCKED) turning = true
  }
  if (turning) field.kernel.turn(scratch, count, ship.inertia, quanta)
  return endHulls(stepper, count, quanta)
}

/** Fills the planes of force and fuel of a ship whose engine is off. */
function restRow({ state, slots, scratch }: Stepper, row: number): void {
  const { force, fuel, endFuel } = scratch
  fuel[row] = endFuel[row] = state.ships.fuel[slots[row]]
  for (let i = row; i < 3 * PLANE; i += PLANE) force[i] = 0
}

function beginHull(stepper: Stepper, field: Field, row: number, n: number, quanta: number): void {
  const { state, slots, scratch, hulls } = stepper
  const slot = slots[row]
  const ship = shipClassOf(state, slot)
  const aim = aimOf(stepper.aim, state, slot, field.reference, n)
  beginTurn(hulls, ship, row, quanta, aim)
  if (hulls.attitudeMode[row] === LOCKED) {
    if (isPowered(state.ships, slot)) burn(stepper, row, quanta, aim)
    return
  }
  for (let i = 0; i < 4; i++) scratch.attitude[i * PLANE + row] = hulls.attitude[4 * row + i]
  for (let axis = 0; axis < 3; axis++) {
    scratch.momentum[axis * PLANE + row] = hulls.angularMomentum[3 * row + axis]
    scratch.wheels[axis * PLANE + row] = hulls.endWheelMomentum[3 * row + axis]
  }
}

/** Returns whether an engine burns. */
function endHulls(stepper: Stepper, count: number, quanta: number): boolean {
  const { state, slots, scratch, hulls } = stepper
  const ship = shipClassOf(state, slots[0])
  let powered = false
  for (let row = 0; row < count; row++) {
    const slot = slots[row]
    if (isAtRest(state.ships, slot)) continue
    const burns = isPowered(state.ships, slot)
    if (burns) powered = true
    if (hulls.attitudeMode[row] !== LOCKED) {
      for (let i = 0; i < 4; i++) hulls.endAttitude[4 * row + i] = scratch.attitude[i * PLANE + row]
      endTurn(hulls, ship, row, quanta)
      if (burns) burn(stepper, row, quanta, NO_AIM)
    }
    keepHull(stepper, row)
  }
  return powered
}

const nose = new Float64Array(3)

/**
 * Decides the step's constant force and the fuel it takes: along the nose at the step's middle,
 * throttled in the step that reaches the fuel floor so that it ends there. A step that is cut keeps
 * the throttle, and for a locked hull the direction, that it was first made with.
 */
function burn(
  { state, hulls, scratch, slots }: Stepper,
  row: number,
  quanta: number,
  aim: Float64Array,
): void {
  const { force, fuel, endFuel } = scratch
  const { fuelFloor, stepStart, stepEnd } = state.ships
  // A new step has no length yet, one that is made again still has its old one.
  const whole = Math.max(quanta, stepEnd[slots[row]] - stepStart[slots[row]])
  const ship = shipClassOf(state, slots[row])
  let thrust = ship.thrustMax * hulls.thrustLevel[row]
  let used = (thrust / ship.exhaustVelocity) * (whole / QUANTA_PER_SECOND)
  const available = fuel[row] - fuelFloor[slots[row]]
  if (used * (1 + ROUNDING) >= available) {
    thrust *= available / used
    used = available
  }
  endFuel[row] = fuel[row] - used * (quanta / whole)
  if (used === available && quanta === whole) endFuel[row] = fuelFloor[slots[row]]
  thrustDirection(nose, hulls, ship, row, whole, aim)
  for (let axis = 0; axis < 3; axis++) force[axis * PLANE + row] = thrust * nose[axis]
}

/** Keeps what the hull and engine of a ship do in its step. */
function keepHull({ hulls, scratch, slots, state: { ships } }: Stepper, row: number): void {
  const at = hullAt(ships, slots[row])
  const { hullStep } = ships
  copyQuaternion(hullStep, at + HULL.endAttitude, hulls.endAttitude, 4 * row)
  for (let axis = 0; axis < 3; axis++) {
    hullStep[at + HULL.force + axis] = scratch.force[axis * PLANE + row]
    hullStep[at + HULL.endWheels + axis] = hulls.endWheelMomentum[3 * row + axis]
  }
  hullStep[at + HULL.endFuel] = scratch.endFuel[row]
  // Equal ships have equal rows: an attitude that is reached is forgotten.
  if (commandedAt(ships, slots[row]) >= 0) return
  for (let i = at + HULL.target; i < at + HULL.target + 4; i++) hullStep[i] = 0
}
