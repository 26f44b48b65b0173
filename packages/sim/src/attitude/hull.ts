import { copyQuaternion } from '../math/quaternion.ts'
import { copyTriple } from '../math/triple.ts'
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
  | 'wheelsKept'
>

/** Hulls on their way through a step. */
export interface Hulls extends HullColumns {
  /** w x y z; of a hull that is to spin x y z of its rate, body axes [rad/s] */
  readonly targetAttitude: Float64Array
  /** at the step's end */
  readonly endAttitude: Float64Array
  /** at the step's end, body axes [N m s] */
  readonly endWheelMomentum: Float64Array
  /** wanted of the wheels over the step, body axes [N m] */
  readonly torque: Float64Array
}

/** Rows of hulls, to be written into. */
export function createHulls(rows: number): Hulls {
  const values = (components: number): Float64Array => new Float64Array(rows * components)
  return {
    position: values(3),
    velocity: values(3),
    gravity: values(3),
    fuel: values(1),
    thrustLevel: values(1),
    attitude: values(4),
    angularMomentum: values(3),
    wheelMomentum: values(3),
    attitudeMode: new Uint8Array(rows),
    pointing: new Uint8Array(rows),
    wheelsKept: new Uint8Array(rows),
    targetAttitude: values(4),
    endAttitude: values(4),
    endWheelMomentum: values(3),
    torque: values(3),
  }
}

/** Makes the end of a hull's step its start. */
export function restAtEnd(hulls: Hulls, row: number): void {
  copyQuaternion(hulls.endAttitude, 4 * row, hulls.attitude, 4 * row)
  copyTriple(hulls.endWheelMomentum, 3 * row, hulls.wheelMomentum, 3 * row)
}
