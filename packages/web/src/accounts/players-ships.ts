import type { GameClient } from '@orrery/client'

export type Offers = Awaited<ReturnType<GameClient['shipClasses']>>

/** A class that players may take: what its tank is good for [m/s], and its thrust [m/s²]. */
export interface ShipOffer {
  readonly name: string
  readonly title: string
  readonly description: string
  readonly deltaV: number
  readonly acceleration: number
  /** 0 for none */
  readonly price: number
}

/** The classes that players may take, that of new accounts first. */
export function playersShips({ new_ships: usual, ship_classes: classes }: Offers): ShipOffer[] {
  return classes
    .filter(({ takers }) => takers === 'everyone' || takers.includes('player'))
    .map((one) => ({
      name: one.name,
      title: one.title,
      description: one.description,
      deltaV: one.exhaust_velocity * Math.log1p(one.fuel_capacity / one.dry_mass),
      acceleration: one.thrust_max / (one.dry_mass + one.fuel_capacity),
      price: one.price,
    }))
    .toSorted((a, b) => Number(b.name === usual) - Number(a.name === usual))
}
