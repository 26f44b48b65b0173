import { CLOSE_CODES, type ErrorCode } from '@orrery/protocol'
import type { Traffic } from './outbox.ts'

/** Why sockets were closed: a close code of ours, a lost connection, or the client. */
export type ClosedBy = keyof typeof CLOSE_CODES | 'lost' | 'client'

/** Metrics of the sockets; counters never decrease. */
export interface SocketMetrics {
  readonly players: number
  readonly observers: number
  /** bytes that wait for clients now */
  readonly bytesQueued: number
  readonly framesSent: number
  /** frames that a later one replaced before they could be sent */
  readonly framesDropped: number
  readonly bytesSent: number
  readonly messagesTaken: number
  /** messages and control frames over the limit, unread */
  readonly messagesRefused: number
  readonly closed: Readonly<Record<ClosedBy, number>>
  readonly handshakesRefused: Readonly<Partial<Record<ErrorCode, number>>>
  /**
   * Wall time [ms] from the end of the last tick that is over until the last byte of its frames is
   * with the system; clients that do not drain are left out
   */
  readonly fanOutMs: number
}

/** Counters, kept as things happen. */
export interface SocketCounts extends Traffic {
  messagesTaken: number
  messagesRefused: number
  readonly closed: Record<ClosedBy, number>
  readonly handshakesRefused: Partial<Record<ErrorCode, number>>
}

export function createSocketCounts(): SocketCounts {
  return {
    framesSent: 0,
    framesDropped: 0,
    bytesSent: 0,
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
  }
}

/** The name of a code that the server closes with. */
export function closedBy(code: (typeof CLOSE_CODES)[keyof typeof CLOSE_CODES]): ClosedBy {
  const names = Object.keys(CLOSE_CODES) as (keyof typeof CLOSE_CODES)[]
  return names.find((name) => CLOSE_CODES[name] === code)!
}
