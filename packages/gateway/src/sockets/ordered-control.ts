import type { Control, Engine } from '@orrery/engine'
import type {
  ControlMessage,
  DockMessage,
  ManeuverAbortMessage,
  ManeuverStartMessage,
  UndockMessage,
} from '@orrery/protocol'
import { isFlown, orderedDocking, orderedManeuver } from './ordered-maneuver.ts'

/** Messages that order a ship. */
export type ShipControl =
  | ControlMessage
  | ManeuverStartMessage
  | ManeuverAbortMessage
  | DockMessage
  | UndockMessage

/** The control order of a command; a maneuver is one, too. */
export function controlOf(command: ShipControl, shipId: string, engine: Engine): Control {
  if (command.type === 'maneuver_abort') return { pointing: 'rest', abort: true }
  if (command.type === 'undock') return { undock: true }
  if (command.type === 'dock') {
    return { maneuver: orderedDocking(command.station_id, shipId, engine) }
  }
  if (command.type === 'maneuver_start') {
    if (command.maneuver === 'kill_rotation') return { pointing: 'rest' }
    if (isFlown(command)) return { maneuver: orderedManeuver(command, shipId, engine) }
  }
  const { attitude, pointing, target_ship_id: targetId } = command
  return {
    ...(command.type === 'control' && plainControl(command)),
    ...(attitude && { attitude: [attitude.w, attitude.x, attitude.y, attitude.z] as const }),
    ...(pointing && { pointing }),
    ...(targetId !== undefined && { target: engine.shipNumber(shipId, targetId.toLowerCase()) }),
  }
}

/** What a control command has beside an attitude or a pointing. */
function plainControl({
  thrust_level: thrustLevel,
  delta_v: deltaV,
  duration: seconds,
  wheel_unloading: unloading,
}: ControlMessage): Control {
  return {
    ...(thrustLevel !== undefined && { thrustLevel }),
    ...(deltaV !== undefined && { deltaV }),
    ...(seconds !== undefined && { seconds }),
    ...(unloading !== undefined && { unloading }),
  }
}
