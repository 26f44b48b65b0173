import type { Pointing } from '@orrery/sim'

/** Maneuvers of the core: a turn to an attitude or a pointing, and the end of all rotation. */
export type ManeuverType = 'attitude' | 'kill_rotation'

/**
 * Phase of a maneuver: the target is not seen yet, the hull turns, the hull is locked, the hull is
 * free.
 */
export type ManeuverPhase = 'seeking' | 'turning' | 'locked' | 'free'

/**
 * What can happen in a maneuver. It begins with `started`, and ends with one of `completed` (the
 * hull is where it should be), `aborted` (by its pilot, or with the ship's leaving), `replaced`
 * (by the next one, which starts at the same index) and `failed`.
 */
export type ManeuverEventType =
  | 'started'
  | 'phase_changed'
  | 'completed'
  | 'aborted'
  | 'replaced'
  | 'failed'

/** A hull when an order to turn acted. */
export interface OrderDetails {
  /** to turn by [rad]; null where the target is not seen yet */
  readonly angle: number | null
  /** of the hull [rad/s] */
  readonly rate: number
  /** body axes [N m s] */
  readonly wheelMomentum: readonly [number, number, number]
}

/**
 * Something that happened in a ship's maneuver; system, index, ship and ordinal are its key in an
 * era.
 */
export interface ManeuverEvent {
  readonly systemId: string
  readonly shipId: string
  readonly shipNumber: number
  /** lattice index */
  readonly index: number
  /** place among all that can happen to a ship at one index */
  readonly ordinal: number
  /** tick that brought it */
  readonly tick: number
  readonly maneuverType: ManeuverType
  readonly eventType: ManeuverEventType
  /** from now on */
  readonly phase: ManeuverPhase
  /** until now; null at the start */
  readonly fromPhase: ManeuverPhase | null
  /** to the target, when the hull has locked on one [m] */
  readonly distance: number | null
  /** why it ended, where the type does not show it */
  readonly statusText: string | null
  /** the body it ran into, or the one the ship is near */
  readonly referenceBody: string
  readonly targetId: string | null
  readonly pointing: Pointing | null
  /** w, x, y, z as ordered */
  readonly attitude: readonly [number, number, number, number] | null
  /** lattice index at which the maneuver began */
  readonly since: number
  /** of a start, where every event is emitted */
  readonly details: OrderDetails | null
}

/** Which events of the ships' maneuvers are emitted. */
export const MANEUVER_LEVELS = ['verbose', 'normal', 'off'] as const

export type ManeuverLevel = (typeof MANEUVER_LEVELS)[number]

/** The attitude or target ordered for a hull. */
export interface OrderedTurn {
  readonly pointing: Pointing | null
  /** w, x, y, z as ordered */
  readonly attitude: readonly [number, number, number, number] | null
  /** number of the ship to point at */
  readonly target: number | null
}

/** A maneuver that has begun and not ended. */
export interface OpenManeuver extends OrderedTurn {
  readonly targetId: string | null
  /** lattice index at which it began */
  readonly since: number
  readonly phase: ManeuverPhase
}

/** Maneuvers under way, and which of their events are emitted. */
export interface ManeuverLog {
  level: ManeuverLevel
  /** numbers of the ships whose every event is emitted, at any level */
  readonly debugged: Set<number>
  /** by ship number */
  readonly open: Map<number, OpenManeuver>
  /** events that are not emitted yet */
  unpublished: UnpublishedEvent[]
}

export type UnpublishedEvent = Omit<ManeuverEvent, 'tick'>

export function createManeuverLog(): ManeuverLog {
  return { level: 'normal', debugged: new Set(), open: new Map(), unpublished: [] }
}
