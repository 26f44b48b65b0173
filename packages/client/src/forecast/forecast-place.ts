import type { ForecastTask, MassiveState, Rail, ShipClass, StarSystem } from '@orrery/sim'

/** What forecasts in one star system are made from. */
export interface ForecastPlace {
  /** another number means other massive bodies */
  readonly entered: number
  readonly system: StarSystem
  /** of ships */
  readonly classes: readonly ShipClass[]
  /** index of the body whose low orbits ships start in */
  readonly home: number
  /** radius of each body's sphere of influence [m] */
  readonly spheres: readonly number[]
  /** the massive bodies at a node that is two before the forecast's index, or earlier */
  readonly start: MassiveState
  /** what runs on rails, by its row of the core's table */
  readonly objects: readonly { readonly row: number; readonly rail: Rail }[]
}

/** The index from which on massive bodies are needed: steps of received ships may end before. */
export function earliestOf({ copies, index }: Pick<ForecastTask, 'copies' | 'index'>): number {
  return Math.min(index, ...copies.map(({ columns }) => columns['stepEnd'][0] - 1))
}
