import type { Phase, Reason } from '@orrery/sim'
import type { Control } from '../commands/control.ts'

/** How far ahead a prediction may reach [s]: 14 days. */
export const PREDICTION_SECONDS_MAX = 1_209_600

/** States that a prediction lists at most. */
export const RECORDS_MAX = 2000

/** Marks that it lists at most: two apsides of each of 200 revolutions, twice over. */
export const MARKS_MAX = 1000

/** Orders that it may suppose. */
export const SUPPOSED_ORDERS_MAX = 16

/** What a pilot wants to know of a ship. */
export interface PredictionRequest {
  readonly shipId: string
  /** how far ahead [s] */
  readonly seconds: number
  /** orders as if they were given; they act after those that wait */
  readonly orders?: readonly SupposedOrder[]
  /** name of a body, or id of a ship, whose every closest approach is marked */
  readonly target?: { readonly body: string } | { readonly shipId: string }
}

export interface SupposedOrder {
  /** from now [s] */
  readonly after: number
  readonly control: Control
}

/** What is on a trajectory. */
export type Mark = { /** lattice index, need not be whole */ readonly index: number } & (
  | {
      readonly kind: 'periapsis' | 'apoapsis'
      readonly body: string
      /** from its centre [m] */
      readonly distance: number
    }
  | {
      readonly kind: 'approach'
      /** a body's name or a ship's id */
      readonly of: string
      /** from its centre [m] */
      readonly distance: number
      /** relative to it [m/s] */
      readonly speed: number
    }
  | { readonly kind: 'sphere'; readonly from: string; readonly body: string }
  | { readonly kind: 'burn_begin' }
  /** @param deltaV  of the burn [m/s] */
  | { readonly kind: 'burn_end'; readonly deltaV: number }
  | { readonly kind: 'impact'; readonly body: string }
  | { readonly kind: 'maneuver_phase'; readonly phase: Phase }
  | { readonly kind: 'maneuver_completed' }
  | { readonly kind: 'maneuver_failed'; readonly reason: Reason }
  | { readonly kind: 'frozen' | 'locked' | 'let_go' | 'sighted' | 'lost' }
)

/** Why a prediction reaches no further. */
export type PredictionEnd =
  /** the time that was asked for */
  | 'asked'
  /** the massive bodies are not computed further yet */
  | 'ephemeris'
  | 'impact'
  | 'frozen'
  /** it took too many steps */
  | 'work'

/** States relative to one body. */
export interface Leg {
  readonly body: string
  /** index [quanta], position [m] and velocity [m/s] of each, along inertial axes */
  readonly records: Float64Array
}

/** Values of one record of a leg. */
export const RECORD_DOUBLES = 7

/** A trajectory that a ship will fly if nothing interferes, to the bit. */
export interface Prediction {
  readonly shipId: string
  readonly systemId: string
  /** lattice indices of the first and last record */
  readonly from: number
  readonly to: number
  readonly end: PredictionEnd
  readonly legs: readonly Leg[]
  readonly marks: readonly Mark[]
  /** those that found no room */
  readonly marksLeftOut: number
  /** [m/s] */
  readonly deltaV: number
  /** at the end [kg] */
  readonly fuel: number
}
