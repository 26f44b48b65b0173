import type { RosterEntry } from '../world/roster.ts'
import type { World } from '../world/world.ts'
import { type Control, type PendingControl, acceptControl, requireRoomToWatch } from './intake.ts'

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
  if (control.target !== undefined) requireRoomToWatch(intake, roster, state)
  return acceptControl(intake, ship, control, shown, settled)
}
