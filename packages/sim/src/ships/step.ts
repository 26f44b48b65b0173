import { type Method, SRKN11B, SRKN6B } from '../ephemeris/methods.ts'
import { LOCKED, TURNING } from '../attitude/attitude-mode.ts'
import { makeAttitudeStep, thrustDirection } from '../attitude/attitude-step.ts'
import { CHUNK_SLOTS, QUANTA_PER_SECOND } from '../lattice.ts'
import type { ShipColumns, WorldState } from '../state/state.ts'
import { type Field, writeStage } from './field.ts'
import type { ShipClass } from './ship-class.ts'
import { NO_AIM, extrapolateTarget, watches } from './sighting.ts'
import {
  copyQuaternions,
  copyTriples,
  gatherLowTriples,
  gatherTriples,
  scatterLowTriples,
  scatterTriples,
} from './slot-columns.ts'
import { type Allocate, STAGE, type StepScratch, createStepScratch } from './step-scratch.ts'

/** What one thread makes steps with. */
export interface Stepper {
  readonly state: WorldState
  readonly ship: ShipClass
  /** the ships of the step being made, at most one chunk */
  readonly slots: Int32Array
  readonly scratch: StepScratch
  readonly nose: Float64Array
  readonly aim: Float64Array
}

export function createStepper(state: WorldState, ship: ShipClass, allocate: Allocate): Stepper {
  const bodiesMax = state.system.bodies.length
  return {
    state,
    ship,
    slots: new Int32Array(CHUNK_SLOTS),
    scratch: createStepScratch(bodiesMax, allocate),
    nose: new Float64Array(3),
    aim: new Float64Array(6),
  }
}

/** Coasting ships take long steps of order six; thrust and turning need short ones. */
export function stepMethod(ships: ShipColumns, slot: number): Method {
  return isPowered(ships, slot) || ships.attitudeMode[slot] === TURNING ? SRKN6B : SRKN11B
}

export function isPowered(ships: ShipColumns, slot: number): boolean {
  return ships.thrustLevel[slot] > 0 && ships.fuel[slot] > 0
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
  const { state, ship, slots, scratch, aim } = stepper
  const { ships } = state
  const h = quanta / QUANTA_PER_SECOND
  keepAttitudes(ships, slots, count)
  let powered = false
  for (let i = 0; i < count; i++) {
    const slot = slots[i]
    const watching = watches(ships, slot)
    if (watching) extrapolateTarget(aim, state, slot, field.reference, n)
    if (ships.attitudeMode[slot] !== LOCKED) {
      makeAttitudeStep(ships, ship, slot, quanta, watching ? aim : NO_AIM)
    }
    if (isPowered(ships, slot)) {
      burn(stepper, slot, quanta, watching ? aim : NO_AIM)
      powered = true
    } else coast(ships, slot)
  }
  gather(scratch, ships, slots, count)
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
  scatter(scratch, ships, slots, count)
}

/** What a step of every locked hull does to its attitude, and the beginning of all others'. */
function keepAttitudes(ships: ShipColumns, slots: Int32Array, count: number): void {
  copyQuaternions(ships.endAttitude, ships.attitude, slots, count)
  copyTriples(ships.endWheelMomentum, ships.wheelMomentum, slots, count)
  copyTriples(ships.endAngularMomentum, ships.angularMomentum, slots, count)
}

function coast({ force, fuel, endFuel }: ShipColumns, slot: number): void {
  for (let i = 3 * slot; i < 3 * slot + 3; i++) force[i] = 0
  endFuel[slot] = fuel[slot]
}

/**
 * Decides the step's constant force and the fuel it takes: along the nose at the step's middle,
 * throttled in the step that empties the tank so that it ends with none.
 */
function burn(
  { state, ship, nose }: Stepper,
  slot: number,
  quanta: number,
  aim: Float64Array,
): void {
  const { ships } = state
  const { force, fuel, endFuel, thrustLevel } = ships
  let thrust = ship.thrustMax * thrustLevel[slot]
  let used = (thrust / ship.exhaustVelocity) * (quanta / QUANTA_PER_SECOND)
  if (used >= fuel[slot]) {
    thrust *= fuel[slot] / used
    used = fuel[slot]
  }
  endFuel[slot] = fuel[slot] - used
  thrustDirection(nose, ships, ship, slot, quanta, aim)
  for (let axis = 0; axis < 3; axis++) force[3 * slot + axis] = thrust * nose[axis]
}

/** Copies what start columns hold of the motion of ships to rows of the scratch. */
export function gatherMotion(
  scratch: StepScratch,
  ships: ShipColumns,
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
  gatherTriples(scratch.force, ships.force, slots, count)
  for (let row = 0; row < count; row++) {
    scratch.fuel[row] = ships.fuel[slots[row]]
    scratch.endFuel[row] = ships.endFuel[slots[row]]
  }
}

function scatter(scratch: StepScratch, ships: ShipColumns, slots: Int32Array, count: number): void {
  scatterTriples(ships.endPosition, scratch.position, slots, count)
  scatterLowTriples(ships.endPositionLow, scratch.positionLow, slots, count)
  scatterTriples(ships.endVelocity, scratch.velocity, slots, count)
  scatterLowTriples(ships.endVelocityLow, scratch.velocityLow, slots, count)
  scatterTriples(ships.endGravity, scratch.gravity, slots, count)
}
