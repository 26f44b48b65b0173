import type { ModuleBody, ModuleRoom } from '@orrery/engine/modules'
import type { EventKind, Mark, ShipEvent } from '@orrery/sim'
import type { CoreEvents } from '../../declaration.ts'
import { stationOn } from './station.ts'

/** What modules call events of the core; they get no others. */
const NAMES: { readonly [Kind in EventKind]?: keyof CoreEvents } = {
  docked: 'docked',
  undocked: 'undocked',
  refuelled: 'refuelled',
  impact: 'impact',
  burn_ended: 'burnEnded',
  maneuver_phase: 'phase',
  maneuver_completed: 'completed',
  maneuver_failed: 'failed',
}

/** Marks of a flight at which modules may get an event of the core, by its name. */
export const MARKS: { readonly [name: string]: Mark['kind'] } = {
  docked: 'docked',
  undocked: 'undocked',
  refuelled: 'refuelled',
  burnEnded: 'burn_end',
  phase: 'maneuver_phase',
  completed: 'maneuver_completed',
  failed: 'maneuver_failed',
}

/** An event of the core as modules get it; undefined where they do not. */
export function coreEvent(
  room: ModuleRoom,
  event: ShipEvent,
): { readonly name: string; readonly data: ModuleBody } | undefined {
  const name = NAMES[event.kind]
  return name && { name, data: dataOf(room, name, event) }
}

function dataOf(
  { roster, state }: ModuleRoom,
  name: keyof CoreEvents,
  { body, plan, rail }: ShipEvent,
): ModuleBody {
  if (rail !== undefined) return { station: stationOn(roster, rail) }
  if (name === 'impact') return { body: state.system.bodies[body].name }
  if (!plan) return {}
  if (name === 'failed') return { reason: plan.reason }
  return name === 'phase' ? { phase: plan.phase, from: plan.fromPhase } : { phase: plan.phase }
}
