import * as v from 'valibot'
import { count, positive } from '../numbers.ts'

/** What pilots may vote for, and what they vote for now. */
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
