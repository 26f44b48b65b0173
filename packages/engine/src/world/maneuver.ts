import type { FlownManeuver, ManeuverOrder, Phase, Pointing, Reason } from '@orrery/sim'

/**
 * A turn to an attitude or a pointing, the end of all rotation, or what the autopilot flies.
 */
export type ManeuverType = 'attitude' | 'kill_rotation' | FlownManeuver

/**
 * Phase of a maneuver. Of a turn: the target is not seen yet, the hull turns, the hull is locked,
 * the hull is free.
 */
export type ManeuverPhase = 'seeking' | 'turning' | 'locked' | 'free' | Phase

/**
 * What can happen in a maneuver. It begins with `started`, and ends with one of `completed` (the
 * hull or the ship is where it should be), `aborted` (by its pilot, or with the ship's leaving),
 * `replaced` (by the next one, which starts at the same index) and `failed`. What the autopilot
 * flies is sampled on its way.
 */
export type ManeuverEventType =
  | 'started'
  | 'phase_changed'
  | 'sample'
  | 'completed'
  | 'aborted'
  | 'replaced'
  | 'failed'

/**
 * What else can happen to a ship: it ran into a body, cannot be flown on, has burnt what it was to
 * burn, lies at a station or leaves it, is full again, was destroyed by a module, left for another
 * star system or came from one, was taken out of the world.
 */
export type ShipHappening =
  | 'impact'
  | 'frozen'
  | 'burn_ended'
  | 'docked'
  | 'undocked'
  | 'refuelled'
  | 'destroyed'
  | 'departed'
  | 'arrived'
  | 'removed'

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
 * Something that happened in a ship's maneuver, or to the ship; system, index, ship and ordinal are
 * its key in an era.
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
  /** null for what happened to the ship */
  readonly maneuverType: ManeuverType | null
  readonly eventType: ManeuverEventType | ShipHappening
  /** from now on; null likewise */
  readonly phase: ManeuverPhase | null
  /** until now; null at the start */
  readonly fromPhase: ManeuverPhase | null
  /** to the target, when the hull has locked on one or the autopilot flies to it [m] */
  readonly distance: number | null
  /** what elements differ from wanted, see `ELEMENT_ERRORS` of the core */
  readonly elementErrors: Readonly<Record<string, number>> | null
  /** of thrust at this place, 0 to 1 */
  readonly effectivity: number | null
  /** why it ended, where the type does not show it */
  readonly statusText: string | null
  /** the body it ran into, or the one the ship is near */
  readonly referenceBody: string
  /** id of a ship, station or gate; of the gate that a ship comes out of */
  readonly targetId: string | null
  readonly targetBody: string | null
  /** ids of the star systems that a ship passes between */
  readonly systems?: { readonly from: string; readonly to: string }
  readonly pointing: Pointing | null
  /** w, x, y, z as ordered */
  readonly attitude: readonly [number, number, number, number] | null
  /** body axes [rad/s], as ordered */
  readonly angularRate: readonly [number, number, number] | null
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
  /** body index to point at */
  readonly body?: number
  /** id of the station or gate to point at */
  readonly railId?: string
  /** rate to turn at, body axes [rad/s] */
  readonly angularRate?: readonly [number, number, number]
  /** what the autopilot is to fly */
  readonly order?: ManeuverOrder
}

/** A maneuver that has begun and not ended. */
export interface OpenManeuver extends OrderedTurn {
  readonly targetId: string | null
  /** lattice index at which it began */
  readonly since: number
  readonly phase: ManeuverPhase
}

/** Why a maneuver has failed. */
export type FailureReason = Reason | 'frozen'

/** The last maneuver of a ship, until the next order. */
export interface EndedManeuver {
  readonly type: ManeuverType
  readonly outcome: 'completed' | 'aborted' | 'failed'
  /** at its end */
  readonly phase: ManeuverPhase
  /** null unless it has failed */
  readonly reason: FailureReason | null
  readonly statusText: string | null
  /** lattice indices at which it began and ended */
  readonly since: number
  readonly endedAt: number
  /** id of a ship, station or gate */
  readonly targetId: string | null
  readonly targetBody: string | null
}

/** Maneuvers under way, and which of their events are emitted. */
export interface ManeuverLog {
  level: ManeuverLevel
  /** numbers of the ships whose every event is emitted, at any level */
  readonly debugged: Set<number>
  /** by ship number */
  readonly open: Map<number, OpenManeuver>
  /** the last ones, by ship number, until the next begins */
  readonly ended: Map<number, EndedManeuver>
  /** numbers of ships whose autopilot has begun since the last look; undefined until the first */
  begun: Set<number> | undefined
  /** events that are not emitted yet */
  unpublished: UnpublishedEvent[]
}

export type UnpublishedEvent = Omit<ManeuverEvent, 'tick'>

export function createManeuverLog(): ManeuverLog {
  return {
    level: 'normal',
    debugged: new Set(),
    open: new Map(),
    ended: new Map(),
    begun: undefined,
    unpublished: [],
  }
}
