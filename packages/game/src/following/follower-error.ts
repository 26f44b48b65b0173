import type { EraHeads } from '@orrery/store'
import { PHYSICS } from '@orrery/sim'

export type FollowerErrorCode =
  /** nothing is stored that could be followed */
  | 'ERR_FOLLOWER_WORLD'
  /** a row of the journal is missing */
  | 'ERR_FOLLOWER_GAP'
  /** a row of the journal cannot be flown */
  | 'ERR_FOLLOWER_ROW'
  /** the database has lost what it had: its last clock lies before one that was read */
  | 'ERR_FOLLOWER_TAIL'
  /** a digest differs from that of the owner */
  | 'ERR_FOLLOWER_DIGEST'
  /** what follows was made by another physics */
  | 'ERR_FOLLOWER_PHYSICS'
  /** the core of the release before does not run, or cannot follow */
  | 'ERR_FOLLOWER_CORE'

/** Why a world cannot be followed any further, by a stable code. */
export class FollowerError extends Error {
  override readonly name = 'FollowerError'
  readonly code: FollowerErrorCode

  constructor(code: FollowerErrorCode, message: string, options?: ErrorOptions) {
    super(message, options)
    this.code = code
  }
}

export function otherPhysics(snapshotId: number, physics: number): FollowerError {
  const message =
    `What follows snapshot ${snapshotId} is made by physics ${physics}, and this program has` +
    ` physics ${PHYSICS}: the release that makes it can follow it.`
  return new FollowerError('ERR_FOLLOWER_PHYSICS', message)
}

export function noWorld(): FollowerError {
  return new FollowerError('ERR_FOLLOWER_WORLD', 'No world has been stored in this database yet.')
}

/** @throws {FollowerError} 'ERR_FOLLOWER_PHYSICS' */
export function requirePhysics({ otherPhysics: other }: EraHeads): void {
  if (other) throw otherPhysics(other.snapshotId, other.physics)
}

/** The message of the first among the causes of an error that has one of some codes. */
export function causeIn(error: unknown, codes: readonly string[]): string | undefined {
  for (let cause = error; cause instanceof Error; cause = cause.cause) {
    if (codes.includes(Object(cause).code)) return cause.message
  }
  return undefined
}
