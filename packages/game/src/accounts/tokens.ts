// The whole of `jose` is 46 modules, which takes 15 ms of a start.
import { JOSEError } from 'jose/errors'
import { SignJWT } from 'jose/jwt/sign'
import { jwtVerify } from 'jose/jwt/verify'
import { hash, randomUUID } from 'node:crypto'

/** Tokens are valid for a day; there is no refresh: log in again. */
export const TOKEN_SECONDS: number = 24 * 60 * 60

const ALGORITHM = 'HS256'

export type TokenType = 'player' | 'admin'

/** Claims of a valid token. */
export interface TokenClaims {
  /** account's id */
  readonly sub: string
  readonly type: TokenType
  /** ship at the time of issue, `""` without one; only in player tokens */
  readonly shipId?: string
  /** raised whenever an account's tokens are ended; absent in tokens made elsewhere */
  readonly generation?: number
  /** Unix seconds; absent in some tokens made elsewhere */
  readonly issuedAt?: number
  /** Unix seconds */
  readonly expiresAt: number
}

/** Issues and checks the game's tokens. */
export interface Tokens {
  player(account: { id: string; shipId: string; generation: number }): Promise<string>
  admin(account: { id: string; generation: number }): Promise<string>
  /** The claims of a token, or undefined: signature, expiry, type and claims in this order. */
  claims(token: string, type: TokenType): Promise<TokenClaims | undefined>
}

/**
 * @param secret  at least 32 bytes
 * @param nowMs   UTC in Unix milliseconds
 */
export function createTokens(secret: Uint8Array, nowMs: () => number): Tokens {
  const issue = (sub: string, claims: Record<string, unknown>): Promise<string> => {
    const issuedAt = Math.floor(nowMs() / 1000)
    // Without an id two logins of one second would give one token.
    return new SignJWT({ ...claims, jti: randomUUID() })
      .setProtectedHeader({ alg: ALGORITHM, typ: 'JWT' })
      .setSubject(sub)
      .setIssuedAt(issuedAt)
      .setExpirationTime(issuedAt + TOKEN_SECONDS)
      .sign(secret)
  }
  return {
    player: ({ id, shipId, generation }) =>
      issue(id, { type: 'player', ship_id: shipId, generation }),
    admin: ({ id, generation }) => issue(id, { type: 'admin', generation }),
    claims: async (token, type) => {
      try {
        const { payload } = await jwtVerify(token, secret, {
          algorithms: [ALGORITHM],
          currentDate: new Date(nowMs()),
        })
        return readClaims(payload, type)
      } catch (error) {
        if (error instanceof JOSEError) return undefined
        throw error
      }
    },
  }
}

/** What a stored token is compared by: SHA-256 in base64url. */
export function tokenHash(token: string): string {
  return hash('sha256', token, 'base64url')
}

function readClaims(payload: Record<string, unknown>, type: TokenType): TokenClaims | undefined {
  const { sub, ship_id: shipId, generation, iat, exp } = payload
  if (payload['type'] !== type || typeof sub !== 'string' || typeof exp !== 'number') {
    return undefined
  }
  if (type === 'player' && typeof shipId !== 'string') return undefined
  if (generation !== undefined && typeof generation !== 'number') return undefined
  return {
    sub,
    type,
    expiresAt: exp,
    ...(typeof shipId === 'string' && { shipId }),
    ...(generation !== undefined && { generation }),
    ...(typeof iat === 'number' && { issuedAt: iat }),
  }
}
