/** A station that every new world has, as the command that makes it. */
export interface CatalogStation {
  readonly kind: 'create_station'
  readonly stationId: string
  readonly name: string
  readonly systemId: string
  readonly parentBody: string
  readonly placement: { readonly kind: 'orbit'; readonly altitude: number }
}

/** A jump gate that every new world has, as the command that makes it. */
export interface CatalogJumpgate {
  readonly kind: 'create_jumpgate'
  readonly jumpgateId: string
  readonly name: string
  readonly primaryBody: string
  readonly secondaryBody: string
  readonly lagrangePoint: 4
}

/**
 * The objects of every new world: a station where the first ships fly, at the
 * height of the International Space Station, and one gate per system, ahead of the planet that
 * ships spawn at. The ids are fixed, so that they are the same in every world.
 */
export const CATALOG_OBJECTS: readonly (CatalogStation | CatalogJumpgate)[] = [
  {
    kind: 'create_station',
    stationId: '1672af5b-fe40-4014-9088-7187b8727b43',
    name: 'Earth Station',
    systemId: 'sol',
    parentBody: 'Earth',
    placement: { kind: 'orbit', altitude: 420_000 },
  },
  gate('01a1873f-44b0-4b05-8a69-9dfa87f5674c', 'Sol Gate', 'Sun', 'Earth'),
  gate(
    '007c88eb-95cd-410b-a275-3ff1c6234397',
    'Alpha Centauri Gate',
    'Proxima Centauri',
    'Proxima b',
  ),
  gate('e3efab5d-f66a-4575-a38d-7569d541c617', 'TRAPPIST-1 Gate', 'TRAPPIST-1', 'TRAPPIST-1 e'),
]

function gate(
  jumpgateId: string,
  name: string,
  primaryBody: string,
  secondaryBody: string,
): CatalogJumpgate {
  return { kind: 'create_jumpgate', jumpgateId, name, primaryBody, secondaryBody, lagrangePoint: 4 }
}
