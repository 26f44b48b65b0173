import type { Players } from '@orrery/game'
import { SlidingWindow, incomingAddress } from '@orrery/http'
import { type ErrorCode, errorEnvelope, parseHandshake } from '@orrery/protocol'
import type { IncomingMessage } from 'node:http'
import type { Duplex } from 'node:stream'

const PATH = '/ws'

const MINUTE_MS = 60_000

/** Somebody who may connect. */
export interface Admission {
  readonly accountId: string
  /** `""` without a ship, and for observers */
  readonly shipId: string
  readonly isObserver: boolean
  /** Unix seconds */
  readonly expiresAt: number
}

/** Why somebody may not. */
export interface HandshakeRefusal {
  readonly code: ErrorCode
  readonly retryAfterSeconds?: number
}

export interface AdmissionOptions {
  readonly players: Players
  readonly allowedOrigins: readonly string[]
  readonly handshakesPerMinute: number
  readonly trustProxy: boolean
  /** whether there is room for one more socket */
  readonly hasRoom: () => boolean
}

/** The door of the sockets. */
export interface Doorkeeper {
  /** who asks, by the cheapest questions first; the last is one read of the account */
  admit(request: IncomingMessage): Promise<Admission | HandshakeRefusal>
  /** whoever of an account is being asked in right now is not let in */
  turnAway(accountId: string): void
  /** whoever is being asked in right now is asked again, as when any account may be gone */
  askAgain(): void
}

/** Somebody who is being asked in. */
interface Asking {
  readonly turnedAway: Set<string>
  isDoubted: boolean
}

export function createDoorkeeper(options: AdmissionOptions): Doorkeeper {
  const { handshakesPerMinute, trustProxy, hasRoom } = options
  const window = new SlidingWindow({ limit: handshakesPerMinute, windowMs: MINUTE_MS })
  // An account may be deleted between being read here and the handshake.
  const underWay = new Set<Asking>()
  return {
    admit: async (request) => {
      if (URL.parse(request.url ?? '/', 'http://localhost')?.pathname !== PATH) {
        return { code: 'E002' }
      }
      const attempt = window.attempt(incomingAddress(request, trustProxy))
      if (!attempt.allowed) return { code: 'E004', retryAfterSeconds: attempt.retryAfterSeconds }
      if (!hasRoom()) return { code: 'E008', retryAfterSeconds: 1 }
      const asking: Asking = { turnedAway: new Set(), isDoubted: false }
      underWay.add(asking)
      try {
        let admission: Admission | HandshakeRefusal
        do {
          asking.isDoubted = false
          admission = await identified(request, options)
        } while (asking.isDoubted)
        const isGone = 'accountId' in admission && asking.turnedAway.has(admission.accountId)
        return isGone ? { code: 'E005' } : admission
      } finally {
        underWay.delete(asking)
      }
    },
    turnAway: (accountId) => {
      for (const asking of underWay) asking.turnedAway.add(accountId)
    },
    askAgain: () => {
      for (const asking of underWay) asking.isDoubted = true
    },
  }
}

async function identified(
  request: IncomingMessage,
  { players, allowedOrigins }: AdmissionOptions,
): Promise<Admission | HandshakeRefusal> {
  const { origin, host, authorization } = request.headers
  if (origin && !allowedOrigins.includes(origin) && URL.parse(origin)?.host !== host) {
    return { code: 'E003' }
  }
  const offers = request.headers['sec-websocket-protocol']
  const { token } = parseHandshake({ authorization, offers }) ?? {}
  if (!token) return { code: 'E005' }
  for (const type of ['player', 'admin'] as const) {
    const bearer = await players.bearer(token, type)
    if (typeof bearer === 'string') continue
    const { account, expiresAt } = bearer
    const isObserver = type === 'admin'
    const shipId = isObserver ? '' : (account.shipId ?? '')
    return { accountId: account.playerId, shipId, isObserver, expiresAt }
  }
  return { code: 'E005' }
}

const STATUS_LINES: Partial<Record<ErrorCode, string>> = {
  E001: '400 Bad Request',
  E002: '404 Not Found',
  E003: '403 Forbidden',
  E004: '429 Too Many Requests',
  E005: '401 Unauthorized',
  E008: '503 Service Unavailable',
}

/** Answers an upgrade with an ordinary HTTP error, and hangs up. */
export function refuseUpgrade(
  stream: Duplex,
  { code, retryAfterSeconds }: HandshakeRefusal,
  message?: string,
): void {
  const body = JSON.stringify(errorEnvelope(code, message))
  // Nobody else does: a client that leaves its side open would keep the connection for ever.
  stream.once('finish', () => stream.destroy())
  stream.end(
    [
      `HTTP/1.1 ${STATUS_LINES[code] ?? '500 Internal Server Error'}`,
      'Content-Type: application/json',
      `Content-Length: ${Buffer.byteLength(body)}`,
      ...(retryAfterSeconds === undefined ? [] : [`Retry-After: ${retryAfterSeconds}`]),
      'Connection: close',
      '',
      body,
    ].join('\r\n'),
  )
}
