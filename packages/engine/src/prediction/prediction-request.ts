import type { Control, NamedObject } from '@orrery/sim'

/** How far ahead a prediction may reach [s]: 14 days. */
export const PREDICTION_SECONDS_MAX = 1_209_600

/** Orders that it may suppose. */
export const SUPPOSED_ORDERS_MAX = 16

/** What a pilot asks about a ship. */
export interface PredictionRequest {
  readonly shipId: string
  /** how far ahead [s] */
  readonly seconds: number
  /** whether it goes on, without states, until the maneuver under way then has ended */
  readonly toEnd?: boolean
  /** orders as if they were given; they act after those that wait */
  readonly orders?: readonly SupposedOrder[]
  /** a body by its name, or an object by its id, whose every closest approach is marked */
  readonly target?: { readonly body: string } | NamedObject
}

export interface SupposedOrder {
  /** from now [s] */
  readonly after: number
  readonly control: Control
}
