import {
  type Engine,
  namedBody,
  requireJumpgate,
  requireShip,
  requireStation,
} from '@orrery/engine'
import type { Places } from '@orrery/protocol'

/**
 * What orders of a ship can name. Its functions throw EngineErrors: 'ERR_SHIP_UNKNOWN',
 * 'ERR_IN_TRANSIT', 'ERR_BODY_UNKNOWN', 'ERR_STATION_UNKNOWN', 'ERR_JUMPGATE_UNKNOWN'.
 */
export function placesOf(engine: Engine, shipId: string): Places {
  const world = () => requireShip(engine.universe, shipId).world
  return {
    body: (name) => namedBody(world(), name),
    star: () => world().state.system.bodies.findIndex(({ parent }) => parent < 0),
    ship: (id) => engine.shipNumber(shipId, id.toLowerCase()),
    station: (id) => requireStation(world(), id.toLowerCase()),
    jumpgate: (id) => requireJumpgate(world(), id.toLowerCase()),
  }
}
