import { type PaceVoteResponse, paceVoteRequest } from '@orrery/protocol'
import type { Hono } from 'hono'
import type { AppParts } from '../../app-parts.ts'
import { serve } from '../../documents/openapi.ts'
import { bodyValues } from '../../requests/input.ts'
import type { AdminEnv } from '../admin.ts'

/** Whether pilots vote for how fast game time runs, and between what. */
export function addPaceVote(routes: Hono<AdminEnv>, parts: AppParts): void {
  const { sockets, changeSettings, audit } = parts
  serve(
    routes,
    'readPaceVote',
    {
      summary: 'The vote for the pace',
      description: 'What pilots may vote for, and how many of them have a vote.',
      tag: 'game control',
    },
    (context) => context.json(sockets.paceVotes() satisfies PaceVoteResponse),
  )
  serve(
    routes,
    'allowPaceVote',
    {
      summary: 'Let pilots vote for the pace',
      body: paceVoteRequest,
      description:
        'When every connected pilot has a vote within the bounds, game time runs at the lowest, ' +
        'otherwise at the time scale of the operator. Votes are counted each second.',
      tag: 'game control',
    },
    async (context) => {
      const { lowest, highest } = await bodyValues(context, paceVoteRequest)
      await changeSettings({ paceVote: { lowest, highest } })
      await audit(context.get('admin'), 'pace_vote', { lowest, highest })
      return context.json(sockets.paceVotes() satisfies PaceVoteResponse)
    },
  )
  serve(
    routes,
    'endPaceVote',
    {
      summary: 'End the vote for the pace',
      description: 'Within a second game time runs at the time scale of the operator.',
      tag: 'game control',
    },
    async (context) => {
      await changeSettings({ paceVote: 'off' })
      await audit(context.get('admin'), 'pace_vote_end', {})
      return context.json(sockets.paceVotes() satisfies PaceVoteResponse)
    },
  )
}
