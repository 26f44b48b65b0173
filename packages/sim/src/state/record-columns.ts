import { HULL_POINTINGS } from './pointings.ts'

const CODES = HULL_POINTINGS.map((name, code) => `${code} ${name}`).join(', ')

/**
 * A whole step: the quintic through position, velocity and acceleration at both ends, relative to
 * `reference`. The step of a frozen ship ends at its start.
 */
export const ARC_COLUMNS = [
  { name: 'number', type: 'u32', components: 1, unit: 'ship' },
  { name: 'reference', type: 'i32', components: 1, unit: 'body index' },
  { name: 'start', type: 'f64', components: 1, unit: 'quanta' },
  { name: 'end', type: 'f64', components: 1, unit: 'quanta' },
  { name: 'position', type: 'f64', components: 3, unit: 'm' },
  { name: 'velocity', type: 'f64', components: 3, unit: 'm/s' },
  { name: 'acceleration', type: 'f64', components: 3, unit: 'm/s²' },
  { name: 'endPosition', type: 'f64', components: 3, unit: 'm' },
  { name: 'endVelocity', type: 'f64', components: 3, unit: 'm/s' },
  { name: 'endAcceleration', type: 'f64', components: 3, unit: 'm/s²' },
] as const

/** A step that begins with the motion and acceleration that the one before ends with. */
export const NEXT_STEP_COLUMNS = [
  { name: 'number', type: 'u32', components: 1, unit: 'ship' },
  { name: 'end', type: 'i32', components: 1, unit: 'quanta after the published index' },
  { name: 'endPosition', type: 'f64', components: 3, unit: 'm' },
  { name: 'endVelocity', type: 'f64', components: 3, unit: 'm/s' },
  { name: 'endAcceleration', type: 'f64', components: 3, unit: 'm/s²' },
] as const

/** A short step that begins with the motion alone. */
export const BURN_COLUMNS = [
  { name: 'number', type: 'u32', components: 1, unit: 'ship' },
  { name: 'end', type: 'i32', components: 1, unit: 'quanta after the published index' },
  { name: 'endPosition', type: 'f64', components: 3, unit: 'm' },
  { name: 'endVelocity', type: 'f64', components: 3, unit: 'm/s' },
  { name: 'acceleration', type: 'f32', components: 3, unit: 'm/s²' },
  { name: 'endAcceleration', type: 'f32', components: 3, unit: 'm/s²' },
] as const

/**
 * Attitude and engine from `start` on. A locked hull whose pointing follows the trajectory has the
 * attitude of that pointing; every other turns at `rate` from `attitude`. Fuel changes by `flow`.
 */
export const HULL_COLUMNS = [
  { name: 'number', type: 'u32', components: 1, unit: 'ship' },
  { name: 'aim', type: 'i32', components: 1, unit: 'body index, row of rails, or ship number' },
  { name: 'start', type: 'f64', components: 1, unit: 'quanta' },
  { name: 'fuel', type: 'f64', components: 1, unit: 'kg' },
  { name: 'flow', type: 'f64', components: 1, unit: 'kg/s, negative while it burns' },
  { name: 'attitude', type: 'f32', components: 4, unit: 'w x y z' },
  { name: 'rate', type: 'f32', components: 3, unit: 'rad/s, body axes' },
  { name: 'wheels', type: 'f32', components: 3, unit: '0 to 1 of their capacity' },
  { name: 'thrustLevel', type: 'f32', components: 1, unit: '0 to 1' },
  { name: 'condition', type: 'u8', components: 1, unit: '1 flying, 2 frozen' },
  { name: 'mode', type: 'u8', components: 1, unit: '0 locked, 1 turning, 2 free' },
  // Declarations are made without inference.
  // oxlint-disable-next-line typescript/no-unnecessary-type-assertion
  { name: 'pointing', type: 'u8', components: 1, unit: CODES as string },
  { name: 'aimKind', type: 'u8', components: 1, unit: '0 none, 1 body, 2 rail, 3 ship' },
] as const
