import type { Ship } from '@orrery/client/flight'
import { COURIER_RADIUS } from './courier-model.ts'

/** Known classes of ships, and the radii of their hulls [m]. */
interface Classes {
  readonly classes: readonly { readonly name: string; readonly radius: number }[]
}

/** Size of a ship's model by its class; 1 where that is not known. */
export function shipScale({ classes }: Classes, ship: Ship | undefined): number {
  const shipClass = classes.find(({ name }) => name === ship?.shipClass)
  return shipClass ? shipClass.radius / COURIER_RADIUS : 1
}
