import type { EraReason } from '@orrery/store'

/** Where a follower began. */
export interface FollowedPlace {
  readonly era: number
  /** why the era began */
  readonly reason: EraReason
  readonly snapshotId: number
  /** lattice index */
  readonly index: number
}

/** How far a follower has come. */
export interface FollowerPosition extends FollowedPlace {
  readonly tick: number
  /** commands since it began */
  readonly commands: number
  /** durable commands that are not flown yet */
  readonly lagRows: number
  /** game time to the last durable clock, of the system that is farthest behind [s] */
  readonly lagSeconds: number
  /** wall time since the owner wrote a clock, when it was last read [s] */
  readonly silentSeconds: number
}
