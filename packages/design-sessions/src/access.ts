import { HttpError, type Secret } from '@orrery/http'
import type { MiddlewareHandler } from 'hono'
import { hash, timingSafeEqual } from 'node:crypto'
import { isIP } from 'node:net'
import type { Config } from './config.ts'

/**
 * Requires the bearer token, compared in constant time; without a configured token all requests
 * pass.
 *
 * @throws {HttpError} 401 `Not authenticated`
 */
export function requireToken(token: Secret | undefined): MiddlewareHandler {
  if (token === undefined) return (_, next) => next()
  const expected = digest(token.reveal())
  return (context, next) => {
    const [, given] = /^bearer +(\S+)$/i.exec(context.req.header('authorization') ?? '') ?? []
    if (given !== undefined && timingSafeEqual(digest(given), expected)) return next()
    throw new HttpError(401, 'not_authenticated', 'Not authenticated', {
      headers: { 'WWW-Authenticate': 'Bearer' },
    })
  }
}

/** Names of this machine in a URL. */
const OWN_NAMES: ReadonlySet<string> = new Set(['127.0.0.1', 'localhost', '[::1]'])

function isOwn(name: string): boolean {
  return OWN_NAMES.has(name) || OWN_NAMES.has(`[${name}]`)
}

/** Whether anyone who can reach this machine has full access. */
export function isOpenToAll({ host, token }: Pick<Config, 'host' | 'token'>): boolean {
  return token === undefined && !isOwn(host)
}

/**
 * Refuses requests from pages of others whose `Origin` is not allowed. On an open local service
 * also checks the host name: the DNS of another page can point to this machine.
 *
 * @throws {HttpError} 403
 */
export function refuseForeignPages({
  host,
  token,
  allowedOrigins,
}: Pick<Config, 'host' | 'token' | 'allowedOrigins'>): MiddlewareHandler {
  const isOpenHere = token === undefined && isOwn(host)
  return (context, next) => {
    const origin = context.req.header('origin')
    const { host: name, hostname } = new URL(context.req.url)
    // Another page's DNS name can point here, an address cannot.
    const isSure = token !== undefined || OWN_NAMES.has(hostname) || isIP(hostname) > 0
    const isOurs = isSure && URL.parse(origin ?? '')?.host === name
    if (origin !== undefined && !isOurs && !allowedOrigins.includes(origin)) {
      throw new HttpError(403, 'origin', 'Origin is not allowed')
    }
    if (isOpenHere && !OWN_NAMES.has(hostname)) {
      throw new HttpError(403, 'host', 'Host is not allowed')
    }
    return next()
  }
}

function digest(text: string): Buffer {
  return hash('sha256', text, 'buffer')
}
