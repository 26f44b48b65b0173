import { HttpError, type Secret } from '@orrery/http'
import type { MiddlewareHandler } from 'hono'
import { hash, timingSafeEqual } from 'node:crypto'
import type { Config } from './config.ts'

/**
 * Lets only those pass who bear the token, compared in constant time; without one, everybody.
 *
 * @throws {HttpError} 401 `Not authenticated`
 */
export function tokenNeeded(token: Secret | undefined): MiddlewareHandler {
  if (token === undefined) return (_, next) => next()
  const wanted = digest(token.reveal())
  return (context, next) => {
    const [, given] = /^bearer +(\S+)$/i.exec(context.req.header('authorization') ?? '') ?? []
    if (given !== undefined && timingSafeEqual(digest(given), wanted)) return next()
    throw new HttpError(401, 'not_authenticated', 'Not authenticated', {
      headers: { 'WWW-Authenticate': 'Bearer' },
    })
  }
}

/** What this machine calls itself, in a URL. */
const OWN_NAMES: ReadonlySet<string> = new Set(['127.0.0.1', 'localhost', '[::1]'])

function isOwn(name: string): boolean {
  return OWN_NAMES.has(name) || OWN_NAMES.has(`[${name}]`)
}

/** Whether everybody who reaches this machine may do everything. */
export function isOpenToAll({ host, token }: Pick<Config, 'host' | 'token'>): boolean {
  return token === undefined && !isOwn(host)
}

/**
 * Refuses what a browser sends for a page that has no leave: by its `Origin`, and, where anybody
 * on this machine may come in, by the name it was sent to, which a page can make point here.
 *
 * @throws {HttpError} 403
 */
export function pagesRefused({
  host,
  token,
  allowedOrigins,
}: Pick<Config, 'host' | 'token' | 'allowedOrigins'>): MiddlewareHandler {
  const isOpenHere = token === undefined && isOwn(host)
  return (context, next) => {
    const origin = context.req.header('origin')
    if (origin !== undefined && !allowedOrigins.includes(origin)) {
      throw new HttpError(403, 'origin', 'Origin is not allowed')
    }
    if (isOpenHere && !OWN_NAMES.has(new URL(context.req.url).hostname)) {
      throw new HttpError(403, 'host', 'Host is not allowed')
    }
    return next()
  }
}

function digest(text: string): Buffer {
  return hash('sha256', text, 'buffer')
}
