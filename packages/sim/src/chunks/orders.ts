import { turnAhead } from '../attitude/attitude-end.ts'
import { FREE, TURNING } from '../attitude/attitude-mode.ts'
import { HOLD, LOOSE, TARGET } from '../attitude/pointing.ts'
import { copyQuaternion, normalizeQuaternion } from '../math/quaternion.ts'
import { ENDED_ABORTED, IDLE, PLANNED } from '../state/activity.ts'
import { ELEMENT_ERRORS, PLAN, dropPlan } from '../state/plan.ts'
import { PLAN_DOUBLES, PLAN_NODE_DOUBLES, PLAN_PARAMS } from '../state/plan-size.ts'
import { fuelAfterBurn, fuelAfterSeconds } from '../guidance/rocket.ts'
import { CONTROL_QUANTA, QUANTA_PER_SECOND } from '../lattice.ts'
import { shipClassOf } from '../state/class-table.ts'
import type { ActionColumns, OrderColumns, ShipColumns, WorldState } from '../state/state.ts'
import { aimOf } from '../ships/aim.ts'
import { FLYING } from '../state/condition.ts'
import { skipApsides } from '../rules/rule-search.ts'
import { isDocked, noteUndocked } from '../ships/docked.ts'
import type { Flight } from '../ships/flight.ts'
import { beginSighting } from '../ships/sighting.ts'
import { HULL, loadHull, takeHullRow } from '../ships/hull-row.ts'
import { gravityAtStart } from './step-end.ts'

/**
 * Bits of an order's `orderFields`; an order names an attitude (or a rate), a pointing or a
 * maneuver, and an engine that runs for so much Δv or so many seconds or until an order.
 */
export const ORDERS_THRUST = 1
export const ORDERS_ATTITUDE = 2
export const ORDERS_POINTING = 4
export const ORDERS_DELTA_V = 8
export const ORDERS_SECONDS = 16
export const ORDERS_MANEUVER = 32
export const ORDERS_ABORT = 64
export const ORDERS_UNLOADING = 128
export const ORDERS_UNDOCK = 256

/** Whether an order's fields hold one of them. */
export function hasField(fields: number, field: number): boolean {
  return Math.floor(fields / field) % 2 === 1
}

/** Applies rows of the order table to ships that stand at index n, engine and attitude alike. */
export function applyOrders(flight: Flight, n: number, begin: number, end: number): void {
  const { state } = flight
  const { ships, orders } = state
  for (let row = begin; row < end; row++) {
    const slot = orders.orderSlot[row]
    // A ship with an open step has taken this order before an interruption.
    if (ships.condition[slot] !== FLYING || ships.stepEnd[slot] !== n) continue
    const fields = orders.orderFields[row]
    const isFlown =
      fields !== ORDERS_UNLOADING && fields !== ORDERS_UNDOCK && !isDocked(ships, slot)
    // Recorded before the plan is dropped: an interrupted call must find it again.
    if (isFlown && ships.activity[slot] !== IDLE) {
      orders.orderReference[row] = ships.reference[slot]
    }
    if (applyOrder(flight, orders, row, slot, n)) noteTurn(flight, slot, row, n)
  }
}

/**
 * Applies a row of the order table, or of the actions of rules, to a ship that stands at index n;
 * returns whether it turns the hull or begins a maneuver.
 */
export function applyOrder(
  flight: Flight,
  orders: ActionColumns | OrderColumns,
  row: number,
  slot: number,
  n: number,
): boolean {
  const { state } = flight
  const { ships } = state
  const fields = orders.orderFields[row]
  if (hasField(fields, ORDERS_UNLOADING)) ships.wheelsKept[slot] = orders.orderWheelsKept[row]
  if (fields === ORDERS_UNLOADING) return false
  if (isDocked(ships, slot) || fields === ORDERS_UNDOCK) {
    if (isDocked(ships, slot) && fields === ORDERS_UNDOCK) undock(flight, slot, n)
    return false
  }
  if (ships.activity[slot] !== IDLE) {
    ships.maneuverEnd[slot] = ENDED_ABORTED
    stopPlan(ships, slot)
  }
  if (hasField(fields, ORDERS_THRUST)) throttle(flight, orders, slot, row)
  if (hasField(fields, ORDERS_POINTING)) point(state, orders, slot, row)
  else if (hasField(fields, ORDERS_ATTITUDE)) {
    turnTo(ships, slot, orders.orderAttitude, 4 * row, orders.orderPointing[row])
  } else if (hasField(fields, ORDERS_MANEUVER)) beginPlan(flight, orders, slot, row, n)
  else return false
  const isEnd = hasField(fields, ORDERS_ABORT) || ships.attitudeMode[slot] === FREE
  ships.maneuverEnd[slot] = isEnd ? ENDED_ABORTED : 0
  return true
}

/** Releases a docked ship that stands at n; it has the state of the rail. */
export function undock(flight: Flight, slot: number, n: number): void {
  const { ships } = flight.state
  noteUndocked(flight.state, slot, n)
  gravityAtStart(flight, slot, ships.reference[slot], n)
  skipApsides(flight, slot)
  dropPlan(ships, slot)
}

function stopPlan(ships: ShipColumns, slot: number): void {
  ships.thrustLevel[slot] = 0
  ships.fuelFloor[slot] = 0
  dropPlan(ships, slot)
}

function throttle({ state }: Flight, orders: ActionColumns, slot: number, row: number): void {
  const { ships } = state
  const fields = orders.orderFields[row]
  const level = orders.orderThrustLevel[row]
  const fuel = ships.fuel[slot]
  const ship = shipClassOf(state, slot)
  let floor = 0
  if (hasField(fields, ORDERS_DELTA_V)) floor = fuelAfterBurn(ship, fuel, orders.orderBurn[row])
  else if (hasField(fields, ORDERS_SECONDS)) {
    floor = fuelAfterSeconds(ship, fuel, level, orders.orderBurn[row])
  }
  ships.fuelFloor[slot] = floor
  ships.thrustLevel[slot] = level
}

/** Gives a ship the plan of an order, whose program runs at the next control boundary. */
function beginPlan(
  { state }: Flight,
  orders: ActionColumns | OrderColumns,
  slot: number,
  row: number,
  n: number,
): void {
  const { ships } = state
  const { plan } = ships
  const at = PLAN_DOUBLES * slot
  plan.fill(0, at, at + PLAN_DOUBLES)
  plan[at + PLAN.wake] = n + CONTROL_QUANTA
  plan[at + PLAN.ranAt] = -1
  plan[at + PLAN.sampledAt] = n
  plan[at + PLAN.deadline] = n + Math.floor(orders.orderTimeout[row] * QUANTA_PER_SECOND)
  plan[at + PLAN.targetKind] = orders.orderTargetKind[row]
  plan[at + PLAN.target] = orders.orderPlace[row]
  plan[at + PLAN.distance] = -1
  plan[at + PLAN.effectivity] = -1
  for (let i = 0; i < ELEMENT_ERRORS.length; i++) plan[at + PLAN.errors + i] = -1
  plan[at + PLAN.mass] = shipClassOf(state, slot).dryMass + ships.fuel[slot]
  for (let i = 0; i < PLAN_PARAMS; i++) {
    plan[at + PLAN.params + i] = orders.orderParams[PLAN_PARAMS * row + i]
  }
  dropTarget(ships, slot)
  if (orders.orderTargetNumber[row] > 0) watch(state, orders, slot, row)
  if (orders.orderActivity[row] === PLANNED && 'orderBurnNodes' in orders) {
    const begin = PLAN_NODE_DOUBLES * row
    const nodes = orders.orderBurnNodes.subarray(begin, begin + PLAN_NODE_DOUBLES)
    ships.burnNodes.set(nodes, PLAN_NODE_DOUBLES * slot)
  }
  ships.thrustLevel[slot] = 0
  ships.fuelFloor[slot] = 0
  plan[at + PLAN.since] = n
  ships.activity[slot] = orders.orderActivity[row]
}

/**
 * Commands an attitude to hold, a quaternion of any length, or a rate to spin at.
 *
 * @param pointing  `HOLD` or `SPIN`
 */
function turnTo(
  ships: ShipColumns,
  slot: number,
  wanted: Float64Array,
  from: number,
  pointing: number,
): void {
  const at = takeHullRow(ships, slot) + HULL.target
  copyQuaternion(ships.hullStep, at, wanted, from)
  if (pointing === HOLD) normalizeQuaternion(ships.hullStep, at)
  ships.pointing[slot] = pointing
  ships.attitudeMode[slot] = TURNING
  dropTarget(ships, slot)
}

function dropTarget(ships: ShipColumns, slot: number): void {
  ships.sighting[slot] = -1
  ships.aimKind[slot] = 0
  ships.aim[slot] = 0
}

/** Records beside an order the hull's state when the order turned it. */
function noteTurn({ state, stepper }: Flight, slot: number, row: number, n: number): void {
  const { ships, orders } = state
  const { hulls } = stepper
  orders.orderReference[row] = ships.reference[slot]
  loadHull(hulls, ships, slot)
  const aim = aimOf(stepper.aim, state, slot, ships.reference[slot], n)
  turnAhead(orders.orderOff, orders.orderRate, row, hulls, shipClassOf(state, slot), aim)
  for (let axis = 0; axis < 3; axis++) {
    orders.orderWheelMomentum[3 * row + axis] = ships.wheelMomentum[3 * slot + axis]
  }
}

function point(state: WorldState, orders: ActionColumns, slot: number, row: number): void {
  const { ships } = state
  const pointing = orders.orderPointing[row]
  ships.pointing[slot] = pointing
  ships.attitudeMode[slot] = pointing === LOOSE ? FREE : TURNING
  dropTarget(ships, slot)
  if (pointing === HOLD) turnTo(ships, slot, ships.attitude, 4 * slot, HOLD)
  if (pointing !== TARGET) return
  if (orders.orderTargetNumber[row] > 0) return watch(state, orders, slot, row)
  ships.aimKind[slot] = orders.orderTargetKind[row]
  ships.aim[slot] = orders.orderPlace[row]
}

/** Lets a ship watch the one that its order names. */
function watch(
  { ships, sightings }: WorldState,
  orders: ActionColumns,
  slot: number,
  row: number,
): void {
  const sighting = orders.orderSighting[row]
  const target = orders.orderTarget[row]
  const number = orders.orderTargetNumber[row]
  // Since a rule was set its target may have gone, and another ship be in its place.
  const isThere = target >= 0 && ships.shipNumber[target] === number
  beginSighting(sightings, sighting, slot, isThere ? target : -1, number)
  ships.sighting[slot] = sighting
}
