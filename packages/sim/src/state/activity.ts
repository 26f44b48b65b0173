/**
 * What a ship's autopilot does, as kept in `activity`; 0 is nothing. A code is a place in this
 * list: later ones are added at its end.
 */
export const ACTIVITIES = [
  'none',
  'circularize',
  'set_orbit',
  'transfer',
  'rendezvous',
  'hold_station',
  'escape',
  'dock',
  'docked',
  'plan',
] as const

export type Activity = (typeof ACTIVITIES)[number]

/** The activity of a ship without an autopilot. */
export const IDLE = 0

/** The code of `docked`, as a literal: every step of every ship compares with it. */
export const DOCKED = 8

/** The code of `plan`, likewise: its ship has a row of `burnNodes`. */
export const PLANNED = 9

/** Stages of a plan, as kept in its row; each program uses some of them. */
export const PHASES = [
  'planning',
  'waiting',
  'turning',
  'burning',
  'trimming',
  'coasting',
  'correcting',
  'approaching',
  'arriving',
  'capturing',
  'thrusting',
  'holding',
  'docking',
] as const

export type Phase = (typeof PHASES)[number]

/** Why a plan fails. */
export const REASONS = [
  'none',
  'out_of_fuel',
  'unreachable',
  'timed_out',
  'target_lost',
  'impact',
  'let_go',
  'late',
] as const

export type Reason = (typeof REASONS)[number]

/** How the last maneuver ended, as kept in `maneuverEnd`: `none` while one is under way. */
export const MANEUVER_ENDS = ['none', 'completed', 'failed', 'aborted'] as const

export type ManeuverEnd = (typeof MANEUVER_ENDS)[number]

export const ENDED_COMPLETED = 1
export const ENDED_FAILED = 2
export const ENDED_ABORTED = 3

/** What a plan is directed at, as kept in its row. */
export const TARGETS = ['none', 'body', 'rail', 'ship'] as const

export type TargetKind = (typeof TARGETS)[number]
