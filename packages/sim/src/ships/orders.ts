import { turnAhead } from '../attitude/attitude-end.ts'
import { FREE, TURNING } from '../attitude/attitude-mode.ts'
import { HOLD, LOOSE, TARGET } from '../attitude/pointing.ts'
import { copyQuaternion, normalizeQuaternion } from '../math/quaternion.ts'
import type { ShipColumns, WorldState } from '../state/state.ts'
import { FLYING } from './condition.ts'
import type { Flight } from './flight.ts'
import { HULL, loadHull, takeHullRow } from './hull-row.ts'

/** Bits of an order's `orderFields`; an order names an attitude or a pointing, never both. */
export const ORDERS_THRUST = 1
export const ORDERS_ATTITUDE = 2
export const ORDERS_POINTING = 4

/** Applies rows of the order table to ships that stand at index n, engine and attitude alike. */
export function applyOrders(flight: Flight, n: number, begin: number, end: number): void {
  const { state } = flight
  const { ships, orders } = state
  for (let row = begin; row < end; row++) {
    const slot = orders.orderSlot[row]
    // A ship with an open step has taken this order before an interruption.
    if (ships.condition[slot] !== FLYING || ships.stepEnd[slot] !== n) continue
    const fields = orders.orderFields[row]
    if (fields % 2 === ORDERS_THRUST) ships.thrustLevel[slot] = orders.orderThrustLevel[row]
    if (fields >= ORDERS_POINTING) point(state, slot, row)
    else if (fields >= ORDERS_ATTITUDE) {
      turnTo(ships, slot, orders.orderAttitude, 4 * row)
      ships.pointing[slot] = HOLD
      ships.attitudeMode[slot] = TURNING
    }
    if (fields >= ORDERS_ATTITUDE) noteTurn(flight, slot, row)
  }
}

/** Commands an attitude, a quaternion of any length. */
function turnTo(ships: ShipColumns, slot: number, q: Float64Array, from: number): void {
  const at = takeHullRow(ships, slot) + HULL.target
  copyQuaternion(ships.hullStep, at, q, from)
  normalizeQuaternion(ships.hullStep, at)
}

/** Records beside an order the hull's state when the order turned it. */
function noteTurn({ state, ship, stepper }: Flight, slot: number, row: number): void {
  const { ships, orders } = state
  const { hulls } = stepper
  orders.orderReference[row] = ships.reference[slot]
  loadHull(hulls, ships, slot)
  turnAhead(orders.orderOff, orders.orderRate, row, hulls, ship)
  for (let axis = 0; axis < 3; axis++) {
    orders.orderWheelMomentum[3 * row + axis] = ships.wheelMomentum[3 * slot + axis]
  }
}

function point(state: WorldState, slot: number, row: number): void {
  const { ships, orders, sightings } = state
  const pointing = orders.orderPointing[row]
  ships.pointing[slot] = pointing
  ships.attitudeMode[slot] = pointing === LOOSE ? FREE : TURNING
  ships.sighting[slot] = -1
  if (pointing === HOLD) turnTo(ships, slot, ships.attitude, 4 * slot)
  if (pointing !== TARGET) return
  const sighting = orders.orderSighting[row]
  sightings.watcher[sighting] = slot
  sightings.watched[sighting] = orders.orderTarget[row]
  sightings.watchedNumber[sighting] = orders.orderTargetNumber[row]
  sightings.sightedAt[sighting] = -1
  // They are hashed before the first sighting; the row holds another watch's values.
  sightings.sightedPosition.fill(0, 3 * sighting, 3 * sighting + 3)
  sightings.sightedVelocity.fill(0, 3 * sighting, 3 * sighting + 3)
  sightings.sightedAcceleration.fill(0, 3 * sighting, 3 * sighting + 3)
  sightings.sightedReference[sighting] = 0
  ships.sighting[slot] = sighting
}
