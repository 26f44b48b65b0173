import type { WallClock } from '@orrery/engine'
import type { Presence } from '@orrery/game'
import { SlidingWindow } from '@orrery/http'
import {
  type PaceVoteResponse,
  type ServerMessage,
  type VoteMessage,
  encodeServerMessage,
} from '@orrery/protocol'
import type { PaceBounds } from '@orrery/store'
import { errorMessage } from '../connection/error-message.ts'
import type { PlayerSocket, VoteRequests } from '../connection/player-socket.ts'
import { inMillionths } from '../views/wire-views.ts'

/** In any span of so long an account votes so often at most. */
const WINDOW_MS = 10_000
const VOTED_MAX = 5

/** Votes are counted so often, and changes of the count sent [ms]. */
const COUNT_MS = 1000

const OFF: PaceVoteResponse = { lowest: null, highest: null, voters: 0, votes: 0, pace: null }

export interface PaceVotesOptions {
  readonly clock: WallClock
  /** players of this process, and observers */
  readonly clients: { all(): Iterable<PlayerSocket> }
  /** players of other processes, whose votes come over the bus */
  readonly others: Pick<Presence, 'players' | 'voted'> | undefined
  /** what the operator lets pilots vote for, now */
  readonly paceBounds: () => PaceBounds | 'off'
}

/**
 * The vote of all connected pilots for how fast game time runs. A vote stands while its socket is
 * open; one outside the bounds counts as none. When every pilot has one, the pace is the lowest of
 * them; in any other case the operator's time scale counts.
 */
export class PaceVotes implements VoteRequests {
  readonly #options: PaceVotesOptions
  readonly #votes = new WeakMap<object, number>()
  /** by account, which a new socket does not change */
  readonly #voted: SlidingWindow
  #counted = OFF
  #cancel: () => void

  constructor(options: PaceVotesOptions) {
    const { clock } = options
    const now = (): number => clock.monotonicMs()
    this.#options = options
    this.#voted = new SlidingWindow({ limit: VOTED_MAX, windowMs: WINDOW_MS, now })
    this.#cancel = clock.after(COUNT_MS, () => this.#count())
  }

  /** Takes or withdraws the vote of a pilot; returns the answer. */
  vote(pilot: PlayerSocket, { id, pace }: VoteMessage): ServerMessage {
    const { others, paceBounds } = this.#options
    const attempt = this.#voted.attempt(pilot.accountId)
    if (!attempt.allowed) {
      return errorMessage('E004', id, `Too many votes: wait ${attempt.retryAfterSeconds} s`)
    }
    const bounds = paceBounds()
    if (bounds === 'off') return errorMessage('E003', id, 'The vote for the pace is switched off')
    const vote = pace === null ? undefined : inMillionths(pace)
    if (vote !== undefined && !isWithin(vote, bounds)) {
      const { lowest, highest } = bounds
      return errorMessage('E029', id, `pace must be from ${lowest} to ${highest}`)
    }
    if (vote === undefined) this.#votes.delete(pilot)
    else this.#votes.set(pilot, vote)
    others?.voted(pilot.accountId, vote)
    return { type: 'voted', ...(id !== undefined && { id }), pace: vote ?? null }
  }

  /** What a client is sent when it connects. */
  welcome(player: PlayerSocket): void {
    if (this.#counted !== OFF) player.send({ type: 'votes', ...this.#counted })
  }

  /** The votes as they are now. */
  now(): PaceVoteResponse {
    const bounds = this.#options.paceBounds()
    if (bounds === 'off') return OFF
    const all = this.#all()
    let votes = 0
    let lowest = bounds.highest
    for (const vote of all.values()) {
      if (vote === undefined || !isWithin(vote, bounds)) continue
      votes++
      lowest = Math.min(lowest, vote)
    }
    const pace = votes > 0 && votes === all.size ? lowest : null
    return { ...bounds, voters: all.size, votes, pace }
  }

  stop(): void {
    this.#cancel()
  }

  /** Sends the votes to all clients when they have changed. */
  #count(): void {
    const { clients, clock } = this.#options
    this.#cancel = clock.after(COUNT_MS, () => this.#count())
    const votes = this.now()
    const text = encodeServerMessage({ type: 'votes', ...votes })
    if (text === encodeServerMessage({ type: 'votes', ...this.#counted })) return
    this.#counted = votes
    for (const client of clients.all()) client.outbox.send(text)
  }

  /** The vote of each connected pilot, by account, those of other processes, too. */
  #all(): Map<string, number | undefined> {
    const { clients, others } = this.#options
    const all = new Map<string, number | undefined>()
    for (const { playerId, shipId, vote } of others?.players() ?? []) {
      if (shipId !== '') all.set(playerId, vote)
    }
    for (const player of clients.all()) {
      if (!player.isObserver && player.shipId !== '') {
        all.set(player.accountId, this.#votes.get(player))
      }
    }
    return all
  }
}

function isWithin(pace: number, { lowest, highest }: PaceBounds): boolean {
  return pace >= lowest && pace <= highest
}
