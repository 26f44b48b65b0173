import { HttpError, type Secret, SlidingWindow, isLoopbackName, rateLimited } from '@orrery/http'
import type { Context, MiddlewareHandler } from 'hono'
import { hash, timingSafeEqual } from 'node:crypto'
import { isIP } from 'node:net'
import { forAuthor } from './author.ts'
import type { Config } from './config.ts'
import { badRequest } from './errors.ts'

/** Wrong tokens of one address in a minute. */
const WRONG_MAX = 30
const MINUTE_MS = 60_000

/** Addresses whose right token is remembered. */
const KNOWN_MAX = 10_000

/**
 * Requires the bearer token, compared in constant time; without a configured token all requests
 * pass. After too many wrong tokens an address is refused, unless it has had the right one before:
 * one client cannot lock out others of the same address.
 *
 * @param addressOf  what wrong tokens are counted by
 * @throws {HttpError} 401 `Not authenticated`; 429 after too many wrong tokens
 */
export function requireToken(
  token: Secret | undefined,
  addressOf: (context: Context) => string,
): MiddlewareHandler {
  if (token === undefined) return (_, next) => next()
  const expected = digest(token.reveal())
  const wrong = new SlidingWindow({ limit: WRONG_MAX, windowMs: MINUTE_MS })
  const known = new Set<string>()
  return (context, next) => {
    const [, given] = /^bearer +(\S+)$/i.exec(context.req.header('authorization') ?? '') ?? []
    if (given === undefined) throw notAuthenticated()
    const address = addressOf(context)
    const attempt = wrong.attempt(address)
    if (!attempt.allowed && !known.has(address)) throw rateLimited(attempt.retryAfterSeconds)
    if (!timingSafeEqual(digest(given), expected)) {
      throw attempt.allowed ? notAuthenticated() : rateLimited(attempt.retryAfterSeconds)
    }
    if (attempt.allowed) wrong.takeBack(address)
    if (known.size < KNOWN_MAX) known.add(address)
    return next()
  }
}

function notAuthenticated(): HttpError {
  return new HttpError(401, 'not_authenticated', 'Not authenticated', {
    headers: { 'WWW-Authenticate': 'Bearer' },
  })
}

/**
 * Refuses requests from pages of others whose `Origin` is not allowed. Without a token also checks
 * the host name: the DNS of another page can point here.
 *
 * @throws {HttpError} 403
 */
export function refuseForeignPages({
  token,
  allowedOrigins,
}: Pick<Config, 'token' | 'allowedOrigins'>): MiddlewareHandler {
  const allowedHosts = new Set(allowedOrigins.map((origin) => new URL(origin).host))
  return (context, next) => {
    const origin = context.req.header('origin')
    const { host, hostname } = new URL(context.req.url)
    // Another page's DNS name can point here, an address cannot.
    const isAddress = isIP(hostname) > 0 || hostname.startsWith('[')
    const isSure =
      token !== undefined || isLoopbackName(hostname) || isAddress || allowedHosts.has(host)
    const isOurs = isSure && URL.parse(origin ?? '')?.host === host
    if (origin !== undefined && !isOurs && !allowedOrigins.includes(origin)) {
      throw new HttpError(403, 'origin', 'Origin is not allowed')
    }
    if (!isSure) throw new HttpError(403, 'host', 'Host is not allowed')
    return next()
  }
}

/** Characters of a name. */
const AUTHOR_MAX = 100

/**
 * Records changes under the name in `X-Author`, which is percent-encoded; nothing proves it.
 *
 * @throws {HttpError} 400
 */
export const namedAuthor: MiddlewareHandler = (context, next) => {
  const given = context.req.header('x-author')?.trim()
  if (!given) return next()
  const name = decoded(given)
  if (name === undefined || name.length > AUTHOR_MAX || /\p{C}/u.test(name)) {
    throw badRequest(`X-Author must be percent-encoded text, at most ${AUTHOR_MAX} characters`)
  }
  return forAuthor(name, next)
}

function decoded(text: string): string | undefined {
  try {
    return decodeURIComponent(text)
  } catch {
    return undefined
  }
}

function digest(text: string): Buffer {
  return hash('sha256', text, 'buffer')
}
