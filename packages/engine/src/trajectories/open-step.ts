import { FLYING, type WorldState, endPull, shipClassOf, startPull } from '@orrery/sim'

/** Ships whose open steps are read: of a world, or of a stage. */
export interface Ships {
  readonly state: WorldState
}

/** Places in the values of an open step: three each, at its start and its end. */
export const STEP = {
  position: 0,
  velocity: 3,
  acceleration: 6,
  endPosition: 9,
  endVelocity: 12,
  endAcceleration: 15,
} as const

/** The open step of one ship; a frozen one has its end at its start. */
export interface OpenStep {
  number: number
  reference: number
  condition: number
  /** lattice indices */
  start: number
  end: number
  /** see `STEP` */
  readonly values: Float64Array
}

export function createOpenStep(): OpenStep {
  const values = new Float64Array(18)
  return { number: 0, reference: 0, condition: 0, start: 0, end: 0, values }
}

export function readOpenStep(out: OpenStep, { state }: Ships, slot: number): void {
  const { ships } = state
  const { values } = out
  const ship = shipClassOf(state, slot)
  const isFlying = ships.condition[slot] === FLYING
  out.number = ships.shipNumber[slot]
  out.reference = ships.reference[slot]
  out.condition = ships.condition[slot]
  out.start = ships.stepStart[slot]
  out.end = isFlying ? ships.stepEnd[slot] : out.start
  for (let axis = 0; axis < 3; axis++) {
    const i = 3 * slot + axis
    values[STEP.position + axis] = ships.position[i]
    values[STEP.velocity + axis] = ships.velocity[i]
    values[STEP.acceleration + axis] = isFlying ? startPull(ships, slot, ship, axis) : 0
    values[STEP.endPosition + axis] = isFlying ? ships.endPosition[i] : ships.position[i]
    values[STEP.endVelocity + axis] = isFlying ? ships.endVelocity[i] : ships.velocity[i]
    values[STEP.endAcceleration + axis] = isFlying ? endPull(ships, slot, ship, axis) : 0
  }
}
