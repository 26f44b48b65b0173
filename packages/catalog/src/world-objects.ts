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
  readonly lagrangePoint: 4 | 5
  readonly pairedWith?: string
}

/** Ids of the gates of the solar system, by their points. */
const SOL_GATES = {
  4: '01a1873f-44b0-4b05-8a69-9dfa87f5674c',
  5: '8c2d64f7-0b95-4e1d-a7f3-3b58e9c1d602',
}
const MOON_GATES = {
  4: '4ec26287-8ad6-436e-90ac-c2abcf16e01f',
  5: '5fe8a276-630c-4ab6-b118-5522ec0eb7e6',
}

/**
 * The objects of every new world: stations about Earth, the Moon and Mars, and gates ahead of the
 * planet that ships spawn at and behind it, and of its moon, which new ships reach in days. The ids
 * are fixed, so that they are the same in every world; a gate stands after the one it is paired
 * with.
 */
export const CATALOG_OBJECTS: readonly (CatalogStation | CatalogJumpgate)[] = [
  station('1672af5b-fe40-4014-9088-7187b8727b43', 'Earth Station', 'Earth', 420_000),
  station('b0c5e1d2-6c0e-4b3e-9d0a-5f6a2f1c7e84', 'Moon Station', 'Moon', 100_000),
  station('5d7f3a90-1e42-4c8b-8a6d-94c3b7e05f21', 'Mars Station', 'Mars', 400_000),
  gate(SOL_GATES[4], 'Sol Gate', 'Sun', 'Earth', { lagrangePoint: 4 }),
  gate(SOL_GATES[5], 'Sol Gate L5', 'Sun', 'Earth', { lagrangePoint: 5 }),
  gate(
    '007c88eb-95cd-410b-a275-3ff1c6234397',
    'Alpha Centauri Gate',
    'Proxima Centauri',
    'Proxima b',
    { lagrangePoint: 4, pairedWith: SOL_GATES[4] },
  ),
  gate('e3efab5d-f66a-4575-a38d-7569d541c617', 'TRAPPIST-1 Gate', 'TRAPPIST-1', 'TRAPPIST-1 e', {
    lagrangePoint: 4,
    pairedWith: SOL_GATES[5],
  }),
  gate(MOON_GATES[4], 'Moon Gate', 'Earth', 'Moon', { lagrangePoint: 4 }),
  gate(MOON_GATES[5], 'Moon Gate L5', 'Earth', 'Moon', { lagrangePoint: 5 }),
  gate(
    '031a45cd-338f-4c04-b09e-ea7d20344ec6',
    'Alpha Centauri Gate L5',
    'Proxima Centauri',
    'Proxima b',
    {
      lagrangePoint: 5,
      pairedWith: MOON_GATES[4],
    },
  ),
  gate('b839af0d-a0c0-432d-a1d9-4e2e99a1f41e', 'TRAPPIST-1 Gate L5', 'TRAPPIST-1', 'TRAPPIST-1 e', {
    lagrangePoint: 5,
    pairedWith: MOON_GATES[5],
  }),
]

function station(
  stationId: string,
  name: string,
  parentBody: string,
  altitude: number,
): CatalogStation {
  const placement = { kind: 'orbit', altitude } as const
  return { kind: 'create_station', stationId, name, systemId: 'sol', parentBody, placement }
}

function gate(
  jumpgateId: string,
  name: string,
  primaryBody: string,
  secondaryBody: string,
  place: Pick<CatalogJumpgate, 'lagrangePoint' | 'pairedWith'>,
): CatalogJumpgate {
  return { kind: 'create_jumpgate', jumpgateId, name, primaryBody, secondaryBody, ...place }
}
