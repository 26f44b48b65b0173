import { EngineError, requireShip } from '@orrery/engine'
import type { Places } from '@orrery/protocol'
import type { ServedEngine } from './served-engine.ts'

/**
 * What orders of a ship can name. Its functions throw EngineErrors: 'ERR_TARGET_UNKNOWN' and
 * 'ERR_CONTROL', both naming the field, 'ERR_SHIP_UNKNOWN' and 'ERR_IN_TRANSIT' of the ship.
 */
export function placesOf(engine: ServedEngine, shipId: string): Places {
  const system = () => requireShip(engine.universe, shipId).world
  const found = <Place>(place: Place | undefined, field: string, what: string): Place => {
    if (place !== undefined) return place
    const { name } = system().state.system
    throw new EngineError('ERR_TARGET_UNKNOWN', `${field} names no ${what} in ${name}.`)
  }
  return {
    body: (name, field) => {
      const wanted = name.toLowerCase()
      const { bodies } = system().state.system
      const index = bodies.findIndex((body) => body.name.toLowerCase() === wanted)
      return found(index < 0 ? undefined : index, field, 'body')
    },
    star: () => system().state.system.bodies.findIndex(({ parent }) => parent < 0),
    ship: (id, field) => {
      const wanted = id.toLowerCase()
      const { number } = found(system().roster.byId.get(wanted), field, 'ship')
      if (wanted !== shipId) return number
      throw new EngineError('ERR_CONTROL', `${field} names the ship itself.`)
    },
    station: (id, field) =>
      found(system().stations.get(id.toLowerCase()), field, 'station').stationId,
    anchorage: (id, field) => {
      const wanted = id.toLowerCase()
      const { railed, stations } = system()
      const isThere = stations.has(wanted) || railed.has(wanted)
      return found(isThere ? wanted : undefined, field, 'station')
    },
    jumpgate: (id, field) =>
      found(system().jumpgates.get(id.toLowerCase()), field, 'jump gate').jumpgateId,
  }
}
