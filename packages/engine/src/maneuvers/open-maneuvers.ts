import type { Pointing } from '@orrery/sim'
import type { ManeuverEvent, ManeuverPhase } from './maneuver-event.ts'

/** How much of the ships' maneuvers is told. */
export const MANEUVER_LEVELS = ['verbose', 'normal', 'off'] as const

export type ManeuverLevel = (typeof MANEUVER_LEVELS)[number]

/** What a hull is to turn to. */
export interface Wish {
  readonly pointing: Pointing | null
  /** w, x, y, z as ordered */
  readonly attitude: readonly [number, number, number, number] | null
  /** number of the ship to point at */
  readonly target: number | null
}

/** A maneuver that has begun and not ended. */
export interface OpenManeuver extends Wish {
  readonly targetId: string | null
  /** lattice index at which it began */
  readonly since: number
  readonly phase: ManeuverPhase
}

/** What is under way, whoever is told of it, and how much of it is told. */
export interface ManeuverLog {
  level: ManeuverLevel
  /** numbers of the ships of which everything is told, whatever the level */
  readonly debugged: Set<number>
  /** by ship number */
  readonly open: Map<number, OpenManeuver>
  /** what is still to be told */
  untold: Untold[]
}

export type Untold = Omit<ManeuverEvent, 'tick'>

export function createManeuverLog(): ManeuverLog {
  return { level: 'normal', debugged: new Set(), open: new Map(), untold: [] }
}
