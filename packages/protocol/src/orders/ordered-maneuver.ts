import { type FlownManeuver, HEIGHTS, type ManeuverOrder, OSCULATING } from '@orrery/sim'
import type { ControlMessage } from './control.ts'
import { FLIGHTS, type ManeuverStartMessage, TIMEOUT_MAX } from './maneuver-messages.ts'
import type { Places } from './places.ts'
import { orderedNodes } from './plan-node.ts'
import { type Departure, departureParams } from './departure.ts'
import type { DockMessage } from './visits.ts'

/** What a maneuver of the autopilot is called in messages. */
type FlownMessage = ManeuverStartMessage & { readonly maneuver: FlownManeuver }

/** Whether the autopilot flies a maneuver; the others turn the hull alone. */
export function isFlown(message: ManeuverStartMessage): message is FlownMessage {
  return message.maneuver !== 'attitude' && message.maneuver !== 'kill_rotation'
}

/** The order of a maneuver to a ship. */
export function orderedManeuver(message: FlownMessage, places: Places): ManeuverOrder {
  const { maneuver, nodes } = message
  if (nodes) {
    return { maneuver, timeout: TIMEOUT_MAX, params: [], nodes: orderedNodes(nodes, places) }
  }
  const { timeout = TIMEOUT_MAX } = message
  return { maneuver, ...targetOf(message, places), timeout, params: paramsOf(message) }
}

/** The order to dock a ship. */
export function orderedDocking(message: DockMessage, places: Places): ManeuverOrder {
  return {
    maneuver: 'dock',
    stationId: places.station(message.station_id, 'station_id'),
    timeout: TIMEOUT_MAX,
    params: courseParams(message),
  }
}

/** What a message is directed at. */
export function targetOf(
  message: ControlMessage | ManeuverStartMessage,
  places: Places,
): Pick<ManeuverOrder, 'body' | 'ship' | 'stationId' | 'jumpgateId'> {
  const { target_body: body, target_ship_id: ship } = message
  const { target_station_id: station, target_jumpgate_id: gate } = message
  if (body !== undefined) return { body: places.body(body, 'target_body') }
  if (ship !== undefined) return { ship: places.ship(ship, 'target_ship_id') }
  if (station !== undefined) return { stationId: places.anchorage(station, 'target_station_id') }
  return gate === undefined ? {} : { jumpgateId: places.jumpgate(gate, 'target_jumpgate_id') }
}

/** Altitude and departure of a flight to a target. */
function courseParams(message: Departure & { readonly altitude?: number }): number[] {
  const { altitude = 0 } = message
  const departure = departureParams(message)
  return altitude > 0 || departure.length > 0 ? [altitude, ...departure] : []
}

/** Angles that pilots write become vectors here, which the journal keeps: see `ManeuverOrder`. */
function paramsOf(message: FlownMessage): number[] {
  if (FLIGHTS.has(message.maneuver)) return courseParams(message)
  const osculating = message.elements === 'osculating' ? OSCULATING : 0
  if (message.maneuver === 'circularize') return osculating ? [0, 0, 0, 0, 0, 0, 0, osculating] : []
  if (message.maneuver !== 'set_orbit') return []
  const {
    semi_major_axis: a = 0,
    eccentricity: e = -1,
    periapsis_altitude: low = -1,
    apoapsis_altitude: high = -1,
    inclination,
    ascending_node: node,
  } = message
  const tilt = inclination === undefined ? [-2, 0] : [Math.cos(inclination), Math.sin(inclination)]
  const ascending = node === undefined ? [0, 0] : [Math.cos(node), Math.sin(node)]
  const plane = [...tilt, ...ascending, message.thrust_level ?? 0]
  if (low > 0 || high > 0) return [low, high, ...plane, HEIGHTS + osculating]
  return [a, e, ...plane, osculating]
}
