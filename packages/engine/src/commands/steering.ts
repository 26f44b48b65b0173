import { EngineError } from '../engine-error.ts'
import { isKnownBody } from '../maneuvers/maneuver-order.ts'
import type { RosterEntry } from '../world/roster.ts'
import type { World } from '../world/world.ts'
import { type Control, watchedBy } from './control.ts'
import { type PendingControl, acceptControl, requireRoomToWatch } from './intake.ts'

/**
 * Queues a control command for the control boundary after the index its pilot was shown.
 *
 * @param shown  lattice index, need not be whole
 * @throws {EngineError} 'ERR_CONTROL', 'ERR_COMMANDS_PENDING', 'ERR_WATCHERS'
 */
export function steerShip(
  { intake, roster, settled, state }: World,
  ship: RosterEntry,
  control: Control,
  shown: number,
): PendingControl {
  if (control.maneuver && !isKnownBody(state.system, control.maneuver)) {
    throw new EngineError('ERR_CONTROL', `No body ${control.maneuver.body} in this system.`)
  }
  if (watchedBy(control) > 0) requireRoomToWatch(intake, roster, state)
  return acceptControl(intake, ship, control, shown, settled)
}
