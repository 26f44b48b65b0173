import type { Phase, Reason } from '../state/activity.ts'
import type { EventKind } from '../state/events.ts'

/** States that a prediction lists at most. */
export const RECORDS_MAX = 2000

/** Marks that it lists at most: two apsides of each of 200 revolutions, twice over. */
export const MARKS_MAX = 1000

/** A ship, or a station or gate on rails. */
export type NamedObject =
  | { readonly shipId: string }
  | { readonly stationId: string }
  | { readonly jumpgateId: string }

/** Something on a trajectory; each kind has the fields that it needs. */
export interface Mark {
  readonly kind:
    | 'periapsis'
    | 'apoapsis'
    | 'approach'
    | 'sphere'
    | 'burn_begin'
    | 'burn_end'
    | Exclude<EventKind, 'maneuver_sample' | 'burn_ended' | 'destroyed'>
  /** lattice index, need not be whole */
  readonly index: number
  /** of an apsis, approach or impact, and the reference body from here on */
  readonly body?: string
  /** the reference body before */
  readonly fromBody?: string
  /** of an approach */
  readonly shipId?: string
  readonly stationId?: string
  readonly jumpgateId?: string
  /** from the centre of the body or ship [m] */
  readonly distance?: number
  /** relative to it [m/s] */
  readonly speed?: number
  /** of a burn, or what a flight takes that fails for want of fuel or time [m/s] */
  readonly deltaV?: number
  /** what that takes [s] */
  readonly duration?: number
  /** of a maneuver, from here on */
  readonly phase?: Phase
  /** why it fails */
  readonly reason?: Reason
}

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
  /** lattice indices of the first and last record; a flight to its end goes on after these */
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
  /**
   * of the last order: as flown when it completes here, otherwise what its plan reckoned with as
   * soon as it knew
   */
  readonly flightLegs: readonly PlannedLeg[]
}

/** A part of a flight, as flown or as a plan reckons with it. */
export interface PlannedLeg {
  readonly fromBody: string
  /** undefined to the target itself */
  readonly body?: string
  /** lattice index */
  readonly arrivesAt: number
  /** [m/s] */
  readonly deltaV: number
  /** what both may be wrong by [m/s], [s]; 0 of a leg as flown */
  readonly deltaVUncertainty: number
  readonly secondsUncertainty: number
}
