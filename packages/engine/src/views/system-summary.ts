import { systemOf } from './sky.ts'
import type { World } from '../world/world.ts'

/** A star system as operators list it. */
export interface SystemSummary {
  readonly id: string
  readonly name: string
  readonly starBody: string
  /** galactic [m] */
  readonly position: readonly [number, number, number]
  readonly bodyCount: number
  readonly shipCount: number
}

/** All systems, in the catalog's order. */
export function systemSummaries(world: World): SystemSummary[] {
  const { systems } = world.state
  const ships = systems.map(() => 0)
  for (const entry of world.roster.byId.values()) ships[systemOf(world, entry)]++
  return systems.map(({ id, name, position, bodies }, i) => ({
    id,
    name,
    starBody: bodies[0].name,
    position,
    bodyCount: bodies.length,
    shipCount: ships[i],
  }))
}
