import {
  PLAN,
  PLAN_DOUBLES,
  QUANTA_PER_SECOND,
  type Reason,
  failPlan,
  shipClassOf,
} from '@orrery/sim'
import { EngineError } from '../engine-error.ts'
import type { RosterEntry } from '../world/roster.ts'
import type { World } from '../world/world.ts'
import { failure } from './maneuver-end.ts'
import { endNow } from './maneuver-log.ts'
import { failureText, foreseenText } from './maneuver-texts.ts'

/** What no burn is as small as [m/s]: masses are rounded. */
const SPENT = 1e-6

/** How a flight ends that was flown ahead. */
export interface ForeseenFailure {
  readonly reason: Reason
  /** lattice index */
  readonly endsAt: number
  /** what it takes, where that is known [m/s], [s] */
  readonly needs?: { readonly deltaV: number; readonly seconds: number }
}

/** Ends a maneuver that has not burnt as it would end later; the server's own. */
export interface FailManeuver extends ForeseenFailure {
  readonly kind: 'fail_maneuver'
  readonly shipId: string
  /** lattice index at which it began */
  readonly since: number
}

/** @throws {EngineError} 'ERR_NO_MANEUVER' when it has ended or burnt */
export function failManeuver(
  world: World,
  ship: RosterEntry,
  { since, reason, endsAt, needs }: FailManeuver,
): void {
  if (!isUnburnt(world, ship, since)) {
    throw new EngineError('ERR_NO_MANEUVER', 'The maneuver has ended, or has burnt.')
  }
  const { flight, index, state } = world
  const why = failureText({ reason, ...(needs && { needs }) }, shipClassOf(state, ship.slot))
  const text = foreseenText((endsAt - index) / QUANTA_PER_SECOND, lowerFirst(why))
  endNow(world, ship, failure(reason, undefined, text))
  failPlan(flight, ship.slot, index)
}

/** Whether what the autopilot began at an index is under way, and no engine has run for it. */
export function isUnburnt(world: World, { number, slot }: RosterEntry, since: number): boolean {
  const { plan, thrustLevel } = world.state.ships
  const open = world.maneuvers.open.get(number)
  if (!open?.order || open.since !== since) return false
  return thrustLevel[slot] === 0 && plan[PLAN_DOUBLES * slot + PLAN.spent] < SPENT
}

function lowerFirst(text: string): string {
  return text.charAt(0).toLowerCase() + text.slice(1)
}
