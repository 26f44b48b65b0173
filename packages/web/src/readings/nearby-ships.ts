/** Ships by their distance from the own one. */
import { type Flight, type Ship, createShipSample } from '@orrery/client/flight'
import { Nearest } from '../space/nearest.ts'

export interface NearbyShip {
  readonly ship: Ship
  /** [m] */
  readonly distance: number
}

const state = createShipSample()

/**
 * Other ships in view, the nearest first.
 *
 * @param wanted  part of the name, in any case; all for an empty one
 */
export function nearbyShips(
  { world, clock, ship: own }: Flight,
  wanted: string,
  limit: number,
): readonly NearbyShip[] {
  const ships = world.ships()
  const time = clock.now()
  if (!world.shipAt(state, own.id, time)) return []
  const positions = new Float64Array(3 * ships.length)
  world.positionsAt(positions, time, state.body)
  const text = wanted.trim().toLowerCase()
  const [x, y, z] = state.r
  const nearest = new Nearest(limit)
  for (const [i, { id, name }] of ships.entries()) {
    if (id === own.id || !name.toLowerCase().includes(text)) continue
    const at = 3 * i
    const square =
      (positions[at] - x) ** 2 + (positions[at + 1] - y) ** 2 + (positions[at + 2] - z) ** 2
    nearest.offer(i, square)
  }
  return Array.from({ length: nearest.count }, (_, k) => {
    return { ship: ships[nearest.indices[k]], distance: Math.sqrt(nearest.squares[k]) }
  })
}
