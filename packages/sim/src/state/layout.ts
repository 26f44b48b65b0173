import { digest, digestText } from './digest.ts'

/** How one value per ship, chunk or command is kept; `components` values stand side by side. */
export interface Column {
  readonly name: string
  readonly type: 'f64' | 'i32' | 'u32' | 'u8'
  readonly components: number
  readonly unit: string
}

/**
 * One ship: its state at the start of its open step, the state at the step's end, and what was
 * commanded. Positions are relative to `reference`, along inertial axes; `Low` columns hold the
 * part of a compensated sum that the double beside them could not.
 */
export const SHIP_COLUMNS = [
  { name: 'stepStart', type: 'f64', components: 1, unit: 'quanta' },
  { name: 'stepEnd', type: 'f64', components: 1, unit: 'quanta' },
  { name: 'position', type: 'f64', components: 3, unit: 'm' },
  { name: 'velocity', type: 'f64', components: 3, unit: 'm/s' },
  { name: 'positionLow', type: 'f64', components: 3, unit: 'm' },
  { name: 'velocityLow', type: 'f64', components: 3, unit: 'm/s' },
  { name: 'gravity', type: 'f64', components: 3, unit: 'm/s²' },
  { name: 'endPosition', type: 'f64', components: 3, unit: 'm' },
  { name: 'endVelocity', type: 'f64', components: 3, unit: 'm/s' },
  { name: 'endPositionLow', type: 'f64', components: 3, unit: 'm' },
  { name: 'endVelocityLow', type: 'f64', components: 3, unit: 'm/s' },
  { name: 'endGravity', type: 'f64', components: 3, unit: 'm/s²' },
  { name: 'force', type: 'f64', components: 3, unit: 'N' },
  { name: 'fuel', type: 'f64', components: 1, unit: 'kg' },
  { name: 'endFuel', type: 'f64', components: 1, unit: 'kg' },
  { name: 'attitude', type: 'f64', components: 4, unit: 'w x y z' },
  { name: 'endAttitude', type: 'f64', components: 4, unit: 'w x y z' },
  {
    name: 'angularMomentum',
    type: 'f64',
    components: 3,
    unit: 'N m s, inertial axes, hull and wheels',
  },
  { name: 'wheelMomentum', type: 'f64', components: 3, unit: 'N m s, body axes' },
  { name: 'endWheelMomentum', type: 'f64', components: 3, unit: 'N m s, body axes' },
  { name: 'targetAttitude', type: 'f64', components: 4, unit: 'w x y z' },
  { name: 'thrustLevel', type: 'f64', components: 1, unit: '0 to 1' },
  { name: 'shipNumber', type: 'u32', components: 1, unit: 'never reused' },
  { name: 'spawnKey', type: 'u32', components: 2, unit: 'digest of world seed and ship id' },
  { name: 'impacts', type: 'u32', components: 1, unit: 'count' },
  { name: 'reference', type: 'i32', components: 1, unit: 'body index' },
  { name: 'condition', type: 'u8', components: 1, unit: '0 empty, 1 flying, 2 frozen' },
  { name: 'attitudeMode', type: 'u8', components: 1, unit: '0 locked, 1 turning' },
] as const

/** One chunk of 256 slots: ships in it share the system and the phase of their steps. */
export const CHUNK_COLUMNS = [
  {
    name: 'chunkDue',
    type: 'f64',
    components: 1,
    unit: 'quanta: the of the next open step to end',
  },
  { name: 'chunkSystem', type: 'i32', components: 1, unit: 'system index; -1 when empty' },
  { name: 'chunkShips', type: 'i32', components: 1, unit: 'count' },
  { name: 'chunkOrderBegin', type: 'i32', components: 1, unit: 'row of the order table' },
  { name: 'chunkOrderEnd', type: 'i32', components: 1, unit: 'row of the order table' },
] as const

/** Control commands due in the running tick, sorted by chunk, index and sequence. */
export const ORDER_COLUMNS = [
  { name: 'orderIndex', type: 'f64', components: 1, unit: 'quanta' },
  { name: 'orderThrustLevel', type: 'f64', components: 1, unit: '0 to 1' },
  { name: 'orderAttitude', type: 'f64', components: 4, unit: 'w x y z' },
  { name: 'orderSlot', type: 'i32', components: 1, unit: 'slot' },
  { name: 'orderFields', type: 'u8', components: 1, unit: 'bit 0 thrust, bit 1 attitude' },
] as const

/** At most so many control commands act within one tick; the intake refuses more. */
export const ORDERS_MAX = 65_536

/** Bytes of one value of a column's type. */
export function valueBytes(column: Column): number {
  return column.type === 'f64' ? 8 : column.type === 'u8' ? 1 : 4
}

/** A digest of every column's name, type and width: two layouts are equal when it is. */
export const LAYOUT_DIGEST: string = digestText(
  digest(
    [...SHIP_COLUMNS, ...CHUNK_COLUMNS, ...ORDER_COLUMNS].map(
      (column: Column) => `${column.name} ${column.type} ${column.components}`,
    ),
  ),
)
