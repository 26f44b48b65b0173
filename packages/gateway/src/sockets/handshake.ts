import type { Players } from '@orrery/game'
import { SlidingWindow, incomingAddress } from '@orrery/http'
import { type ErrorCode, errorEnvelope, parseHandshake } from '@orrery/protocol'
import type { IncomingMessage } from 'node:http'
import type { Duplex } from 'node:stream'

const PATH = '/ws'

const MINUTE_MS = 60_000

/** The owner of a token that was accepted. */
export interface Admission {
  readonly accountId: string
  /** `""` without a ship, and for observers */
  readonly shipId: string
  readonly isObserver: boolean
  readonly tokenHash: string
  /** Unix seconds */
  readonly expiresAt: number
}

/** Why an upgrade is refused. */
export interface HandshakeRefusal {
  readonly code: ErrorCode
  readonly retryAfterSeconds?: number
}

export interface HandshakeOptions {
  readonly players: Pick<Players, 'bearer'>
  readonly allowedOrigins: readonly string[]
  readonly handshakesPerMinute: number
  readonly trustProxy: boolean
  /** whether there is room for one more socket */
  readonly hasRoom: () => boolean
}

/** Decides which upgrades become sockets. */
export interface Handshakes {
  /** checks the cheapest conditions first; the last is one read of the account */
  admit(request: IncomingMessage): Promise<Admission | HandshakeRefusal>
  /** refuses the handshakes of an account that are pending */
  refuseAccount(accountId: string): void
  /** repeats the checks of all pending handshakes, as when any account may be gone */
  recheck(): void
}

/** A handshake whose checks run. */
interface PendingHandshake {
  readonly refusedAccounts: Set<string>
  mustRecheck: boolean
}

export function createHandshakes(options: HandshakeOptions): Handshakes {
  const { handshakesPerMinute, trustProxy, hasRoom } = options
  const window = new SlidingWindow({ limit: handshakesPerMinute, windowMs: MINUTE_MS })
  // An account may be deleted between being read here and the handshake.
  const pending = new Set<PendingHandshake>()
  return {
    admit: async (request) => {
      if (URL.parse(request.url ?? '/', 'http://localhost')?.pathname !== PATH) {
        return { code: 'E002' }
      }
      const attempt = window.attempt(incomingAddress(request, trustProxy))
      if (!attempt.allowed) return { code: 'E004', retryAfterSeconds: attempt.retryAfterSeconds }
      if (!hasRoom()) return { code: 'E008', retryAfterSeconds: 1 }
      const handshake: PendingHandshake = { refusedAccounts: new Set(), mustRecheck: false }
      pending.add(handshake)
      try {
        let admission: Admission | HandshakeRefusal
        do {
          handshake.mustRecheck = false
          admission = await identified(request, options)
        } while (handshake.mustRecheck)
        const isGone =
          'accountId' in admission && handshake.refusedAccounts.has(admission.accountId)
        return isGone ? { code: 'E005' } : admission
      } finally {
        pending.delete(handshake)
      }
    },
    refuseAccount: (accountId) => {
      for (const handshake of pending) handshake.refusedAccounts.add(accountId)
    },
    recheck: () => {
      for (const handshake of pending) handshake.mustRecheck = true
    },
  }
}

async function identified(
  request: IncomingMessage,
  { players, allowedOrigins }: HandshakeOptions,
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
    const { account, expiresAt, tokenHash } = bearer
    const isObserver = type === 'admin'
    const shipId = isObserver ? '' : (account.shipId ?? '')
    return { accountId: account.playerId, shipId, isObserver, tokenHash, expiresAt }
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

/** Answers an upgrade with an ordinary HTTP error, and closes the connection. */
export function refuseUpgrade(
  stream: Duplex,
  { code, retryAfterSeconds }: HandshakeRefusal,
  message?: string,
): void {
  const body = JSON.stringify(errorEnvelope(code, message))
  // A client that leaves its side open would otherwise keep the connection for ever.
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
