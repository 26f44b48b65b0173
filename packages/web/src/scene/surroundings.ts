/** A star system as it is shown, whoever knows of it. */
import type { Flight, ShipClass, World } from '@orrery/client/flight'
import type { BodyChain } from '@orrery/page-kit'
import type { SceneBody } from './scene-body.ts'

type RailedObject = ReturnType<World['objects']>[number]

/** A station or a gate; `parent` is an index into the bodies of the system. */
export type CraftObject = Pick<RailedObject, 'id' | 'kind' | 'name' | 'radius'> & {
  readonly rail: Pick<RailedObject['rail'], 'parent'>
}

/** What a hull is drawn by. */
export type CraftClass = Pick<
  ShipClass,
  'name' | 'radius' | 'dryMass' | 'fuelCapacity' | 'thrustMax' | 'inertia'
>

/** Where ships, stations and gates are, for one who looks at them. */
export interface CraftWorld extends Pick<
  World,
  'objectAt' | 'positionsAt' | 'ship' | 'shipAt' | 'ships' | 'statesAt'
> {
  readonly system: { readonly bodies: readonly { readonly name: string }[] } | undefined
  readonly classes: readonly CraftClass[]
  objects(): readonly CraftObject[]
}

/** What flies: of a player the flight, of a guest what all may see. */
export interface Craft {
  /** one's own */
  readonly ship: Pick<Flight['ship'], 'id'>
  readonly world: CraftWorld
  /** id of what was asked for and is not shown */
  readonly refused?: string
}

export interface Surroundings {
  readonly id: string
  readonly name: string
  /** index of the body whose orbits ships start in */
  readonly home: number
  readonly bodies: readonly SceneBody[]
  /** where the bodies are, as last advanced */
  readonly chain: BodyChain
  /** of all bodies from their parents [m/s] */
  readonly velocities: Float64Array
  /** undefined before signing in */
  readonly flight: Flight | undefined
  /** what is drawn of ships, stations and gates; undefined before it has come */
  readonly craft: Craft | undefined
  /** as last advanced: a lattice index, 64 to the second; NaN before signing in */
  readonly time: number
  /** that is shown in place of the present [Unix ms] */
  readonly date?: number
  /** game seconds per second; 0 while the game stands */
  readonly scale: number
  /**
   * Moves all bodies to the present.
   *
   * @param atMs  of the page's clock
   * @returns the game time shown [Unix ms]
   */
  advance(atMs: number): number
  close(): void
}
