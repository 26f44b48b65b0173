import type { Control } from '@orrery/sim'
import type { ControlMessage } from './control.ts'
import type { ManeuverAbortMessage, ManeuverStartMessage } from './maneuver-messages.ts'
import type { DockMessage, UndockMessage } from './visits.ts'
import { isFlown, orderedDocking, orderedManeuver, targetOf } from './ordered-maneuver.ts'
import type { Places } from './places.ts'

/** Messages that order a ship. */
export type ShipControl =
  | ControlMessage
  | ManeuverStartMessage
  | ManeuverAbortMessage
  | DockMessage
  | UndockMessage

/** The control order of a message; a maneuver is one, too. Throws what `places` does. */
export function controlOf(command: ShipControl, places: Places): Control {
  if (command.type === 'maneuver_abort') return { pointing: 'rest', abort: true }
  if (command.type === 'undock') return { undock: true }
  if (command.type === 'dock') {
    return { maneuver: orderedDocking(command, places) }
  }
  if (command.type === 'maneuver_start') {
    if (command.maneuver === 'kill_rotation') return { pointing: 'rest' }
    if (isFlown(command)) return { maneuver: orderedManeuver(command, places) }
  }
  const { attitude } = command
  return {
    ...(command.type === 'control' && plainControl(command)),
    ...(attitude && { attitude: [attitude.w, attitude.x, attitude.y, attitude.z] as const }),
    ...orderedPointing(command, places),
  }
}

function orderedPointing(command: ControlMessage | ManeuverStartMessage, places: Places): Control {
  const { pointing } = command
  if (pointing === undefined) return {}
  if (pointing === 'sun') return { pointing: 'target', body: places.star() }
  const { ship, ...place } = targetOf(command, places)
  return { pointing, ...place, ...(ship !== undefined && { target: ship }) }
}

/** What a control command has beside an attitude or a pointing. */
function plainControl({
  thrust_level: thrustLevel,
  delta_v: deltaV,
  duration: seconds,
  angular_rate: rate,
  wheel_unloading: unloading,
}: ControlMessage): Control {
  const turns = rate && (rate.x !== 0 || rate.y !== 0 || rate.z !== 0)
  return {
    ...(rate && !turns && { pointing: 'rest' as const }),
    ...(turns && { angularRate: [rate.x, rate.y, rate.z] as const }),
    ...(thrustLevel !== undefined && { thrustLevel }),
    ...(deltaV !== undefined && { deltaV }),
    ...(seconds !== undefined && { seconds }),
    ...(unloading !== undefined && { unloading }),
  }
}
