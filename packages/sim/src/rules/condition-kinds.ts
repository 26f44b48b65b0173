/** What a rule's condition measures, as kept in `whenKind`. */
export const CONDITION_KINDS = [
  'altitude',
  'distance',
  'speed',
  'fuel',
  'apsis',
  'time',
  'maneuver_end',
  'module',
] as const

export type ConditionKind = (typeof CONDITION_KINDS)[number]

export const ALTITUDE = 0
export const SPEED = 2
export const FUEL = 3
export const APSIS = 4
export const TIME = 5
export const MANEUVER_END = 6
/** Of a game's own columns, which no thread has: whether it holds comes from outside. */
export const MODULE = 7
