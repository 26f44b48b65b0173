import { digest, digestText } from './digest.ts'

/** How one value per ship, chunk or command is kept; `components` values stand side by side. */
export interface Column {
  readonly name: string
  readonly type: 'f64' | 'f32' | 'i32' | 'u32' | 'u8'
  readonly components: number
  readonly unit: string
}

/**
 * One ship at the start of its open step, and what was commanded: all that an image keeps.
 * Positions are relative to `reference`, along inertial axes; `Low` columns hold the part of a
 * compensated sum that the double beside them rounds away.
 */
export const START_COLUMNS = [
  { name: 'stepStart', type: 'f64', components: 1, unit: 'quanta' },
  { name: 'position', type: 'f64', components: 3, unit: 'm' },
  { name: 'velocity', type: 'f64', components: 3, unit: 'm/s' },
  { name: 'positionLow', type: 'f32', components: 3, unit: 'm' },
  { name: 'velocityLow', type: 'f32', components: 3, unit: 'm/s' },
  { name: 'gravity', type: 'f64', components: 3, unit: 'm/s²' },
  { name: 'fuel', type: 'f64', components: 1, unit: 'kg' },
  { name: 'attitude', type: 'f64', components: 4, unit: 'w x y z' },
  {
    name: 'angularMomentum',
    type: 'f64',
    components: 3,
    unit: 'N m s, inertial axes, hull and wheels',
  },
  { name: 'wheelMomentum', type: 'f64', components: 3, unit: 'N m s, body axes' },
  { name: 'thrustLevel', type: 'f64', components: 1, unit: '0 to 1' },
  { name: 'fuelFloor', type: 'f64', components: 1, unit: 'kg: the engine stops there' },
  { name: 'payload', type: 'f32', components: 1, unit: "kg, of a game's own rules" },
  { name: 'shipNumber', type: 'u32', components: 1, unit: 'never reused' },
  { name: 'spawnKey', type: 'u32', components: 2, unit: '2^-32: along and above its spawn orbit' },
  { name: 'reference', type: 'i32', components: 1, unit: 'body index' },
  { name: 'sighting', type: 'i32', components: 1, unit: 'row of the sighting table; -1 none' },
  { name: 'aim', type: 'i32', components: 1, unit: 'body index or row of the rails; -1 lost' },
  { name: 'condition', type: 'u8', components: 1, unit: '0 empty, 1 flying, 2 frozen' },
  { name: 'attitudeMode', type: 'u8', components: 1, unit: '0 locked, 1 turning, 2 free' },
  {
    name: 'pointing',
    type: 'u8',
    components: 1,
    unit: 'what the hull is turned to, see pointing.ts',
  },
  { name: 'activity', type: 'u8', components: 1, unit: 'of the autopilot, see activity.ts' },
  {
    name: 'aimKind',
    type: 'u8',
    components: 1,
    unit: 'of a target, see `TARGETS`; 0 with a sighting',
  },
  { name: 'wheelsKept', type: 'u8', components: 1, unit: '1: thrusters do not unload the wheels' },
  { name: 'maneuverEnd', type: 'u8', components: 1, unit: 'of the last one, see activity.ts' },
  { name: 'thrustCut', type: 'u8', components: 1, unit: "1/200 of the thrust, by a game's rules" },
  { name: 'ruleArmed', type: 'u32', components: 1, unit: 'a bit per rule' },
  { name: 'ruleHeld', type: 'u32', components: 1, unit: 'conditions that held at the last beat' },
] as const

/**
 * The open step of a ship, which follows from its start; but `hullStep` also holds an order, and
 * `plan` the autopilot, and class and rows of rules of a ship are given between ticks.
 */
export const STEP_COLUMNS = [
  { name: 'stepEnd', type: 'f64', components: 1, unit: 'quanta' },
  { name: 'endPosition', type: 'f64', components: 3, unit: 'm' },
  { name: 'endVelocity', type: 'f64', components: 3, unit: 'm/s' },
  { name: 'endPositionLow', type: 'f32', components: 3, unit: 'm' },
  { name: 'endVelocityLow', type: 'f32', components: 3, unit: 'm/s' },
  { name: 'endGravity', type: 'f64', components: 3, unit: 'm/s²' },
  { name: 'hullStep', type: 'f64', components: 15, unit: 'by `hullRow`, see hull-row.ts' },
  { name: 'impactAt', type: 'f64', components: 1, unit: 'quanta: the beat of a scheduled impact' },
  { name: 'hullRow', type: 'i32', components: 1, unit: 'from 1, in its chunk; 0 none' },
  { name: 'impactBody', type: 'i32', components: 1, unit: 'body the step runs into; -1 none' },
  { name: 'plan', type: 'f64', components: 80, unit: 'see plan.ts; 0 without activity' },
  { name: 'burnNodes', type: 'f64', components: 128, unit: 'see burn-node.ts; 0 without a plan' },
  { name: 'ruleAt', type: 'f64', components: 1, unit: 'quanta: beat of rules; 0 none, -1 cut' },
  { name: 'ruleFires', type: 'u32', components: 1, unit: 'rules that fire at `ruleAt`' },
  { name: 'ruleEndHeld', type: 'u32', components: 1, unit: '`ruleHeld` at the end' },
  { name: 'ruleRow', type: 'i32', components: 1, unit: 'first row of the rule table' },
  { name: 'ruleCount', type: 'u8', components: 1, unit: 'rows of the rule table' },
  { name: 'ruleWatching', type: 'u32', components: 1, unit: 'rules with a ship in the condition' },
  { name: 'shipClass', type: 'u8', components: 1, unit: 'row of the table of classes' },
] as const

export const SHIP_COLUMNS: readonly [...typeof START_COLUMNS, ...typeof STEP_COLUMNS] = [
  ...START_COLUMNS,
  ...STEP_COLUMNS,
]

/** One chunk of 256 slots: ships in it share the phase of their steps. */
export const CHUNK_COLUMNS = [
  { name: 'chunkDue', type: 'f64', components: 1, unit: 'quanta: when something happens next' },
  { name: 'chunkFires', type: 'f64', components: 1, unit: 'quanta: when a rule fires next' },
  { name: 'chunkHashedAt', type: 'f64', components: 1, unit: 'quanta: index of `chunkHash`' },
  { name: 'chunkHash', type: 'u32', components: 4, unit: 'digest of the chunk at `chunkHashedAt`' },
  { name: 'chunkShips', type: 'i32', components: 1, unit: 'count' },
  { name: 'chunkOrderBegin', type: 'i32', components: 1, unit: 'row of the order table' },
  { name: 'chunkOrderEnd', type: 'i32', components: 1, unit: 'row of the order table' },
  { name: 'chunkMeets', type: 'u8', components: 1, unit: '1: flown from beat to beat this tick' },
] as const

/** One row per chunk: the plan that one of its ships is about to have. */
export const NEXT_PLAN_COLUMNS = [
  { name: 'nextPlan', type: 'f64', components: 80, unit: 'see plan.ts' },
  { name: 'nextPlanSlot', type: 'i32', components: 1, unit: 'slot; -1 none' },
] as const

/** What a rule orders, see `ORDER_COLUMNS`. */
export const ACTION_COLUMNS = [
  { name: 'orderIndex', type: 'f64', components: 1, unit: 'quanta' },
  { name: 'orderThrustLevel', type: 'f64', components: 1, unit: '0 to 1' },
  {
    name: 'orderAttitude',
    type: 'f64',
    components: 4,
    unit: 'w x y z, or x y z of a rate [rad/s]',
  },
  { name: 'orderSlot', type: 'i32', components: 1, unit: 'slot' },
  { name: 'orderTarget', type: 'i32', components: 1, unit: 'slot of the ship to point at, or -1' },
  { name: 'orderSighting', type: 'i32', components: 1, unit: 'row of the sighting table' },
  { name: 'orderTargetNumber', type: 'u32', components: 1, unit: 'ship number' },
  { name: 'orderFields', type: 'u32', components: 1, unit: 'bits, see orders.ts' },
  { name: 'orderBurn', type: 'f64', components: 1, unit: 'm/s or s of a burn' },
  { name: 'orderActivity', type: 'u8', components: 1, unit: 'see activity.ts' },
  { name: 'orderTargetKind', type: 'u8', components: 1, unit: 'see `TARGETS`' },
  { name: 'orderPlace', type: 'i32', components: 1, unit: 'body index or row of the rails; -1' },
  { name: 'orderTimeout', type: 'f64', components: 1, unit: 's' },
  { name: 'orderParams', type: 'f64', components: 8, unit: 'see maneuver-order.ts' },
  { name: 'orderPointing', type: 'u8', components: 1, unit: 'see pointing.ts' },
  { name: 'orderWheelsKept', type: 'u8', components: 1, unit: 'as `wheelsKept`' },
  {
    name: 'orderReference',
    type: 'i32',
    components: 1,
    unit: 'body index; -1 changed no maneuver',
  },
  { name: 'orderOff', type: 'f64', components: 1, unit: 'sine of half the angle to turn by' },
  { name: 'orderRate', type: 'f64', components: 3, unit: 'rad/s, body axes' },
  { name: 'orderWheelMomentum', type: 'f64', components: 3, unit: 'N m s, body axes' },
] as const

const ORDER_NODES = {
  name: 'orderBurnNodes',
  type: 'f64',
  components: 128,
  unit: 'as `burnNodes`',
} as const

/**
 * Control commands due in the running tick, sorted by chunk, index and sequence; and the hull's
 * state when one turned it.
 */
export const ORDER_COLUMNS: readonly [...typeof ACTION_COLUMNS, typeof ORDER_NODES] = [
  ...ACTION_COLUMNS,
  ORDER_NODES,
]

/** The last sighting of each watching ship: its target's state at that beat. */
export const SIGHTING_COLUMNS = [
  { name: 'sightedAt', type: 'f64', components: 1, unit: 'quanta: a beat; -1 never' },
  { name: 'sightedPosition', type: 'f64', components: 3, unit: 'm, from `sightedReference`' },
  { name: 'sightedVelocity', type: 'f64', components: 3, unit: 'm/s' },
  { name: 'sightedAcceleration', type: 'f64', components: 3, unit: 'm/s²' },
  { name: 'sightedReference', type: 'i32', components: 1, unit: 'body index' },
  { name: 'watcher', type: 'i32', components: 1, unit: 'slot; -1 when the row is free' },
  { name: 'watched', type: 'i32', components: 1, unit: 'slot; -1 when the ship is gone' },
  { name: 'watchedNumber', type: 'u32', components: 1, unit: 'ship number' },
  { name: 'sightingUse', type: 'u8', components: 1, unit: 'what it is for, see sighting.ts' },
] as const

/**
 * Conditions of ships' rules, those of a ship in neighbouring rows. What a rule does is an order,
 * in the same row of a table with the columns of `ACTION_COLUMNS`.
 */
export const RULE_COLUMNS = [
  { name: 'whenValue', type: 'f64', components: 1, unit: 'SI; quanta of a time' },
  { name: 'whenTarget', type: 'i32', components: 1, unit: 'body index, or row of a rail' },
  { name: 'whenSighting', type: 'i32', components: 1, unit: 'row of the sighting table' },
  { name: 'whenKind', type: 'u8', components: 1, unit: 'see condition-kinds.ts' },
  { name: 'whenTargetKind', type: 'u8', components: 1, unit: 'see `TARGETS`' },
  { name: 'whenAbove', type: 'u8', components: 1, unit: '1: at or above the value; 0: below' },
  { name: 'ruleOnce', type: 'u8', components: 1, unit: '1: disarmed when it fires' },
  { name: 'ruleDigest', type: 'u32', components: 4, unit: 'digest of the definition' },
] as const

/** What stations and gates run on; written between ticks. */
export const RAIL_COLUMNS = [
  { name: 'railKind', type: 'u8', components: 1, unit: '0 free, 1 orbit, 2 Lagrange point' },
  { name: 'railParent', type: 'i32', components: 1, unit: 'body index' },
  { name: 'railRadius', type: 'f64', components: 1, unit: 'm' },
  { name: 'railPole', type: 'f64', components: 3, unit: 'unit vector' },
  { name: 'railRate', type: 'f64', components: 1, unit: 'parts of a turn per quantum' },
  { name: 'railEpoch', type: 'f64', components: 1, unit: 'quanta' },
  { name: 'railSecondary', type: 'i32', components: 1, unit: 'body index' },
  { name: 'railPoint', type: 'u8', components: 1, unit: '1 to 5' },
] as const

/** What ships of a class can do, see `ShipClass`; a row is written between ticks, once. */
export const CLASS_COLUMNS = [
  { name: 'className', type: 'u8', components: 32, unit: 'ASCII; zeros in a free row' },
  { name: 'dryMass', type: 'f64', components: 1, unit: 'kg' },
  { name: 'fuelCapacity', type: 'f64', components: 1, unit: 'kg' },
  { name: 'thrustMax', type: 'f64', components: 1, unit: 'N' },
  { name: 'exhaustVelocity', type: 'f64', components: 1, unit: 'm/s' },
  { name: 'inertia', type: 'f64', components: 3, unit: 'kg m²' },
  { name: 'wheelCapacity', type: 'f64', components: 3, unit: 'N m s' },
  { name: 'wheelTorque', type: 'f64', components: 3, unit: 'N m' },
  { name: 'thrusterArm', type: 'f64', components: 1, unit: 'm' },
  { name: 'thrusterExhaustVelocity', type: 'f64', components: 1, unit: 'm/s' },
  { name: 'turnSeconds', type: 'f64', components: 1, unit: 's' },
  { name: 'radius', type: 'f64', components: 1, unit: 'm' },
] as const

/** What happened to ships in the running tick, in no order. */
export const EVENT_COLUMNS = [
  { name: 'eventIndex', type: 'f64', components: 1, unit: 'quanta' },
  { name: 'eventShip', type: 'u32', components: 1, unit: 'ship number' },
  { name: 'eventBody', type: 'i32', components: 1, unit: 'body index' },
  { name: 'eventDistance', type: 'f64', components: 1, unit: 'm, or rules; see events.ts' },
  { name: 'eventKind', type: 'u8', components: 1, unit: 'see events.ts' },
  { name: 'eventRail', type: 'i32', components: 1, unit: 'row of the rails table' },
  { name: 'eventPhase', type: 'u8', components: 1, unit: 'of a plan, see activity.ts' },
  { name: 'eventFromPhase', type: 'u8', components: 1, unit: 'of a plan, see activity.ts' },
  { name: 'eventReason', type: 'u8', components: 1, unit: 'of a plan, see activity.ts' },
  { name: 'eventErrors', type: 'f64', components: 5, unit: 'see `ELEMENT_ERRORS`; -1 unknown' },
  { name: 'eventEffectivity', type: 'f64', components: 1, unit: '0 to 1; -1 unknown' },
  { name: 'eventNeeds', type: 'f64', components: 2, unit: 'm/s, s; -1 unknown' },
] as const

/** At most so many control commands act within one tick; the intake refuses more. */
export const ORDERS_MAX = 65_536

/** At most so many ships watch another; the intake refuses more. */
export const WATCHERS_MAX = 16_384

/** Rows of the rails table. */
export const RAILS_MAX = 1024

/** Rows of the table of classes. */
export const CLASSES_MAX = 64

/** Rows of the event table; a tick that has more counts what it could not write. */
export const EVENTS_MAX = 65_536

/** Rules of one ship at most. */
export const RULES_PER_SHIP = 32

const RULES_MAX = 524_288

/** Rows of the rule table of a state: enough for 100,000 ships with five rules each. */
export function ruleRows(slots: number): number {
  return Math.min(RULES_MAX, RULES_PER_SHIP * slots)
}

/** Bytes of one value of a column's type. */
export function valueBytes(column: Column): number {
  return column.type === 'f64' ? 8 : column.type === 'u8' ? 1 : 4
}

/** A digest of every column's name, type and width: two layouts are equal when it is. */
export const LAYOUT_DIGEST: string = digestText(
  digest(
    [
      ...SHIP_COLUMNS,
      ...CHUNK_COLUMNS,
      ...NEXT_PLAN_COLUMNS,
      ...ORDER_COLUMNS,
      ...SIGHTING_COLUMNS,
      ...RAIL_COLUMNS,
      ...CLASS_COLUMNS,
      ...RULE_COLUMNS,
      ...EVENT_COLUMNS,
    ].map((column: Column) => `${column.name} ${column.type} ${column.components}`),
  ),
)
