import type { FollowedPlace, FollowerPosition, PromotedUniverse, openStored } from '@orrery/game'

/**
 * Version of what a program and the core that it carries say to each other: both are of different
 * releases. It is raised with each change of these types.
 */
export const CARRIED_MESSAGES = 1

/** Which world a carried core is to fly; the first message to its process. */
export interface CarriedBeginning {
  readonly kind: 'begin'
  readonly databaseUrl: string | undefined
  /** of the embedded database, without a URL */
  readonly directory: string
  readonly shipsMax: number
  readonly moduleFiles: readonly string[]
}

/** Asks for the world as it is to be gone on with; nothing is followed afterwards. */
export interface CarriedPromotion {
  readonly kind: 'promote'
  readonly until: 'durable' | 'now'
  readonly owned: readonly string[]
}

/** A universe that an older physics has flown, to be opened by this one. */
export interface CarriedUniverse extends Pick<PromotedUniverse, 'era' | 'digests' | 'events'> {
  readonly image: Parameters<typeof openStored>[0]
}

/** What a carried core's process says. */
export type CarriedAnswer =
  | { readonly kind: 'opened'; readonly place: FollowedPlace }
  | { readonly kind: 'flown'; readonly position: FollowerPosition | undefined }
  | { readonly kind: 'away'; readonly reason: string }
  | { readonly kind: 'back' }
  | { readonly kind: 'failed'; readonly message: string; readonly lack: string | undefined }
  | { readonly kind: 'promoted'; readonly universe: CarriedUniverse }
