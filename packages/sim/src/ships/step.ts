import { type Method, SRKN11B, SRKN6B } from '../ephemeris/methods.ts'
import { TURNING } from '../attitude/attitude-mode.ts'
import { makeAttitudeStep, thrustDirection } from '../attitude/attitude-step.ts'
import { type Hulls, createHull } from '../attitude/hull.ts'
import { CHUNK_SLOTS, QUANTA_PER_SECOND } from '../lattice.ts'
import { copyQuaternion } from '../math/quaternion.ts'
import type { ShipColumns, WorldState } from '../state/state.ts'
import { type Field, writeStage } from './field.ts'
import { HULL, freeHullRow, isAtRest, isPowered, loadHull, takeHullRow } from './hull-row.ts'
import type { ShipClass } from './ship-class.ts'
import { NO_AIM, extrapolateTarget, watches } from './sighting.ts'
import {
  gatherLowTriples,
  gatherTriples,
  scatterLowTriples,
  scatterTriples,
} from './slot-columns.ts'
import { type Allocate, PLANE, STAGE, type StepScratch, createStepScratch } from './step-scratch.ts'

/** What one thread makes steps with. */
export interface Stepper {
  readonly state: WorldState
  readonly ship: ShipClass
  /** the ships of the step being made, at most one chunk */
  readonly slots: Int32Array
  readonly scratch: StepScratch
  readonly hull: Hulls
  readonly nose: Float64Array
  readonly aim: Float64Array
}

export function createStepper(state: WorldState, ship: ShipClass, allocate: Allocate): Stepper {
  const bodiesMax = Math.max(...state.systems.map(({ bodies }) => bodies.length))
  return {
    state,
    ship,
    slots: new Int32Array(CHUNK_SLOTS),
    scratch: createStepScratch(bodiesMax, allocate),
    hull: createHull(),
    nose: new Float64Array(3),
    aim: new Float64Array(6),
  }
}

/** Coasting ships take long steps of order six; thrust and turning need short ones. */
export function stepMethod(ships: ShipColumns, slot: number): Method {
  return isPowered(ships, slot) || ships.attitudeMode[slot] === TURNING ? SRKN6B : SRKN11B
}

/**
 * Integrates ships that share reference body, method, start and length from their start
 * columns into their end columns. The start columns stay, so a step can be made again.
 *
 * @param count   ships in `stepper.slots`
 * @param n       lattice index of the step's start
 * @param quanta  length of the step
 */
export function makeStep(
  stepper: Stepper,
  field: Field,
  method: Method,
  count: number,
  n: number,
  quanta: number,
): void {
  const { state, ship, slots, scratch } = stepper
  const h = quanta / QUANTA_PER_SECOND
  const powered = stepHulls(stepper, field, count, n, quanta)
  gather(scratch, state.ships, slots, count)
  const { a, b } = method
  const last = b.length - 1
  let clock = 0
  for (let stage = 0; stage <= last; stage++) {
    const { numbers } = scratch.stages[stage]
    numbers[STAGE.kick] = b[stage] * h
    numbers[STAGE.drift] = a[stage] * h
    numbers[STAGE.burnt] = stage === last ? 1 : clock
    const offset = stage === last ? quanta : quanta * clock
    if (stage > 0) writeStage(scratch.stages[stage], field, n, offset)
    clock += a[stage]
  }
  field.kernel.step(scratch, count, last, powered ? ship.dryMass : 0)
  scatter(scratch, state.ships, slots, count)
}

/**
 * Makes the steps of hulls that turn and decides the force of engines that burn; returns whether
 * one does. Nothing of a ship at rest changes.
 */
function stepHulls(
  stepper: Stepper,
  field: Field,
  count: number,
  n: number,
  quanta: number,
): boolean {
  const { state, ship, slots, scratch, aim, hull } = stepper
  const { ships } = state
  const { fuel, endFuel, force } = scratch
  let powered = false
  for (let row = 0; row < count; row++) {
    const slot = slots[row]
    fuel[row] = endFuel[row] = ships.fuel[slot]
    for (let i = row; i < 3 * PLANE; i += PLANE) force[i] = 0
    if (isAtRest(ships, slot)) {
      freeHullRow(ships, slot)
      continue
    }
    loadHull(hull, ships, slot)
    const watching = watches(ships, slot)
    if (watching) extrapolateTarget(aim, state, field.ephemeris, slot, field.reference, n)
    makeAttitudeStep(hull, ship, 0, quanta, watching ? aim : NO_AIM)
    if (isPowered(ships, slot)) {
      burn(stepper, row, quanta, watching ? aim : NO_AIM)
      powered = true
    }
    keepHull(stepper, row)
  }
  return powered
}

/**
 * Decides the step's constant force and the fuel it takes: along the nose at the step's middle,
 * throttled in the step that empties the tank so that it ends with none.
 */
function burn(
  { ship, hull, nose, scratch }: Stepper,
  row: number,
  quanta: number,
  aim: Float64Array,
): void {
  const { force, fuel, endFuel } = scratch
  let thrust = ship.thrustMax * hull.thrustLevel[0]
  let used = (thrust / ship.exhaustVelocity) * (quanta / QUANTA_PER_SECOND)
  if (used >= fuel[row]) {
    thrust *= fuel[row] / used
    used = fuel[row]
  }
  endFuel[row] = fuel[row] - used
  thrustDirection(nose, hull, ship, 0, quanta, aim)
  for (let axis = 0; axis < 3; axis++) force[axis * PLANE + row] = thrust * nose[axis]
}

/** Keeps what the hull and engine of a ship do in its step. */
function keepHull({ hull, scratch, slots, state: { ships } }: Stepper, row: number): void {
  const at = takeHullRow(ships, slots[row])
  const { hullStep } = ships
  copyQuaternion(hullStep, at + HULL.endAttitude, hull.endAttitude, 0)
  for (let axis = 0; axis < 3; axis++) {
    hullStep[at + HULL.force + axis] = scratch.force[axis * PLANE + row]
    hullStep[at + HULL.endWheels + axis] = hull.endWheelMomentum[axis]
  }
  hullStep[at + HULL.endFuel] = scratch.endFuel[row]
}

/** Copies what start columns hold of the motion of ships to rows of the scratch. */
export function gatherMotion(
  scratch: StepScratch,
  ships: Pick<ShipColumns, 'position' | 'velocity' | 'gravity'>,
  slots: Int32Array,
  count: number,
): void {
  gatherTriples(scratch.position, ships.position, slots, count)
  gatherTriples(scratch.velocity, ships.velocity, slots, count)
  gatherTriples(scratch.gravity, ships.gravity, slots, count)
}

function gather(scratch: StepScratch, ships: ShipColumns, slots: Int32Array, count: number): void {
  gatherMotion(scratch, ships, slots, count)
  gatherLowTriples(scratch.positionLow, ships.positionLow, slots, count)
  gatherLowTriples(scratch.velocityLow, ships.velocityLow, slots, count)
}

function scatter(scratch: StepScratch, ships: ShipColumns, slots: Int32Array, count: number): void {
  scatterTriples(ships.endPosition, scratch.position, slots, count)
  scatterLowTriples(ships.endPositionLow, scratch.positionLow, slots, count)
  scatterTriples(ships.endVelocity, scratch.velocity, slots, count)
  scatterLowTriples(ships.endVelocityLow, scratch.velocityLow, slots, count)
  scatterTriples(ships.endGravity, scratch.gravity, slots, count)
}
