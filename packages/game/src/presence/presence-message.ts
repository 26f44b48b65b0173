import { uuid } from '@orrery/protocol'
import * as v from 'valibot'

/** A player whose socket is open. */
export interface PresentPlayer {
  readonly playerId: string
  /** `""` without a ship */
  readonly shipId: string
  /** when the socket was opened; later than that of an older one of the player [Unix ms] */
  readonly since: number
  /** pace that the player votes for; absent without a vote */
  readonly vote?: number
}

/** What a process says of the players whose sockets it holds. */
export type PresenceContent =
  | {
      /** they are there; `isFirst` begins a list of all */
      readonly kind: 'present'
      readonly players: readonly PresentPlayer[]
      readonly isFirst: boolean
    }
  | { readonly kind: 'left'; readonly playerId: string }
  | { readonly kind: 'alive' }
  /** it has just begun, and asks for the lists of the others */
  | { readonly kind: 'hello' }
  | { readonly kind: 'gone' }

/** The same, and the id of the process. */
export type PresenceMessage = PresenceContent & { readonly from: string }

const player = v.object({
  playerId: uuid,
  shipId: v.union([v.literal(''), uuid]),
  since: v.pipe(v.number(), v.safeInteger()),
  vote: v.exactOptional(v.number()),
})

const from = uuid
const message: v.GenericSchema<unknown, PresenceMessage> = v.variant('kind', [
  v.object({
    from,
    kind: v.literal('present'),
    players: v.array(player),
    isFirst: v.boolean(),
  }),
  v.object({ from, kind: v.literal('left'), playerId: uuid }),
  v.object({ from, kind: v.picklist(['alive', 'hello', 'gone']) }),
])

export function encodePresence(content: PresenceMessage): Uint8Array {
  return new TextEncoder().encode(JSON.stringify(content))
}

/** undefined for what no process of this release has said */
export function decodePresence(payload: Uint8Array): PresenceMessage | undefined {
  try {
    const { success, output } = v.safeParse(message, JSON.parse(new TextDecoder().decode(payload)))
    return success ? output : undefined
  } catch {
    return undefined
  }
}
