import type { FlownManeuver, ManeuverOrder } from '@orrery/sim'
import {
  type Engine,
  namedBody,
  requireShip,
  requireStation,
  requireJumpgate,
} from '@orrery/engine'
import type { ControlMessage, ManeuverStartMessage } from '@orrery/protocol'

const DAY = 86_400

/** Game time that a maneuver may take when its pilot sets none [s]. */
const TIMEOUTS: Readonly<Partial<Record<FlownManeuver, number>>> = {
  transfer: 5 * 365 * DAY,
  hold_station: 3650 * DAY,
}
const TIMEOUT = 60 * DAY

/** What a maneuver of the autopilot is called in messages. */
type FlownMessage = ManeuverStartMessage & { readonly maneuver: FlownManeuver }

/** Whether the autopilot flies a maneuver; the others turn the hull alone. */
export function isFlown(message: ManeuverStartMessage): message is FlownMessage {
  return message.maneuver !== 'attitude' && message.maneuver !== 'kill_rotation'
}

/**
 * The order of a maneuver to a ship.
 *
 * @throws {EngineError} 'ERR_SHIP_UNKNOWN', 'ERR_IN_TRANSIT', 'ERR_BODY_UNKNOWN',
 *   'ERR_STATION_UNKNOWN', 'ERR_JUMPGATE_UNKNOWN'
 */
export function orderedManeuver(
  message: FlownMessage,
  shipId: string,
  engine: Engine,
): ManeuverOrder {
  const { maneuver, timeout = TIMEOUTS[maneuver] ?? TIMEOUT } = message
  return { maneuver, ...targetOf(message, shipId, engine), timeout, params: paramsOf(message) }
}

/**
 * The order to dock a ship.
 *
 * @throws {EngineError} 'ERR_SHIP_UNKNOWN', 'ERR_IN_TRANSIT', 'ERR_STATION_UNKNOWN'
 */
export function orderedDocking(
  stationId: string,
  shipId: string,
  { universe }: Engine,
): ManeuverOrder {
  const { world } = requireShip(universe, shipId)
  const known = requireStation(world, stationId.toLowerCase())
  return { maneuver: 'dock', stationId: known, timeout: TIMEOUT, params: [] }
}

/** What a message is directed at. @throws {EngineError} as for `orderedManeuver` */
export function targetOf(
  message: ControlMessage | ManeuverStartMessage,
  shipId: string,
  engine: Engine,
): Pick<ManeuverOrder, 'body' | 'ship' | 'stationId' | 'jumpgateId'> {
  const { world } = requireShip(engine.universe, shipId)
  const { target_body: body, target_ship_id: ship } = message
  const { target_station_id: station, target_jumpgate_id: gate } = message
  if (body !== undefined) return { body: namedBody(world, body) }
  if (ship !== undefined) return { ship: engine.shipNumber(shipId, ship.toLowerCase()) }
  if (station !== undefined) return { stationId: requireStation(world, station.toLowerCase()) }
  return gate === undefined ? {} : { jumpgateId: requireJumpgate(world, gate.toLowerCase()) }
}

/** Angles that pilots write become vectors here, which the journal keeps: see `ManeuverOrder`. */
function paramsOf(message: FlownMessage): number[] {
  if (message.maneuver === 'transfer') return [message.altitude ?? 0]
  if (message.maneuver !== 'set_orbit') return []
  const {
    semi_major_axis: a = 0,
    eccentricity: e = -1,
    inclination,
    ascending_node: node,
  } = message
  const tilt = inclination === undefined ? [-2, 0] : [Math.cos(inclination), Math.sin(inclination)]
  const ascending = node === undefined ? [0, 0] : [Math.cos(node), Math.sin(node)]
  return [a, e, ...tilt, ...ascending, message.thrust_level ?? 0]
}
