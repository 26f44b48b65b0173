import { guideShips } from './autopilot.ts'
import { IDLE } from '../state/activity.ts'
import { dropPlan } from '../state/plan.ts'
import { BLOCK_QUANTA, CHUNK_SLOTS, boundaryAfter, chunkPhase } from '../lattice.ts'
import { fireRules } from './rule-firing.ts'
import { SimError } from '../sim-error.ts'
import { hashChunk } from '../ships/chunk-hash.ts'
import { EMPTY, FLYING } from '../state/condition.ts'
import { type Flight, surroundingsAt } from '../ships/flight.ts'
import { freeHullRow } from '../ships/hull-row.ts'
import { beginSteps, remakeSteps } from './next-step.ts'
import { applyOrders } from './orders.ts'
import { commitSteps, gravityAtStarts } from './step-end.ts'

/**
 * Flies every ship of a chunk until its open step ends after `target`, applying the control
 * orders that are due on the way. Ships do not interact here, so any thread may take any chunk
 * with the same bits. After an interruption anywhere, another call continues.
 */
export function advanceChunk(flight: Flight, chunk: number, target: number): void {
  const { chunk: chunks, orders } = flight.state
  const end = chunks.chunkOrderEnd[chunk]
  for (;;) {
    const order = chunks.chunkOrderBegin[chunk]
    const n = Math.min(chunks.chunkDue[chunk], order < end ? orders.orderIndex[order] : Infinity)
    if (n > target) break
    let past = order
    while (past < end && orders.orderIndex[past] === n) past++
    advanceTo(flight, chunk, n, order, past)
  }
}

/** What happens at one index, in order: arrivals, plans, rules, hash, orders, next steps. */
function advanceTo(flight: Flight, chunk: number, n: number, order: number, past: number): void {
  const { hasher, state } = flight
  const { chunk: chunks, firstChunk } = state
  cutSteps(flight, chunk, n, order, past)
  const count = dueShips(flight, chunk, n)
  commitSteps(flight, count, n)
  if (flight.busy) {
    guideShips(flight, chunk, count, n)
    fireRules(flight, count, n)
  }
  const isBlock = (n - chunkPhase(firstChunk + chunk)) % BLOCK_QUANTA === 0
  if (isBlock && hasher && chunks.chunkHashedAt[chunk] !== n) hashChunk(hasher, chunk, n)
  applyOrders(flight, n, order, past)
  beginSteps(flight, chunk, count, n)
  // The orders of n are passed before `chunkDue` is: then an interrupted call can be repeated.
  chunks.chunkOrderBegin[chunk] = past
  updateChunkDue(flight, chunk, n)
}

/** The same as `launchShips` for one ship. */
export function launch(flight: Flight, slot: number, n: number): void {
  flight.due[0] = slot
  launchShips(flight, Math.floor(slot / CHUNK_SLOTS), 1, n)
}

/**
 * Begins the first steps of ships of one chunk whose start columns were just written.
 *
 * @param count  entries of `flight.due`, which is used up
 * @param n      lattice index at which the ships enter the world
 * @throws {SimError} 'ERR_SHIP_STATE' when one is inside a body or its state is not finite; all
 *   their slots then stay empty
 */
export function launchShips(flight: Flight, chunk: number, count: number, n: number): void {
  const { due, state } = flight
  const { ships } = state
  for (let i = 0; i < count; i++) requireFreeSpace(flight, due[i], n)
  for (let i = 0; i < count; i++) {
    const slot = due[i]
    ships.sighting[slot] = -1
    dropPlan(ships, slot)
    freeHullRow(ships, slot)
    ships.impactAt[slot] = Infinity
    ships.stepEnd[slot] = n
    ships.stepStart[slot] = n
  }
  gravityAtStarts(flight, count, n)
  for (let i = 0; i < count; i++) ships.condition[due[i]] = FLYING
  beginSteps(flight, chunk, count, n)
  updateChunkDue(flight, chunk, n)
}

function requireFreeSpace(flight: Flight, slot: number, n: number): void {
  const { ships, system } = flight.state
  const { bodies } = system
  const { r } = surroundingsAt(flight, ships.reference[slot], n).bodies
  const { position, velocity } = ships
  const vx = velocity[3 * slot]
  const vy = velocity[3 * slot + 1]
  const vz = velocity[3 * slot + 2]
  const speed = Math.sqrt(vx * vx + vy * vy + vz * vz)
  for (let body = 0; body < bodies.length; body++) {
    const dx = position[3 * slot] - r[3 * body]
    const dy = position[3 * slot + 1] - r[3 * body + 1]
    const dz = position[3 * slot + 2] - r[3 * body + 2]
    const distance2 = dx * dx + dy * dy + dz * dz
    // NaN is not greater than anything.
    if (distance2 > bodies[body].radius * bodies[body].radius && speed < Infinity) continue
    const where = `${Math.sqrt(distance2)} m from the centre of ${bodies[body].name}`
    throw new SimError('ERR_SHIP_STATE', `A ship cannot fly ${where} at ${speed} m/s.`)
  }
}

/**
 * Ends a flying ship's open step at n, where its end columns then hold its state; between ticks.
 *
 * @param n  lattice index inside the step
 */
export function cutShip(flight: Flight, slot: number, n: number): void {
  flight.due[0] = slot
  remakeSteps(flight, 1, n)
  updateChunkDue(flight, Math.floor(slot / CHUNK_SLOTS), n)
}

/**
 * Changes columns of a ship at a published index, where its next step then begins; between ticks.
 *
 * @param change  is called when the start columns hold its state there
 */
export function changeShip(flight: Flight, slot: number, n: number, change: () => void): void {
  const { ships } = flight.state
  if (ships.condition[slot] !== FLYING) return change()
  if (ships.stepStart[slot] < n) {
    cutShip(flight, slot, n)
    flight.due[0] = slot
    commitSteps(flight, 1, n)
  }
  change()
  ships.stepEnd[slot] = n
  flight.due[0] = slot
  const chunk = Math.floor(slot / CHUNK_SLOTS)
  beginSteps(flight, chunk, 1, n)
  updateChunkDue(flight, chunk, n)
}

/**
 * Ends a flying ship's open step within a tick, between two rounds: its start columns then hold its
 * state at n, where its chunk flies on.
 *
 * @param n  lattice index after the one that its chunk has flown to
 */
export function arriveInFlight(flight: Flight, slot: number, n: number): void {
  const { chunk: chunks, ships } = flight.state
  flight.due[0] = slot
  if (ships.stepEnd[slot] > n && ships.impactAt[slot] > n) remakeSteps(flight, 1, n)
  flight.due[0] = slot
  commitSteps(flight, 1, n)
  const chunk = Math.floor(slot / CHUNK_SLOTS)
  chunks.chunkDue[chunk] = Math.min(chunks.chunkDue[chunk], n)
}

/** Makes the open steps of a chunk's ships from where they begin, as after an image was read. */
export function reopenSteps(flight: Flight, chunk: number): void {
  const { condition, stepStart } = flight.state.ships
  const begin = chunk * CHUNK_SLOTS
  const slots = Array.from({ length: CHUNK_SLOTS }, (_, place) => begin + place)
  const flying = slots.filter((slot) => condition[slot] === FLYING)
  for (const n of new Set(flying.map((slot) => stepStart[slot]))) {
    const due = flying.filter((slot) => stepStart[slot] === n)
    flight.due.set(due)
    beginSteps(flight, chunk, due.length, n)
  }
}

/** When something happens next in a chunk, after a change to its ships at or before n. */
export function updateChunkDue(flight: Flight, chunk: number, n: number): void {
  const { chunk: chunks, firstChunk } = flight.state
  const { condition, stepEnd, impactAt, ruleAt } = flight.state.ships
  const begin = chunk * CHUNK_SLOTS
  let due = Infinity
  let fires = Infinity
  let isEmpty = true
  for (let slot = begin; slot < begin + CHUNK_SLOTS; slot++) {
    if (condition[slot] === EMPTY) continue
    isEmpty = false
    if (condition[slot] !== FLYING) continue
    if (stepEnd[slot] < due) due = stepEnd[slot]
    if (impactAt[slot] < due) due = impactAt[slot]
    if (ruleAt[slot] > 0 && ruleAt[slot] < fires) fires = ruleAt[slot]
  }
  const phase = chunkPhase(firstChunk + chunk)
  const block = isEmpty ? Infinity : boundaryAfter(n, BLOCK_QUANTA, phase)
  chunks.chunkFires[chunk] = fires
  chunks.chunkDue[chunk] = Math.min(due, fires, block)
}

/** Cuts the open steps of ships that have an order or a firing rule inside them. */
function cutSteps(flight: Flight, chunk: number, n: number, order: number, past: number): void {
  const { due, lengths, state } = flight
  const { ships, orders } = state
  for (let row = order; row < past; row++) lengths[orders.orderSlot[row] % CHUNK_SLOTS] = 0
  let count = state.chunk.chunkFires[chunk] <= n ? firingShips(flight, chunk, n) : 0
  for (let row = order; row < past; row++) {
    const slot = orders.orderSlot[row]
    const start = ships.stepStart[slot]
    if (ships.condition[slot] !== FLYING || start >= n || ships.stepEnd[slot] <= n) continue
    if (ships.impactAt[slot] <= n || lengths[slot % CHUNK_SLOTS] > 0) continue
    if (ships.ruleAt[slot] === n) continue
    // A ship may have several orders, and is cut once.
    lengths[slot % CHUNK_SLOTS] = 1
    due[count++] = slot
  }
  if (count > 0) remakeSteps(flight, count, n)
}

/** Lists the ships whose rules fire at n, inside their steps. */
function firingShips(flight: Flight, chunk: number, n: number): number {
  const { condition, impactAt, ruleAt, stepEnd } = flight.state.ships
  const { due } = flight
  const begin = chunk * CHUNK_SLOTS
  let count = 0
  for (let slot = begin; slot < begin + CHUNK_SLOTS; slot++) {
    if (ruleAt[slot] !== n || condition[slot] !== FLYING) continue
    if (stepEnd[slot] > n && impactAt[slot] > n) due[count++] = slot
  }
  return count
}

/** Lists the ships whose steps end or break off at n, and notes in `flight.busy` what they have. */
function dueShips(flight: Flight, chunk: number, n: number): number {
  const { activity, condition, stepEnd, impactAt, ruleCount } = flight.state.ships
  const { due } = flight
  const begin = chunk * CHUNK_SLOTS
  // A thread may have been stopped while it put a plan in force.
  flight.busy = flight.state.nextPlans.nextPlanSlot[chunk] >= 0
  let count = 0
  for (let slot = begin; slot < begin + CHUNK_SLOTS; slot++) {
    if (stepEnd[slot] !== n && impactAt[slot] !== n) continue
    if (condition[slot] !== FLYING) continue
    due[count++] = slot
    if (activity[slot] !== IDLE || ruleCount[slot] > 0) flight.busy = true
  }
  return count
}
