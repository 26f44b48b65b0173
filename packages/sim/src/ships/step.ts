import { type Method, SRKN11B, SRKN6B } from '../ephemeris/methods.ts'
import { TURNING } from '../attitude/attitude-mode.ts'
import { QUANTA_PER_SECOND } from '../lattice.ts'
import { emptyClassOf } from '../state/class-table.ts'
import type { ShipColumns } from '../state/state.ts'
import { isDocked, rideRails } from './docked.ts'
import { type Field, writeStage } from '../field/field.ts'
import { isPowered } from './hull-row.ts'
import { stepHulls } from './hull-steps.ts'
import {
  gatherLowTriples,
  gatherTriples,
  scatterLowTriples,
  scatterTriples,
} from './slot-columns.ts'
import { STAGE, type StepScratch } from '../field/step-scratch.ts'
import type { Stepper } from './stepper.ts'

/** Stands for a method where a docked ship is: nothing is integrated. */
const ON_RAILS: Method = { ...SRKN11B, name: 'on rails', evaluations: 0, a: [], b: [] }

/** Coasting ships take long steps of order six; thrust and turning need short ones. */
export function stepMethod(ships: ShipColumns, slot: number): Method {
  if (isDocked(ships, slot)) return ON_RAILS
  return isPowered(ships, slot) || ships.attitudeMode[slot] === TURNING ? SRKN6B : SRKN11B
}

/**
 * Integrates ships that share class, reference body, method, start and length from their start
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
  if (method === ON_RAILS) return rideRails(stepper, count, n, quanta)
  const { state, slots, scratch } = stepper
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
  if (powered) addPayloads(scratch, state.ships, slots, count)
  field.kernel.step(scratch, count, last, powered ? emptyClassOf(state, slots[0]).dryMass : 0)
  scatter(scratch, state.ships, slots, count)
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

/** Payloads differ within a class: the kernel has them with the fuel of each row. */
function addPayloads(
  { endFuel, fuel }: StepScratch,
  { payload }: ShipColumns,
  slots: Int32Array,
  count: number,
): void {
  for (let row = 0; row < count; row++) {
    fuel[row] += payload[slots[row]]
    endFuel[row] += payload[slots[row]]
  }
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
