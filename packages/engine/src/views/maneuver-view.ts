import { ELEMENT_ERRORS, PLAN, PLAN_DOUBLES, planOutlook } from '@orrery/sim'
import type { ManeuverPhase, ManeuverType } from '../world/maneuver.ts'
import { PHASE_TEXTS, elementErrors } from '../maneuvers/maneuver-texts.ts'
import { targetBodyOf, typeOf } from '../maneuvers/ordered-turn.ts'
import type { RosterEntry } from '../world/roster.ts'
import type { World } from '../world/world.ts'
import { targetDistance } from './target-distance.ts'

/** A maneuver under way, as its pilot sees it. */
export interface ManeuverView {
  readonly type: ManeuverType
  readonly phase: ManeuverPhase
  readonly statusText: string
  /** lattice index at which it began */
  readonly since: number
  /** id of a ship, station or gate */
  readonly targetId: string | null
  readonly targetBody: string | null
  /** what elements differ from wanted, by name */
  readonly elementErrors: Readonly<Record<string, number>> | null
  /** to the target's centre, at the moment of the view [m] */
  readonly distance: number | null
  /** of thrust at this place, 0 to 1 */
  readonly effectivity: number | null
  /** spent so far [m/s] */
  readonly deltaV: number
  /** lattice index at which the next burn begins; null while none is scheduled */
  readonly nextBurnAt: number | null
  /** lattice index at which its plan expects to arrive; null where it does not know */
  readonly expectedEnd: number | null
  /** that its plan expects to spend on the way [m/s]; null likewise */
  readonly expectedDeltaV: number | null
}

/** Null when no maneuver is under way. */
export function maneuverView(world: World, ship: RosterEntry, offset: number): ManeuverView | null {
  const { maneuvers, state } = world
  const { number, slot } = ship
  const open = maneuvers.open.get(number)
  if (!open) return null
  const at = PLAN_DOUBLES * slot
  const row = state.ships.plan.subarray(at, at + PLAN_DOUBLES)
  const known = (place: number): number | null =>
    open.order && row[place] >= 0 ? row[place] : null
  const errors = ELEMENT_ERRORS.map((_, i) => known(PLAN.errors + i))
  const outlook = open.order && planOutlook(state.ships, slot)
  return {
    type: typeOf(open),
    phase: open.phase,
    statusText: PHASE_TEXTS[open.phase],
    since: open.since,
    targetId: open.targetId,
    targetBody: targetBodyOf(state.system, open),
    elementErrors: elementErrors(errors),
    distance: targetDistance(world, ship, open, offset),
    effectivity: known(PLAN.effectivity),
    deltaV: known(PLAN.spent) ?? 0,
    nextBurnAt: outlook?.nextBurnAt ?? null,
    expectedEnd: outlook?.arrivesAt ?? null,
    expectedDeltaV: outlook?.deltaV ?? null,
  }
}
