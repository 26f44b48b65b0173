import type { ModuleRoom } from '@orrery/engine/modules'
import { PLAN, PLAN_DOUBLES, isDocked } from '@orrery/sim'

/** Id of the station that a ship is docked at; null in flight. */
export function stationOf({ roster, state }: ModuleRoom, slot: number): string | null {
  const { ships } = state
  if (!isDocked(ships, slot)) return null
  const rail = ships.plan[PLAN_DOUBLES * slot + PLAN.target]
  for (const [id, row] of roster.rails) if (row === rail) return id
  return null
}
