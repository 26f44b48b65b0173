import type { AcceptedMessage } from '@orrery/protocol'
import type { Order } from '../socket/game-socket.ts'
import type { OwnModule } from './flown-modules.ts'
import type { SeedFault } from './seed-reading.ts'

/** Why one's own ship is shown as the server sends it, and not flown here. */
export type UnflownReason =
  | SeedFault
  /** the server has sent no seed yet */
  | 'no_seed'
  /** the seed cannot be flown here */
  | 'failed'

/** How one's own ship is known. */
export type ShipMode =
  | { readonly mode: 'flown' }
  | { readonly mode: 'received'; readonly reason: UnflownReason }
  /** here alone: see {@link Practice} */
  | { readonly mode: 'practised' }

/** Whether checks of the server find the ship where it was flown. */
export type Drift =
  | 'matched'
  /** they do not, and a new seed puts that right */
  | 'correcting'
  /** they do not, whatever it is flown from */
  | 'diverging'

/** What happens to one's own ship here. */
export interface OwnShipEvents {
  /** It is elsewhere than it was shown at the same time, by so much. */
  readonly corrected: {
    readonly metres: number
    /** an order acts at another time than it was flown, or not at all; something was not known */
    readonly reason: 'later' | 'refused' | 'unknown'
  }
  /** The server's check of the ship was compared with the ship here. */
  readonly checked: { readonly isEqual: boolean }
  /** What the server has of the modules that run here was compared with what they keep here. */
  readonly modulesChecked: { readonly isEqual: boolean }
  readonly mode: ShipMode
}

/** One's own ship: where it can be, it is flown here, ahead of the server. */
export interface OwnShipView {
  /** `""` before it is known */
  readonly id: string
  readonly mode: ShipMode
  readonly drift: Drift
  /** what modules that run here keep of it where it was shown last, by id */
  readonly modules: Readonly<Record<string, OwnModule>>
  /**
   * Gives the ship an order, which acts here at once and on the server at the same time; resolves
   * when that is durable.
   *
   * @throws {ClientError} as the methods of a socket; what is refused is taken back here
   */
  order(order: Order): Promise<AcceptedMessage>
  /** calls back at each event of a kind; returns how to stop */
  on<Kind extends keyof OwnShipEvents>(
    kind: Kind,
    listener: (event: OwnShipEvents[Kind]) => void,
  ): () => void
}
