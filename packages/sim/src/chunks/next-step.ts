import { attitudeQuanta } from '../attitude/attitude-step.ts'
import { LOCKED } from '../attitude/attitude-mode.ts'
import { SRKN11B } from '../ephemeris/methods.ts'
import { IDLE } from '../state/activity.ts'
import { wakeOf } from '../state/plan.ts'
import { BLOCK_QUANTA, CHUNK_SLOTS, beatAfter, boundaryAfter, chunkPhase } from '../lattice.ts'
import { FLYING } from '../state/condition.ts'
import { sampleCut, searchRules, watchesByRule } from '../rules/rule-search.ts'
import { isDocked } from '../ships/docked.ts'
import { type Flight, type Surroundings, surroundingsAt } from '../ships/flight.ts'
import { burnQuanta, isPowered } from '../ships/hull-row.ts'
import { findImpact } from '../ships/impact.ts'
import { listNearBodies } from '../ships/near-bodies.ts'
import { watches } from '../ships/sighting.ts'
import { gatherMotion, makeStep, stepMethod } from '../ships/step.ts'
import { POWERED_QUANTA, stepQuanta } from '../ships/step-rule.ts'
import { shipClassOf } from '../state/class-table.ts'
import type { ShipColumns } from '../state/state.ts'

/**
 * Begins the next step of each due ship: chooses its length, and makes the steps of like ships
 * together.
 *
 * @param count  entries of `flight.due`, which is used up
 * @param n      lattice index at which they all stand
 */
export function beginSteps(flight: Flight, chunk: number, count: number, n: number): void {
  const { due, state } = flight
  let left = 0
  for (let i = 0; i < count; i++) {
    const slot = due[i]
    if (state.ships.condition[slot] === FLYING) due[left++] = slot
  }
  chooseLengths(flight, chunk, left, n)
  while (left > 0) left = stepAlike(flight, left, open)
}

/**
 * Makes open steps again, to end at n, and drops what was scheduled behind.
 *
 * @param count  entries of `flight.due`, which is used up
 */
export function remakeSteps(flight: Flight, count: number, n: number): void {
  const { due, lengths, methods, state } = flight
  const { ships } = state
  for (let i = 0; i < count; i++) sampleCut(flight, due[i], n)
  for (let i = 0; i < count; i++) {
    const place = due[i] % CHUNK_SLOTS
    lengths[place] = n - ships.stepStart[due[i]]
    methods[place] = stepMethod(ships, due[i])
  }
  for (let left = count; left > 0;) left = stepAlike(flight, left, cut)
}

/** Writes the length of each due ship's next step, and whether ground is near. */
function chooseLengths(flight: Flight, chunk: number, count: number, n: number): void {
  const { due, kernel, lengths, methods, nearGround, stepper, state } = flight
  const { slots, scratch } = stepper
  const { reference } = state.ships
  const phase = chunkPhase(state.firstChunk + chunk)
  for (let i = 0; i < count; i++) lengths[due[i] % CHUNK_SLOTS] = 0
  for (let first = 0; first < count; first++) {
    if (lengths[due[first] % CHUNK_SLOTS] > 0) continue
    const body = reference[due[first]]
    let rows = 0
    for (let i = first; i < count; i++) {
      if (reference[due[i]] === body) slots[rows++] = due[i]
    }
    gatherMotion(scratch, state.ships, slots, rows)
    const around = surroundingsAt(flight, body, n)
    kernel.bounds(scratch, rows, around.near, listNearBodies(around, scratch, rows))
    for (let row = 0; row < rows; row++) {
      const place = slots[row] % CHUNK_SLOTS
      nearGround[place] = scratch.nearGround[row]
      if (isCoaster(state.ships, slots[row])) {
        const tier = stepQuanta(scratch, row, around, BLOCK_QUANTA)
        methods[place] = SRKN11B
        lengths[place] = boundaryAfter(n, tier, phase) - n
        continue
      }
      methods[place] = stepMethod(state.ships, slots[row])
      lengths[place] = stepLength(flight, phase, row, around, n)
      if (isDocked(state.ships, slots[row])) nearGround[place] = 0
    }
  }
}

/** Whether nothing but gravity and its chunk decides a ship's next step, as of most ships. */
function isCoaster(ships: ShipColumns, slot: number): boolean {
  return (
    ships.activity[slot] === IDLE &&
    ships.attitudeMode[slot] === LOCKED &&
    ships.thrustLevel[slot] === 0 &&
    ships.sighting[slot] < 0 &&
    ships.ruleCount[slot] === 0
  )
}

function stepLength(
  { state, stepper }: Flight,
  phase: number,
  row: number,
  around: Surroundings,
  n: number,
): number {
  const { ships } = state
  const slot = stepper.slots[row]
  const ship = shipClassOf(state, slot)
  const isBurning = isPowered(ships, slot)
  const cap = Math.min(attitudeQuanta(ships, slot, ship), isBurning ? POWERED_QUANTA : BLOCK_QUANTA)
  const tier = isDocked(ships, slot) ? cap : stepQuanta(stepper.scratch, row, around, cap)
  const end = Math.min(
    boundaryAfter(n, tier, phase),
    wakeOf(ships, slot),
    isBurning ? n + burnQuanta(ships, slot, ship) : Infinity,
  )
  const isWatching = watches(ships, slot) || watchesByRule(ships, slot)
  return (isWatching ? Math.min(end, beatAfter(n)) : end) - n
}

/** What becomes of a ship whose step of some length from n is made. */
type Finish = (flight: Flight, slot: number, n: number, quanta: number) => void

/** Opens the step: from here on the ship is under way. */
const open: Finish = (flight, slot, n, quanta) => {
  const { state, impact, nearGround } = flight
  const { ships } = state
  impact.at = Infinity
  impact.body = -1
  if (nearGround[slot % CHUNK_SLOTS] === 1) findImpact(flight, slot, n, quanta)
  searchRules(flight, slot, n, Math.min(n + quanta, impact.at), quanta)
  ships.impactBody[slot] = impact.body
  ships.impactAt[slot] = impact.at
  ships.stepEnd[slot] = n + quanta
}

const cut: Finish = ({ state }, slot, n, quanta) => {
  state.ships.impactAt[slot] = Infinity
  state.ships.stepEnd[slot] = n + quanta
}

/**
 * Steps the first due ship and all that share its class, field, method, start and length; returns
 * how many are left.
 */
function stepAlike(flight: Flight, count: number, finish: Finish): number {
  const { state, due, lengths, methods, stepper } = flight
  const { ships } = state
  const { slots } = stepper
  const first = due[0]
  const n = ships.stepStart[first]
  const quanta = lengths[first % CHUNK_SLOTS]
  const reference = ships.reference[first]
  const method = methods[first % CHUNK_SLOTS]
  const shipClass = ships.shipClass[first]
  let alike = 0
  let rest = 0
  for (let i = 0; i < count; i++) {
    const slot = due[i]
    if (
      lengths[slot % CHUNK_SLOTS] === quanta &&
      ships.stepStart[slot] === n &&
      ships.reference[slot] === reference &&
      methods[slot % CHUNK_SLOTS] === method &&
      ships.shipClass[slot] === shipClass
    ) {
      slots[alike++] = slot
    } else {
      due[rest++] = slot
    }
  }
  makeStep(stepper, flight.fields[reference], method, alike, n, quanta)
  for (let i = 0; i < alike; i++) finish(flight, slots[i], n, quanta)
  return rest
}
