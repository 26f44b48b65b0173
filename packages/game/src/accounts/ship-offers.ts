import { EngineError, type Universe, type WorldCommand, requirePlace } from '@orrery/engine'
import type { ShipClassOffer, ShipHome } from '@orrery/protocol'
import type { GivenShips } from '../game-config.ts'
import { refusal } from '../refusal.ts'

/** What an operator says of classes, and the classes of a world. */
export interface OfferedShips {
  readonly engine: { readonly universe: Pick<Universe, 'worlds'> }
  /** name of the class of new accounts' ships; the world's first when left out */
  readonly newShips?: string | undefined
  readonly offers?: GivenShips['offers'] | undefined
}

/** Who takes a ship. */
export interface Taking {
  readonly isAdmin: boolean
  /** an operator gives it */
  readonly isGiven: boolean
}

/** Name of the class of new accounts' ships. */
export function newShipsClass({ newShips, engine }: OfferedShips): string {
  return newShips ?? engine.universe.worlds[0].state.classes[0].name
}

/** What is said of a class; of one without a word, operators give all but new accounts' ships. */
export function shipOffer(ships: OfferedShips, name: string): ShipClassOffer {
  const usual = name === newShipsClass(ships) ? 'everyone' : 'operators'
  const {
    title = name,
    description = '',
    price = 0,
    takers = usual,
    home,
  } = ships.offers?.get(name) ?? {}
  return { title, description, price, takers, ...(home && { home }) }
}

export type Place = NonNullable<Extract<WorldCommand, { kind: 'create_ship' }>['place']>

/** Where new ships of a class begin; undefined for spawn orbits, or when the station is gone. */
export function homeOf({ engine, offers }: OfferedShips, shipClass: string): Place | undefined {
  const home = offers?.get(shipClass)?.home
  const place = home && placeOf(home)
  if (place?.kind !== 'station') return place
  return engine.universe.worlds[0].stations.has(place.stationId) ? place : undefined
}

/** @throws {EngineError} 'ERR_SHIP_CLASS' naming a class without a possible home */
export function requireHomes(universe: Universe, offers: OfferedShips['offers'] = new Map()): void {
  for (const [name, { home }] of offers) {
    try {
      if (home) requirePlace(universe, placeOf(home))
    } catch (error) {
      if (!(error instanceof EngineError)) throw error
      throw new EngineError('ERR_SHIP_CLASS', `Ship class ${name}: home: ${error.message}`)
    }
  }
}

function placeOf(home: ShipHome): Place {
  if (!('station_id' in home)) return { kind: 'orbit', ...home }
  return { kind: 'station', stationId: home.station_id.toLowerCase() }
}

/**
 * @param named  that of new accounts' ships when undefined
 * @throws {Refusal} 400 E001 for an unknown class, 403 E031 for one that is not for the taker
 */
export function requireTaker(ships: OfferedShips, named: string | undefined, taking: Taking): void {
  const name = named ?? newShipsClass(ships)
  const { classes } = ships.engine.universe.worlds[0].state
  if (!classes.some((one) => one.name === name)) {
    throw refusal('E001', `There is no ship class ${name}`)
  }
  if (!isFor(shipOffer(ships, name), taking)) {
    throw refusal('E031', `Ships of the class ${name} are not for this account`)
  }
}

function isFor({ takers }: ShipClassOffer, { isAdmin, isGiven }: Taking): boolean {
  if (takers === 'operators') return isGiven
  return takers === 'everyone' || takers.includes(isAdmin ? 'admin' : 'player')
}
