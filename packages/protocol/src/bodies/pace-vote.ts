import * as v from 'valibot'
import { count, positive } from '../numbers.ts'
import { timeScale } from './game-control.ts'

/** Body of `PUT /api/admin/game/pace-vote`: what pilots may vote for [game seconds per second]. */
export interface PaceVoteRequest {
  readonly lowest: number
  /** not under the lowest */
  readonly highest: number
}

export const paceVoteRequest: v.GenericSchema<PaceVoteRequest> = v.pipe(
  v.object({
    lowest: timeScale('lowest must be a number from 0.1 to 100'),
    highest: timeScale('highest must be a number from 0.1 to 100'),
  }),
  v.check(({ lowest, highest }) => lowest <= highest, 'highest must not be under lowest'),
)

/** 200 of the routes of the vote: what pilots may vote for, and what they vote for now. */
export interface PaceVoteResponse {
  /** [game seconds per second]; null where the vote is off */
  readonly lowest: number | null
  readonly highest: number | null
  /** connected pilots; 0 where the vote is off */
  readonly voters: number
  /** how many of them have a vote within the bounds */
  readonly votes: number
  /** that the vote sets [game seconds per second]; null where the operator's time scale counts */
  readonly pace: number | null
}

export const paceVoteFields: {
  readonly [Name in keyof PaceVoteResponse]: v.GenericSchema<PaceVoteResponse[Name]>
} = {
  lowest: v.nullable(positive),
  highest: v.nullable(positive),
  voters: count,
  votes: count,
  pace: v.nullable(positive),
}

export const paceVoteResponse: v.GenericSchema<PaceVoteResponse> = v.object(paceVoteFields)
