import type { Database } from '@orrery/database'
import type { WallClock } from '@orrery/engine'
import { PHYSICS } from '@orrery/sim'
import type { Host, SystemSeen } from '@orrery/store'
import { claimantOf } from './giving.ts'

/** So long other hosts leave a world without an owner to the first of them. */
const FIRST_MS = 1000

/** The same where it is another release's, so that hosts of that one may go on with it. */
const FIRST_OF_OLDER_MS = 5000

export interface ClaimTurnOptions {
  readonly database: Pick<Database, 'sql'>
  readonly host: Host
  /** this host is to own nothing while another one can: it is drained, or its clock is wrong */
  readonly isUnfit: () => boolean
  readonly clock: WallClock
}

/** When a host may claim what an owner had that is gone: the first at once, others later. */
export class ClaimTurn {
  readonly #options: ClaimTurnOptions
  /** the owner that is gone, at its last beat, and since when that was seen [monotonic ms] */
  #left: { readonly host: string; readonly beats: number; readonly sinceMs: number } | undefined

  constructor(options: ClaimTurnOptions) {
    this.#options = options
  }

  /**
   * Whether this host may claim it now.
   *
   * @param gone     a row of that owner; undefined before a first one
   * @param physics  that flies it
   */
  async hasCome(
    { beats = 0, host = '' }: Partial<SystemSeen> = {},
    physics: number = PHYSICS,
  ): Promise<boolean> {
    const { clock, database, host: own, isUnfit } = this.#options
    const first = await claimantOf(database.sql, { physics, incarnation: host })
    if (first === undefined || first === own.incarnation) return true
    const nowMs = clock.monotonicMs()
    const isSame = this.#left?.host === host && this.#left.beats === beats
    const left = isSame && this.#left ? this.#left : { host, beats, sinceMs: nowMs }
    this.#left = left
    const firstMs = physics < PHYSICS ? FIRST_OF_OLDER_MS : FIRST_MS
    return !isUnfit() && nowMs - left.sinceMs >= firstMs
  }
}
