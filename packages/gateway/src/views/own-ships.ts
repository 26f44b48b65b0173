import { findShip, shipClassAt } from '@orrery/engine'
import type { OwnShipsResponse } from '@orrery/protocol'
import type { Account } from '@orrery/store'
import type { AppParts } from '../app-parts.ts'

/** The ships of an account, by name, then by id, with what modules keep of them. */
export function ownShips(
  { shipId, coastingShips }: Account,
  { config, engine }: Pick<AppParts, 'config' | 'engine'>,
): OwnShipsResponse {
  const ids = shipId === null ? coastingShips : [shipId, ...coastingShips]
  const ships = ids.map((id) => {
    const place = findShip(engine.universe, id)
    return {
      ship_id: id,
      flown: id === shipId,
      ...(place && {
        name: place.entry.name,
        ship_class: shipClassAt(place.world, place.entry).name,
        system_id: place.world.state.system.id,
        ...(place.world.modules && {
          ship_values: place.world.modules.shipValues(place.entry.slot, 'account'),
        }),
      }),
    }
  })
  const key = ({ name = '', ship_id: id }: (typeof ships)[number]): string => `${name}\n${id}`
  return {
    ships_max: config.shipsPerPlayer,
    ships: ships.toSorted((a, b) => (key(a) < key(b) ? -1 : 1)),
  }
}
