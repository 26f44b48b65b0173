import { CLOSE_CODES, type ErrorCode } from '@orrery/protocol'
import type { Traffic } from './outbox.ts'

/** Why sockets were closed: a close code of ours, a lost connection, or the client. */
export type ClosedBy = keyof typeof CLOSE_CODES | 'lost' | 'client'

/** How frames are written. */
export type Wire = 'json' | 'binary'

/** Metrics of the sockets; counters never decrease. */
export interface SocketMetrics {
  readonly players: number
  readonly observers: number
  /** places taken, as many as open sockets while none is opened or closed */
  readonly seats: number
  /** bytes that wait for clients now */
  readonly bytesQueued: number
  /** what was sent, by wire: frames of JSON, or binary ones */
  readonly wires: Readonly<Record<Wire, Readonly<Traffic>>>
  readonly messagesTaken: number
  /** messages and control frames over the limit, unread */
  readonly messagesRefused: number
  readonly closed: Readonly<Record<ClosedBy, number>>
  readonly handshakesRefused: Readonly<Partial<Record<ErrorCode, number>>>
  readonly talk: Readonly<TalkCounts>
  /**
   * Wall time [ms] from the end of the last tick that is over until the last byte of its frames is
   * with the system; clients that do not drain are left out
   */
  readonly fanOutMs: number
}

/** Texts between pilots, by hearer: those beyond what one pilot hears are dropped. */
export interface TalkCounts {
  sent: number
  dropped: number
}

/** Counters, kept as things happen. */
export interface SocketCounts {
  readonly wires: Record<Wire, Traffic>
  messagesTaken: number
  messagesRefused: number
  readonly closed: Record<ClosedBy, number>
  readonly handshakesRefused: Partial<Record<ErrorCode, number>>
  readonly talk: TalkCounts
}

function createTraffic(): Traffic {
  return { framesSent: 0, framesDropped: 0, bytesSent: 0 }
}

export function createSocketCounts(): SocketCounts {
  return {
    wires: { json: createTraffic(), binary: createTraffic() },
    messagesTaken: 0,
    messagesRefused: 0,
    closed: {
      shutdown: 0,
      replaced: 0,
      slow: 0,
      expired: 0,
      accountDeleted: 0,
      flooding: 0,
      passwordReset: 0,
      lost: 0,
      client: 0,
    },
    handshakesRefused: {},
    talk: { sent: 0, dropped: 0 },
  }
}

/** The name of a code that the server closes with. */
export function closedBy(code: (typeof CLOSE_CODES)[keyof typeof CLOSE_CODES]): ClosedBy {
  const names = Object.keys(CLOSE_CODES) as (keyof typeof CLOSE_CODES)[]
  return names.find((name) => CLOSE_CODES[name] === code)!
}
