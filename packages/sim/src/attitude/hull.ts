import type { ShipColumns } from '../state/state.ts'

/** Start columns that a hull turns by, of ships or of copies of them. */
export type HullColumns = Pick<
  ShipColumns,
  | 'position'
  | 'velocity'
  | 'gravity'
  | 'fuel'
  | 'thrustLevel'
  | 'attitude'
  | 'angularMomentum'
  | 'wheelMomentum'
  | 'attitudeMode'
  | 'pointing'
>

/** Hulls on their way through a step. */
export interface Hulls extends HullColumns {
  /** w x y z */
  readonly targetAttitude: Float64Array
  /** at the step's end */
  readonly endAttitude: Float64Array
  /** at the step's end, body axes [N m s] */
  readonly endWheelMomentum: Float64Array
}

/** One hull, to be written into. */
export function createHull(): Hulls {
  return {
    position: new Float64Array(3),
    velocity: new Float64Array(3),
    gravity: new Float64Array(3),
    fuel: new Float64Array(1),
    thrustLevel: new Float64Array(1),
    attitude: new Float64Array(4),
    angularMomentum: new Float64Array(3),
    wheelMomentum: new Float64Array(3),
    attitudeMode: new Uint8Array(1),
    pointing: new Uint8Array(1),
    targetAttitude: new Float64Array(4),
    endAttitude: new Float64Array(4),
    endWheelMomentum: new Float64Array(3),
  }
}
