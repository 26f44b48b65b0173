import type { HeldShip } from '../world/held-ships.ts'
import type { RosterEntry } from '../world/roster.ts'
import type { World } from '../world/world.ts'
import { type PilotView, type ShipView, pilotView, shipView } from './ship-view.ts'

/** What is shown of a ship, kept while a change of it is not durable. */
export interface ShownShip {
  readonly view: ShipView
  readonly pilot: PilotView
}

/** What is shown of a ship now. */
export function shownShip(world: World, entry: RosterEntry, offset: number): ShownShip {
  return { view: shipView(world, entry, offset), pilot: pilotView(world, entry, offset) }
}

/** What is shown of a ship that is held and was there before. */
export function keptShip({ shown }: HeldShip): ShownShip {
  return shown as ShownShip
}
