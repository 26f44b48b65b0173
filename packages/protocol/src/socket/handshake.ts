/** The sub-protocol of JSON text messages. */
export const SUBPROTOCOL = 'orrery.v1'

/** The sub-protocol with binary frames instead of ticks. */
export const BINARY_SUBPROTOCOL = 'orrery.v1.binary'

/** A sub-protocol of the server, and the `protocol` of a welcome. */
export type Subprotocol = typeof SUBPROTOCOL | typeof BINARY_SUBPROTOCOL

/** The first known one of a client's sub-protocols; undefined when none is. */
export function knownSubprotocol(offers: Iterable<string>): Subprotocol | undefined {
  for (const offer of offers) {
    if (offer === SUBPROTOCOL || offer === BINARY_SUBPROTOCOL) return offer
  }
  return undefined
}

/** A browser cannot set headers on a socket, so its token comes as a second sub-protocol. */
export const BEARER_PREFIX = 'bearer.'

/** Bytes of one message from a client at most. */
export const MESSAGE_BYTES_MAX = 16_384

/** Why the server closed a socket. */
export const CLOSE_CODES = {
  shutdown: 1001,
  replaced: 4001,
  slow: 4002,
  expired: 4003,
  accountDeleted: 4004,
  flooding: 4005,
  passwordReset: 4006,
} as const

/** What a client asked for in its handshake. */
export interface Handshake {
  /** The sub-protocol to answer with; undefined when the client offered none. */
  readonly subprotocol: Subprotocol | undefined
  /** The token as it came, unchecked; undefined when there was none. */
  readonly token: string | undefined
}

// RFC 7230 token characters, which is all a sub-protocol may have; a JWT fits.
const OFFER = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/

/**
 * Token and sub-protocol of an upgrade request, or null when it offers sub-protocols but none
 * of ours, more than one token, or something that is no sub-protocol.
 *
 * The `Authorization` header wins over the sub-protocol token.
 *
 * @param authorization  value of `Authorization`
 * @param offers         value of `Sec-WebSocket-Protocol`, repeated headers joined by commas
 */
export function parseHandshake({
  authorization,
  offers,
}: {
  readonly authorization: string | undefined
  readonly offers: string | undefined
}): Handshake | null {
  let subprotocol: Subprotocol | undefined
  let offeredToken: string | undefined
  if (offers !== undefined) {
    for (const part of offers.split(',')) {
      const offer = part.trim()
      if (!OFFER.test(offer)) return null
      subprotocol ??= knownSubprotocol([offer])
      if (offer.startsWith(BEARER_PREFIX)) {
        if (offeredToken !== undefined) return null
        offeredToken = offer.slice(BEARER_PREFIX.length)
      }
    }
    if (subprotocol === undefined) return null
  }
  return { subprotocol, token: bearerToken(authorization) ?? offeredToken }
}

/** The token of an `Authorization: Bearer` header, unchecked; undefined when there is none. */
export function bearerToken(authorization: string | undefined): string | undefined {
  return /^bearer +([^\s,]+) *$/i.exec(authorization ?? '')?.[1]
}
