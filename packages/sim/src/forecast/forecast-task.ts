import type { Integration } from '../ephemeris/integration.ts'
import type { CopiedShip } from './copied-ship.ts'
import type { NamedObject } from './prediction.ts'
import type { StagePlace } from './stage.ts'

/** What a trajectory ahead is made from. */
export interface ForecastTask {
  readonly place: StagePlace
  /** lattice index at which the ships were copied */
  readonly index: number
  /** lattice index that is asked for, need not be whole */
  readonly until: number
  /** the ship in question first */
  readonly copies: readonly CopiedShip[]
  /** what every closest approach to is marked */
  readonly target: ForecastTarget | undefined
  /** whether the flight goes on, without records, until the maneuver under way then has ended */
  readonly toEnd?: boolean | undefined
  /** makes the massive bodies of the place's ephemeris as the flight comes to them */
  readonly bodies?: Integration | undefined
}

/** A body, a copied ship, or a row of the rails. */
export interface ForecastTarget {
  readonly body?: number
  /** in its world */
  readonly slot?: number
  readonly row?: number
  /** of a ship or an object on rails */
  readonly name?: NamedObject
}
