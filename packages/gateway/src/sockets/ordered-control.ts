import type { Control } from '@orrery/sim'
import { type Engine, requireShip } from '@orrery/engine'
import type {
  ControlMessage,
  DockMessage,
  ManeuverAbortMessage,
  ManeuverStartMessage,
  UndockMessage,
} from '@orrery/protocol'
import { isFlown, orderedDocking, orderedManeuver, targetOf } from './ordered-maneuver.ts'

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
  const { attitude } = command
  return {
    ...(command.type === 'control' && plainControl(command)),
    ...(attitude && { attitude: [attitude.w, attitude.x, attitude.y, attitude.z] as const }),
    ...orderedPointing(command, shipId, engine),
  }
}

function orderedPointing(
  command: ControlMessage | ManeuverStartMessage,
  shipId: string,
  engine: Engine,
): Control {
  const { pointing } = command
  if (pointing === undefined) return {}
  if (pointing === 'sun') {
    const { bodies } = requireShip(engine.universe, shipId).world.state.system
    return { pointing: 'target', body: bodies.findIndex(({ parent }) => parent < 0) }
  }
  const { ship, ...place } = targetOf(command, shipId, engine)
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
