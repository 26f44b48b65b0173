import type { Activity } from '../state/activity.ts'
import type { BurnNode } from './burn-node.ts'

/** Activities that an order can begin. */
export type FlownManeuver = Exclude<Activity, 'none' | 'docked'>

/**
 * A maneuver for the autopilot, as commands hold it: at most one target, and the values that its
 * program reads, see `params`.
 */
export interface ManeuverOrder {
  readonly maneuver: FlownManeuver
  /** body index */
  readonly body?: number
  readonly stationId?: string
  readonly jumpgateId?: string
  /** ship number */
  readonly ship?: number
  /** game time after which it fails [s] */
  readonly timeout: number
  /**
   * What the program reads, zeros where it ends early.
   *
   * - `circularize`: radius [m], 0 at the next apsis; the eighth as of `set_orbit`
   * - `set_orbit`: a [m] or 0; e or -1; cosine and sine of the inclination, or -2, 0; unit vector
   *   x, y towards the node in the reference plane of the body, or 0, 0; the greatest throttle, or
   *   0 for full thrust: where it accelerates little, the Q-law flies; 0 for the mean orbit,
   *   `OSCULATING`, `HEIGHTS` where the first two are heights of apsides, -1 for one that stays,
   *   or the sum of both
   * - `transfer`, `rendezvous`, `hold_station`, `dock`: the first five values of `COURSE`
   */
  readonly params: readonly number[]
  /** of `plan`: 1 to `NODES_MAX` burns, one after the other */
  readonly nodes?: readonly BurnNode[]
}
