import * as v from 'valibot'
import { timeScale } from '../bodies/game-control.ts'
import type { PaceVoteResponse } from '../bodies/game-control.ts'
import { type MessageId, messageId } from '../identifiers.ts'

const PACE = 'pace must be a number from 0.1 to 100, or null'

/** What each field must be, for refusals. */
export const VOTE_FIELDS: readonly (readonly [field: string, sentence: string])[] = [['pace', PACE]]

/** A pilot's vote for how fast game time runs. */
export interface VoteMessage {
  readonly type: 'vote'
  readonly id?: MessageId
  /** [game seconds per second]; null withdraws the vote */
  readonly pace: number | null
}

/** The answer to a vote. */
export interface VotedMessage {
  readonly type: 'voted'
  readonly id?: MessageId
  readonly pace: number | null
}

/** The vote as it is now. */
export interface VotesMessage extends PaceVoteResponse {
  readonly type: 'votes'
}

/** Schema of a {@link VoteMessage}. */
export const voteMessage: v.GenericSchema<VoteMessage> = v.object({
  type: v.literal('vote'),
  id: v.exactOptional(messageId),
  pace: v.nullable(timeScale(PACE)),
})
