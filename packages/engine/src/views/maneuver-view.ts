import { ELEMENT_ERRORS, PLAN, PLAN_DOUBLES } from '@orrery/sim'
import type { ManeuverPhase, ManeuverType } from '../maneuvers/maneuver.ts'
import { typeOf } from '../maneuvers/maneuver-log.ts'
import { PHASE_TEXTS, elementErrors } from '../maneuvers/maneuver-texts.ts'
import type { RosterEntry } from '../world/roster.ts'
import type { World } from '../world/world.ts'

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
  /** to the target [m] */
  readonly distance: number | null
  /** of thrust at this place, 0 to 1 */
  readonly effectivity: number | null
  /** spent so far [m/s] */
  readonly deltaV: number
}

/** Null when no maneuver is under way. */
export function maneuverView(
  { maneuvers, state }: World,
  { number, slot }: RosterEntry,
): ManeuverView | null {
  const open = maneuvers.open.get(number)
  if (!open) return null
  const at = PLAN_DOUBLES * slot
  const row = state.ships.plan.subarray(at, at + PLAN_DOUBLES)
  const known = (place: number): number | null =>
    open.order && row[place] >= 0 ? row[place] : null
  const errors = ELEMENT_ERRORS.map((_, i) => known(PLAN.errors + i))
  const body = open.order?.body ?? open.body
  return {
    type: typeOf(open),
    phase: open.phase,
    statusText: PHASE_TEXTS[open.phase],
    since: open.since,
    targetId: open.targetId,
    targetBody: body === undefined ? null : state.system.bodies[body].name,
    elementErrors: elementErrors(errors),
    distance: known(PLAN.distance),
    effectivity: known(PLAN.effectivity),
    deltaV: known(PLAN.spent) ?? 0,
  }
}
