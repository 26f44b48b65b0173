import { REASONS, type Reason } from '@orrery/sim'
import * as v from 'valibot'

/**
 * Why a maneuver has failed: `out_of_fuel`, `unreachable`, `timed_out`, `target_lost`, `impact`
 * (the ship ran into a body or would), `let_go` (the wheels could not hold the hull), `late` (the
 * hull did not point along a burn of a plan at its time), `frozen` (the server could not fly the
 * ship), or `none` where no reason is known.
 */
export type FailureReason = Reason | 'frozen'

export const failureReason: v.GenericSchema<FailureReason> = v.picklist([...REASONS, 'frozen'])
