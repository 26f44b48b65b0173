import { LOCKED, TURNING } from '../attitude/attitude-mode.ts'
import { settleAttitude } from '../attitude/attitude-end.ts'
import type { Hulls } from '../attitude/hull.ts'
import { HOLD, TARGET, turnsLocked } from '../attitude/pointing.ts'
import { areWheelsCalm } from '../attitude/reaction-wheel.ts'
import { bodyState } from '../ephemeris/ephemeris.ts'
import { ENDED_COMPLETED, ENDED_FAILED, IDLE } from '../state/activity.ts'
import { dropPlan, wakePlan } from '../state/plan.ts'
import { CHUNK_SLOTS } from '../lattice.ts'
import { addExactly } from '../math/compensated.ts'
import { copyTriple } from '../math/triple.ts'
import { completeRules } from '../rules/rule-search.ts'
import { shipClassOf } from '../state/class-table.ts'
import type { ShipColumns } from '../state/state.ts'
import { FROZEN } from '../state/condition.ts'
import { isDocked } from '../ships/docked.ts'
import { noteEvent } from '../state/events.ts'
import { accelerationAt, writeStage } from '../field/field.ts'
import { type Flight, surroundingsAt } from '../ships/flight.ts'
import { HULL, endFuelOf, hullAt, isPowered, loadEndedHull } from '../ships/hull-row.ts'
import { aimOf } from '../ships/aim.ts'
import { awaitsSighting } from '../ships/sighting.ts'
import { copyLowTriples, copyTriples } from '../ships/slot-columns.ts'
import { placeOnSpawnOrbit } from '../ships/spawn.ts'
import { ENTER_FRACTION, LEAVE_FRACTION } from '../field/sphere-of-influence.ts'

/**
 * Copies the state of the due ships at index n, where their steps end or they hit the ground, to
 * their start columns. They stay due at n: their open steps have no length yet.
 *
 * Until `keepEnd` only what a step's end writes again has changed of a ship: it can be committed
 * again when its thread is stopped before.
 *
 * @param count  entries of `flight.due`
 */
export function commitSteps(flight: Flight, count: number, n: number): void {
  const { due, stepper, state } = flight
  const { ships } = state
  const { slots } = stepper
  let ending = 0
  for (let i = 0; i < count; i++) {
    const slot = due[i]
    if (ships.stepStart[slot] === n) continue
    if (ships.impactAt[slot] === n) {
      noteEvent(state, 'impact', slot, n, ships.impactBody[slot])
      returnToSpawnOrbit(flight, slot, n)
    } else slots[ending++] = slot
  }
  sumEnds(sums, ships, slots, ending)
  let arriving = 0
  for (let i = 0; i < ending; i++) {
    if (sums[i] - sums[i] === 0) slots[arriving++] = slots[i]
    else freeze(flight, slots[i], n)
  }
  copyEndsToStarts(ships, slots, arriving)
  for (let i = 0; i < arriving; i++) arrive(flight, slots[i], n)
}

function arrive(flight: Flight, slot: number, n: number): void {
  const { state, stepper } = flight
  const { ships } = state
  const reference = isDocked(ships, slot) ? ships.reference[slot] : nextReference(flight, slot, n)
  if (reference !== ships.reference[slot]) {
    changeReference(flight, slot, reference, n)
    wakePlan(ships, slot, n)
  }
  const hasRules = ships.ruleCount[slot] > 0
  if (hasRules) completeRules(flight, slot, reference, n)
  const isHeld = ships.hullRow[slot] === 0 && !turnsLocked(ships.pointing[slot])
  if (isHeld && areWheelsCalm(ships, shipClassOf(state, slot), slot)) {
    ships.reference[slot] = reference
    if (hasRules) ships.ruleHeld[slot] = ships.ruleEndHeld[slot]
    ships.stepStart[slot] = n
    return
  }
  loadEndedHull(stepper.hulls, ships, slot)
  const burnt = endFuelOf(ships, slot)
  const hasEnded = isPowered(ships, slot) && burnt <= ships.fuelFloor[slot]
  // The autopilot's own burns are its matter.
  if (hasEnded && ships.activity[slot] === IDLE) noteEvent(state, 'burn_ended', slot, n, reference)
  settle(flight, slot, reference, n)
  keepEnd(ships, slot, stepper.hulls, reference, n, burnt)
}

/** Settles the hull of a ship whose step has ended. */
function settle(flight: Flight, slot: number, reference: number, n: number): void {
  const { state } = flight
  const { hulls } = flight.stepper
  const { ships } = state
  const before = ships.attitudeMode[slot]
  const quanta = n - ships.stepStart[slot]
  const aim = aimOf(flight.aim, state, slot, reference, n)
  const sighted = awaitsSighting(ships, state.sightings, slot) ? null : aim
  const mode = settleAttitude(hulls, shipClassOf(state, slot), 0, quanta, sighted)
  const isGuided = mode === LOCKED && ships.activity[slot] !== IDLE
  if (mode !== before && mode !== TURNING && !isGuided) {
    const distance = Math.sqrt(length2(aim, 0))
    noteEvent(state, mode === LOCKED ? 'locked' : 'let_go', slot, n, reference, distance)
    if (ships.activity[slot] === IDLE) {
      const hasFailed = mode !== LOCKED || (ships.pointing[slot] === TARGET && distance === 0)
      ships.maneuverEnd[slot] = hasFailed ? ENDED_FAILED : ENDED_COMPLETED
    }
  }
  hulls.attitudeMode[0] = mode
}

/**
 * Makes the end of a ship's step the start of its next, and stops an engine that has reached its
 * fuel floor; what unloading the wheels took lowers the floor. No call and no loop: a thread stops
 * nowhere in it.
 *
 * @param burnt  fuel before the wheels were unloaded [kg]
 */
function keepEnd(
  ships: ShipColumns,
  slot: number,
  hull: Hulls,
  reference: number,
  n: number,
  burnt: number,
): void {
  const { attitude, angularMomentum, fuelFloor, wheelMomentum } = ships
  attitude[4 * slot] = hull.attitude[0]
  attitude[4 * slot + 1] = hull.attitude[1]
  attitude[4 * slot + 2] = hull.attitude[2]
  attitude[4 * slot + 3] = hull.attitude[3]
  angularMomentum[3 * slot] = hull.angularMomentum[0]
  angularMomentum[3 * slot + 1] = hull.angularMomentum[1]
  angularMomentum[3 * slot + 2] = hull.angularMomentum[2]
  wheelMomentum[3 * slot] = hull.wheelMomentum[0]
  wheelMomentum[3 * slot + 1] = hull.wheelMomentum[1]
  wheelMomentum[3 * slot + 2] = hull.wheelMomentum[2]
  const floor = fuelFloor[slot]
  if (floor > 0) {
    const unburnt = floor - (burnt - hull.fuel[0])
    fuelFloor[slot] = burnt > floor && unburnt > 0 ? unburnt : 0
    if (burnt <= floor) ships.thrustLevel[slot] = 0
  }
  ships.fuel[slot] = hull.fuel[0]
  ships.attitudeMode[slot] = hull.attitudeMode[0]
  ships.reference[slot] = reference
  if (ships.ruleCount[slot] > 0) ships.ruleHeld[slot] = ships.ruleEndHeld[slot]
  ships.stepStart[slot] = n
}

function freeze(flight: Flight, slot: number, n: number): void {
  const { ships } = flight.state
  noteEvent(flight.state, 'frozen', slot, n, ships.reference[slot])
  ships.condition[slot] = FROZEN
}

/**
 * A ship that hits a body, or is destroyed, starts again on its spawn orbit, engine off, wheels at
 * rest; its fuel stays.
 */
export function returnToSpawnOrbit(flight: Flight, slot: number, n: number): void {
  const { state, territory } = flight
  const { ships } = state
  const { home } = territory
  placeOnSpawnOrbit(state, slot, home, n)
  gravityAtStart(flight, slot, home, n)
  if (ships.ruleCount[slot] > 0) completeRules(flight, slot, home, n)
  ships.thrustLevel[slot] = 0
  ships.fuelFloor[slot] = 0
  ships.attitudeMode[slot] = LOCKED
  ships.pointing[slot] = HOLD
  ships.sighting[slot] = -1
  if (ships.activity[slot] !== IDLE) ships.maneuverEnd[slot] = ENDED_FAILED
  dropPlan(ships, slot)
  ships.reference[slot] = home
  ships.impactAt[slot] = Infinity
  ships.stepEnd[slot] = n
  if (ships.ruleCount[slot] > 0) ships.ruleHeld[slot] = ships.ruleEndHeld[slot]
  ships.stepStart[slot] = n
}

function copyEndsToStarts(ships: ShipColumns, slots: Int32Array, count: number): void {
  copyTriples(ships.position, ships.endPosition, slots, count)
  copyTriples(ships.velocity, ships.endVelocity, slots, count)
  copyLowTriples(ships.positionLow, ships.endPositionLow, slots, count)
  copyLowTriples(ships.velocityLow, ships.endVelocityLow, slots, count)
  copyTriples(ships.gravity, ships.endGravity, slots, count)
}

/** The body a ship's coordinates should be centred on, along the chain of bodies. */
function nextReference(flight: Flight, slot: number, n: number): number {
  const { ships, system } = flight.state
  const { spheres } = flight.territory
  const { bodies } = system
  const old = ships.reference[slot]
  const around = surroundingsAt(flight, old, n)
  const distance2 = length2(ships.position, slot)
  if (distance2 < around.clear2) return old
  const leave = LEAVE_FRACTION * spheres[old]
  const next = distance2 > leave * leave ? bodies[old].parent : old
  const { r } = around.bodies
  for (let body = next + 1; body < bodies.length; body++) {
    if (bodies[body].parent !== next || body === old) continue
    let separation2 = 0
    for (let axis = 0; axis < 3; axis++) {
      const d = ships.position[3 * slot + axis] - r[3 * body + axis]
      separation2 += d * d
    }
    const enter = ENTER_FRACTION * spheres[body]
    if (separation2 < enter * enter) return body
  }
  return next
}

/** Moves the origin of the start columns, and of the gravity there, to another body. */
function changeReference(flight: Flight, slot: number, next: number, n: number): void {
  const { ships, ephemeris } = flight.state
  const old = ships.reference[slot]
  bodyState(flight.shift, ephemeris, old, next, n, 0)
  shiftOrigin(ships.position, ships.positionLow, flight.shift.r, slot)
  shiftOrigin(ships.velocity, ships.velocityLow, flight.shift.v, slot)
  gravityAtStart(flight, slot, next, n)
}

const shifted = new Float64Array(1)
const shiftedLow = new Float64Array(1)

function shiftOrigin(
  high: Float64Array,
  low: Float32Array,
  shift: Float64Array,
  slot: number,
): void {
  for (let axis = 0; axis < 3; axis++) {
    const i = 3 * slot + axis
    shifted[0] = high[i]
    addExactly(shifted, shiftedLow, 0, shift[axis] + low[i])
    high[i] = shifted[0]
    low[i] = shiftedLow[0]
  }
}

/** Evaluates gravity where a ship's start columns place it, after they were rewritten. */
export function gravityAtStart(flight: Flight, slot: number, reference: number, n: number): void {
  writeStage(flight.stepper.scratch.stages[0], flight.fields[reference], n, 0)
  gravityInStage(flight, slot)
}

/**
 * The same of ships that are new.
 *
 * @param count  entries of `flight.due`
 */
export function gravityAtStarts(flight: Flight, count: number, n: number): void {
  const { due, fields, state, stepper } = flight
  const { reference } = state.ships
  for (let i = 0; i < count; i++) {
    const body = reference[due[i]]
    const isWritten = i > 0 && body === reference[due[i - 1]]
    if (!isWritten) writeStage(stepper.scratch.stages[0], fields[body], n, 0)
    gravityInStage(flight, due[i])
  }
}

function gravityInStage({ kernel, point, state, stepper, triple }: Flight, slot: number): void {
  copyTriple(point, 0, state.ships.position, 3 * slot)
  accelerationAt(triple, stepper.scratch.stages[0], point, kernel)
  copyTriple(state.ships.gravity, 3 * slot, triple, 0)
}

function length2(triples: Float64Array, row: number): number {
  const x = triples[3 * row]
  const y = triples[3 * row + 1]
  const z = triples[3 * row + 2]
  return x * x + y * y + z * z
}

const sums = new Float64Array(CHUNK_SLOTS)

/** Writes the sum of all numbers of each ship's step end: not finite when one of them is not. */
function sumEnds(out: Float64Array, ships: ShipColumns, slots: Int32Array, count: number): void {
  const { attitude, fuel, hullStep } = ships
  for (let i = 0; i < count; i++) {
    const at = 4 * slots[i]
    out[i] = attitude[at] + attitude[at + 1] + attitude[at + 2] + attitude[at + 3] + fuel[slots[i]]
    const begin = hullAt(ships, slots[i])
    if (begin < 0) continue
    for (let j = begin; j < begin + HULL.target; j++) out[i] += hullStep[j]
  }
  addTriples(out, ships.endPosition, slots, count)
  addTriples(out, ships.endVelocity, slots, count)
  addTriples(out, ships.endGravity, slots, count)
  addTriples(out, ships.angularMomentum, slots, count)
  addTriples(out, ships.wheelMomentum, slots, count)
}

function addTriples(
  out: Float64Array,
  column: Float64Array,
  slots: Int32Array,
  count: number,
): void {
  for (let i = 0; i < count; i++) {
    const at = 3 * slots[i]
    out[i] += column[at] + column[at + 1] + column[at + 2]
  }
}
