import type { ModuleRoom } from '@orrery/engine/modules'
import { PLAN, PLAN_DOUBLES, isDocked } from '@orrery/sim'

/** Id of the station that a ship is docked at; null in flight. */
export function stationOf({ roster, state }: ModuleRoom, slot: number): string | null {
  const { ships } = state
  if (!isDocked(ships, slot)) return null
  return stationOn(roster, ships.plan[PLAN_DOUBLES * slot + PLAN.target])
}

/** Id of the station on a row of the table of rails; null where it is gone. */
export function stationOn({ rails }: ModuleRoom['roster'], rail: number): string | null {
  for (const [id, row] of rails) if (row === rail) return id
  return null
}
