import { copyQuaternion, normalizeQuaternion } from '../attitude/quaternion.ts'
import { bodyState } from '../ephemeris/ephemeris.ts'
import { BLOCK_QUANTA, CHUNK_SLOTS, boundaryAfter, chunkPhase } from '../lattice.ts'
import { FLYING, type Flight, fieldOf, systemOf } from './flight.ts'
import { commitStep, freshGravity } from './step-end.ts'
import { TURNING, isPowered, makeStep, stepMethod } from './step.ts'
import { POWERED_QUANTA, TURNING_QUANTA, stepQuanta } from './step-rule.ts'

/** Bits of an order's `orderFields`. */
export const ORDERS_THRUST = 1
export const ORDERS_ATTITUDE = 2

/**
 * Flies every ship of a chunk until its open step ends after `target`, applying the control
 * orders that are due on the way. Ships do not see each other, so any thread may take any chunk
 * and the bits are the same; begun again after an interruption, it goes on where it stood.
 */
export function advanceChunk(flight: Flight, chunk: number, target: number): void {
  const { chunk: chunks, orders } = flight.state
  let order = chunks.chunkOrderBegin[chunk]
  const orderEnd = chunks.chunkOrderEnd[chunk]
  for (;;) {
    const next = order < orderEnd ? orders.orderIndex[order] : Infinity
    const n = Math.min(chunks.chunkDue[chunk], next)
    if (n > target) break
    let past = order
    while (past < orderEnd && orders.orderIndex[past] === n) past++
    cutSteps(flight, chunk, n, order, past)
    const count = dueShips(flight, chunk, n)
    for (let i = 0; i < count; i++) commitStep(flight, chunk, flight.due[i], n)
    applyOrders(flight, n, order, past)
    beginSteps(flight, chunk, count, n)
    updateChunkDue(flight, chunk)
    order = past
    chunks.chunkOrderBegin[chunk] = order
  }
}

/**
 * Begins the first step of a ship whose end-of-step columns were just written.
 *
 * @param n  lattice index at which the ship enters the world
 */
export function launch(flight: Flight, slot: number, n: number): void {
  const chunk = Math.floor(slot / CHUNK_SLOTS)
  const { ships } = flight.state
  ships.condition[slot] = FLYING
  ships.endFuel[slot] = flight.ship.fuelCapacity
  ships.stepEnd[slot] = n
  freshGravity(flight, chunk, slot, n)
  commitStep(flight, chunk, slot, n)
  flight.due[0] = slot
  beginSteps(flight, chunk, 1, n)
  updateChunkDue(flight, chunk)
}

/** The earliest end of an open step in a chunk, after a change to its ships. */
export function updateChunkDue(flight: Flight, chunk: number): void {
  const { ships, chunk: chunks } = flight.state
  let due = Infinity
  for (let slot = chunk * CHUNK_SLOTS; slot < (chunk + 1) * CHUNK_SLOTS; slot++) {
    if (ships.condition[slot] === FLYING) due = Math.min(due, ships.stepEnd[slot])
  }
  chunks.chunkDue[chunk] = due
}

/** Ends the open steps of ships that are ordered about inside them. */
function cutSteps(flight: Flight, chunk: number, n: number, order: number, past: number): void {
  const { ships, orders } = flight.state
  for (let row = order; row < past; row++) {
    const slot = orders.orderSlot[row]
    const start = ships.stepStart[slot]
    if (ships.condition[slot] !== FLYING || start >= n || ships.stepEnd[slot] <= n) continue
    flight.group[0] = slot
    step(flight, chunk, 1, start, n - start)
    ships.stepEnd[slot] = n
  }
}

function dueShips(flight: Flight, chunk: number, n: number): number {
  const { ships } = flight.state
  let count = 0
  for (let slot = chunk * CHUNK_SLOTS; slot < (chunk + 1) * CHUNK_SLOTS; slot++) {
    if (ships.stepEnd[slot] === n && ships.condition[slot] === FLYING) flight.due[count++] = slot
  }
  return count
}

function applyOrders(flight: Flight, n: number, order: number, past: number): void {
  const { ships, orders } = flight.state
  for (let row = order; row < past; row++) {
    const slot = orders.orderSlot[row]
    // A ship that stands elsewhere took this order before an interruption, or is frozen.
    if (ships.condition[slot] !== FLYING || ships.stepEnd[slot] !== n) continue
    const fields = orders.orderFields[row]
    if (fields % 2 === ORDERS_THRUST) ships.thrustLevel[slot] = orders.orderThrustLevel[row]
    if (fields >= ORDERS_ATTITUDE) {
      copyQuaternion(ships.targetAttitude, 4 * slot, orders.orderAttitude, 4 * row)
      normalizeQuaternion(ships.targetAttitude, 4 * slot)
      ships.attitudeMode[slot] = TURNING
    }
  }
}

/** Chooses the next step of each due ship, and makes the steps of like ships together. */
function beginSteps(flight: Flight, chunk: number, count: number, n: number): void {
  const { ships } = flight.state
  const phase = chunkPhase(chunk)
  let tabled = -1
  for (let i = 0; i < count; i++) {
    const slot = flight.due[i]
    if (ships.condition[slot] !== FLYING) continue
    const reference = ships.reference[slot]
    if (reference !== tabled) tabulateBodies(flight, chunk, reference, n)
    tabled = reference
    const { position, velocity, attitudeMode } = ships
    const cap =
      attitudeMode[slot] === TURNING
        ? TURNING_QUANTA
        : isPowered(ships, slot)
          ? POWERED_QUANTA
          : BLOCK_QUANTA
    const { bodyPositions, bodyVelocities } = flight
    const gm = flight.gm[systemOf(flight, chunk)]
    const tier = stepQuanta(position, velocity, slot, bodyPositions, bodyVelocities, gm, cap)
    ships.stepEnd[slot] = boundaryAfter(n, tier, phase)
  }
  let left = count
  while (left > 0) left = stepAlike(flight, chunk, left, n)
}

/** Steps the first due ship and all that share its field, method and length; returns the rest. */
function stepAlike(flight: Flight, chunk: number, count: number, n: number): number {
  const { ships } = flight.state
  const { due, group } = flight
  const first = due[0]
  const method = stepMethod(ships, first)
  let alike = 0
  let rest = 0
  for (let i = 0; i < count; i++) {
    const slot = due[i]
    if (ships.condition[slot] !== FLYING) continue
    if (
      ships.stepEnd[slot] === ships.stepEnd[first] &&
      ships.reference[slot] === ships.reference[first] &&
      stepMethod(ships, slot) === method
    ) {
      group[alike++] = slot
    } else {
      due[rest++] = slot
    }
  }
  if (alike > 0) step(flight, chunk, alike, n, ships.stepEnd[first] - n)
  return rest
}

function step(flight: Flight, chunk: number, count: number, n: number, quanta: number): void {
  const { state, ship, scratch, group } = flight
  const first = group[0]
  const field = fieldOf(flight, chunk, state.ships.reference[first])
  const method = stepMethod(state.ships, first)
  makeStep(scratch, state.ships, ship, field, method, group, count, n, quanta)
}

function tabulateBodies(flight: Flight, chunk: number, reference: number, n: number): void {
  const ephemeris = flight.state.ephemerides[systemOf(flight, chunk)]
  for (let body = 0; body < ephemeris.system.bodies.length; body++) {
    bodyState(flight.triple, flight.pair, ephemeris, body, reference, n, 0)
    flight.bodyPositions.set(flight.triple, 3 * body)
    flight.bodyVelocities.set(flight.pair, 3 * body)
  }
}
