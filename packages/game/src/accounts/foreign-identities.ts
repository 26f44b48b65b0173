import type { WallClock } from '@orrery/engine'
import {
  JOSEError,
  JOSENotSupported,
  JWKSMultipleMatchingKeys,
  JWKSNoMatchingKey,
  JWTClaimValidationFailed,
} from 'jose/errors'
import { createRemoteJWKSet, customFetch } from 'jose/jwks/remote'
import { decodeJwt } from 'jose/jwt/decode'
import { type JWTVerifyGetKey, jwtVerify } from 'jose/jwt/verify'
import { hash } from 'node:crypto'
import { Refusal, refusal } from '../refusal.ts'

/** Each has a public key; with a shared one, whoever checks tokens could make them. */
const ALGORITHMS = 'RS256 RS384 RS512 PS256 PS384 PS512 ES256 ES384 ES512 EdDSA Ed25519'.split(' ')

/** Longest wait for the keys of the issuer [ms]. */
const KEYS_MS_MAX = 3000

/** Between two readings of the keys, whatever tokens come [ms]. */
const COOLDOWN_MS = 10_000

/** Keys are read again when they are so old [ms]. */
const KEYS_AGE_MS_MAX = 600_000

const KEYS_BYTES_MAX = 1 << 18

/** Clocks of the issuer and of this server may differ so far. */
const CLOCK_TOLERANCE_SECONDS = 5

/** @source OpenID Connect Core 1.0, section 2 */
const SUBJECT_CHARACTERS_MAX = 255

/** Whose tokens sign in, and for which server they must be. */
export interface SignIn {
  readonly issuer: string
  readonly audience: string
  /** of the issuer's public keys, a JWK set */
  readonly keysUrl: string
}

/** Checks the tokens of another server that people sign in with. */
export interface ForeignIdentities {
  /**
   * The id of the account of whoever a token is for: the same for each token of a subject.
   *
   * @throws {Refusal} 401 E005 naming the fault of the token; 503 E008 while the keys of the issuer
   *   cannot be read
   */
  playerId(token: string): Promise<string>
}

/** @param cooldownMs  least time between two readings of the keys */
export function createForeignIdentities(
  { issuer, audience, keysUrl }: SignIn,
  clock: Pick<WallClock, 'monotonicMs' | 'utcMs'>,
  cooldownMs: number = COOLDOWN_MS,
): ForeignIdentities {
  const keyOf = issuersKeys(keysUrl, clock, cooldownMs)
  return {
    playerId: async (token) => {
      try {
        // Before its key is looked for: tokens of others must not make the keys be read.
        if (decodeJwt(token).iss !== issuer) throw wrongToken('of another issuer')
        const { payload } = await jwtVerify(token, keyOf, {
          issuer,
          audience,
          algorithms: ALGORITHMS,
          requiredClaims: ['sub', 'exp'],
          clockTolerance: CLOCK_TOLERANCE_SECONDS,
          currentDate: new Date(clock.utcMs()),
        })
        return accountId(issuer, subjectOf(payload))
      } catch (error) {
        throw error instanceof JOSEError ? wrongToken(faultOf(error)) : error
      }
    },
  }
}

/** @throws {Refusal} 401 E005 */
function subjectOf({ sub }: { readonly sub?: unknown }): string {
  // The library takes any value.
  const isGood = typeof sub === 'string' && sub !== '' && sub.length <= SUBJECT_CHARACTERS_MAX
  if (!isGood) throw wrongToken('without a good subject')
  return sub
}

/** The issuer's key of a token, read again at most once in a cooldown. */
function issuersKeys(
  url: string,
  clock: Pick<WallClock, 'monotonicMs'>,
  cooldownMs: number,
): JWTVerifyGetKey {
  let readAtMs = -Infinity
  let failure: unknown = new JWKSNoMatchingKey()
  const keys = createRemoteJWKSet(new URL(url), {
    timeoutDuration: KEYS_MS_MAX,
    cooldownDuration: cooldownMs,
    cacheMaxAge: KEYS_AGE_MS_MAX,
    [customFetch]: (...request) => {
      const nowMs = clock.monotonicMs()
      if (nowMs - readAtMs < cooldownMs) throw failure
      readAtMs = nowMs
      return boundedAnswer(...request)
    },
  })
  return async (header, token) => {
    try {
      const key = await keys(header, token)
      failure = new JWKSNoMatchingKey()
      return key
    } catch (error) {
      if (NO_KEY.some((kind) => error instanceof kind)) throw error
      failure = error
      const why = error instanceof Error ? error.message : String(error)
      const seconds = Math.ceil(cooldownMs / 1000)
      throw new Refusal('E008', `The issuer's keys cannot be read: ${why}`, 503, seconds)
    }
  }
}

/** The keys were read, and none is the token's. */
const NO_KEY = [JWKSNoMatchingKey, JWKSMultipleMatchingKeys, JOSENotSupported]

/** The answer to a request, whose length is bounded; its time is by the request's signal. */
async function boundedAnswer(...request: Parameters<typeof fetch>): Promise<Response> {
  const { status, body } = await fetch(...request)
  if (status !== 200) {
    await body?.cancel()
    throw new Error(`the answer is ${status}`)
  }
  const chunks: Uint8Array[] = []
  let size = 0
  for await (const chunk of body ?? []) {
    size += chunk.length
    if (size > KEYS_BYTES_MAX) throw new Error(`the answer is longer than ${KEYS_BYTES_MAX} bytes`)
    chunks.push(chunk)
  }
  return new Response(Buffer.concat(chunks))
}

const FAULTS: Readonly<Record<string, string>> = {
  ERR_JOSE_ALG_NOT_ALLOWED: 'signed by none of the algorithms with a public key',
  ERR_JWKS_NO_MATCHING_KEY: 'signed with a key that its issuer does not have, or not any more',
  ERR_JWKS_MULTIPLE_MATCHING_KEYS: "without the id of its key, and several may be the token's",
  ERR_JWS_SIGNATURE_VERIFICATION_FAILED: 'changed since it was signed, or signed by another',
  ERR_JWT_EXPIRED: 'expired',
}

const CLAIM_FAULTS: Readonly<Record<string, string>> = {
  iss: 'of another issuer',
  aud: 'for another audience',
  nbf: 'not good yet',
}

function faultOf(error: JOSEError): string {
  if (error instanceof JWTClaimValidationFailed) {
    return CLAIM_FAULTS[error.claim] ?? `without a good claim ${error.claim}`
  }
  return FAULTS[error.code] ?? 'damaged, or no signed JWT'
}

function wrongToken(fault: string): Refusal {
  return refusal('E005', `The token is ${fault}`)
}

/**
 * The id of an account that is made of an identity: no table says whose it is.
 *
 * @source RFC 9562, section 5.8
 */
function accountId(issuer: string, subject: string): string {
  const digest = hash('sha256', JSON.stringify([issuer, subject]), 'buffer').subarray(0, 16)
  digest[6] = (digest[6] & 0x0f) | 0x80
  digest[8] = (digest[8] & 0x3f) | 0x80
  const [, ...groups] = /^(.{8})(.{4})(.{4})(.{4})(.{12})$/.exec(digest.toString('hex')) ?? []
  return groups.join('-')
}
